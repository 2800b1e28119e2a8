"""The routes of reviews. Asking starts one, asking again returns it or its progress.

The review of a game that was played here is kept with it. A worker claims its row in the
database, so that several workers compute it once; another takes over if the row stops changing.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import msgspec
from litestar import Request
from litestar.params import FromPath, FromQuery, JSONBody

from lastspike import protocol as p
from lastspike.server.http.limits.rate_limits import caller_key
from lastspike.server.http.routing import post
from lastspike.server.http.services import FromServices, Services, check_open_to
from lastspike.server.jobs.job_queue import EXPECTED_S, Job
from lastspike.server.jobs.reading import ToReview
from lastspike.server.live.table import LiveTable
from lastspike.server.storage.queries.reviews import STALE_MS, Reviews
from lastspike.server.table.errors import Conflict
from lastspike.server.table.now import now_ms
from lastspike.server.table.records import full_record
from lastspike.server.table.state import TableState
from lastspike.words.names import names_of

QUICK = "quick."
"""Begins the key of a quick review's job."""
_BEAT_MS = 1_000


@post("/api/tables/{table_id:str}/review", summary="Review a finished game", tags=["records"])
async def review_table(
    request: Request[Any, Any, Any],
    services: FromServices,
    table_id: FromPath[str],
    quick: FromQuery[bool] = False,
) -> p.JobState:
    """`quick` asks for the chances and luck alone, within seconds; the full review instead, if it
    is known."""
    table = await services.registry.newest(table_id)
    state = table.state
    if state.status != "over" or state.game is None:
        raise Conflict("only a game that is over can be reviewed")
    await check_open_to(services, request, state)
    stored = services.storage.reviews
    row = await stored.get(table_id)
    if quick and (row is None or row.body is None):
        stored = services.storage.quick_reviews
        row = await stored.get(table_id)
    if row is not None and row.body is not None:
        return p.JobState(1.0, msgspec.json.decode(row.body))
    key = _key(state, quick)
    job = services.jobs.get(key)
    if job is None or job.problem is not None:
        if row is not None and row.beat_at > now_ms() - STALE_MS:
            return p.JobState(row.progress, job=key)  # another worker computes it
        await services.admit(request, "reviews")
        # Ask for all that may be refused before a row says that somebody computes it.
        caller = await services.admit_job(request, "quick" if quick else "review")
        now = now_ms()
        if not await stored.begin(table_id, now, now - STALE_MS):
            services.limits.jobs.spend(caller, -EXPECTED_S["quick" if quick else "review"])
            return p.JobState(0.0, job=key)
        asked = _request(services, full_record(state), names_of(state.seats), table_id, quick)
        try:
            job = _start(services, stored, table, asked, caller)
        except BaseException:
            await stored.release(table_id)
            raise
    return job.state(key)


@post("/api/records/review", summary="Review a recorded game", tags=["records"])
async def review_record(
    request: Request[Any, Any, Any], services: FromServices, data: JSONBody[p.ReviewRecord]
) -> p.JobState:
    """Of a game that was played elsewhere; nothing of it is stored."""
    await services.admit(request, "reviews")
    caller = caller_key(request.scope)
    game: ToReview = await services.reader.ask(caller, "to_review", data.record)
    full = game.digest
    known = services.jobs.get(full)
    if data.quick and known is not None and known.found is not None:
        return known.state(full)
    digest = QUICK + full if data.quick else full
    job = services.jobs.get(digest)
    if job is None or job.problem is not None:
        await services.admit_job(request, "quick" if data.quick else "review")
        asked = _request(services, game.record, game.names, full, data.quick)
        job = services.jobs.ask(digest, asked, caller=caller, quick=data.quick)
    return job.state(digest)


def _request(
    services: Services, record: dict[str, Any], names: list[str], seed: str, quick: bool
) -> dict[str, Any]:
    if quick:
        return {"kind": "quick", "record": record, "seed": seed}
    playouts = services.config.limits.review_playouts
    return {"kind": "review", "record": record, "names": names, "seed": seed, "playouts": playouts}


def _key(state: TableState, quick: bool) -> str:
    """A new key once somebody was erased or renamed: the sentences of a review hold names."""
    names = json.dumps(names_of(state.seats)).encode()
    return f"{QUICK if quick else ''}{state.id}.{sha256(names).hexdigest()[:12]}"


def _start(
    services: Services, stored: Reviews, table: LiveTable, asked: dict[str, Any], caller: str
) -> Job:
    quick = asked["kind"] == "quick"
    table_id, key = table.state.id, _key(table.state, quick)
    beat = 0

    async def on_step(progress: float) -> None:
        nonlocal beat
        now = now_ms()
        if now - beat > _BEAT_MS:
            beat = now
            await stored.note_progress(table_id, now, progress)

    async def on_end(review: Any) -> None:
        if review is None or _key(table.state, quick) != key:
            await stored.release(table_id)
        else:
            await stored.keep(table_id, json.dumps(review).encode())

    return services.jobs.ask(key, asked, caller=caller, quick=quick, on_step=on_step, on_end=on_end)
