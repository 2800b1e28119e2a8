"""The routes of reviews. Asking begins one, asking again says how far it is; never of a game that
is still played.

Of a game that was played here the review is kept with it. Its row in the database says who is at
it, so that several workers do it once, and another takes over should that one die.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Any

import msgspec
from litestar import Request
from litestar.params import FromPath, JSONBody

from lastspike import protocol as p
from lastspike.rules.records.record import read_record
from lastspike.server.http.routing import post
from lastspike.server.http.services import FromServices, Services
from lastspike.server.jobs.job_queue import Job
from lastspike.server.live.table import LiveTable
from lastspike.server.table.clock import now_ms
from lastspike.server.table.errors import Conflict
from lastspike.server.table.records import full_record
from lastspike.server.table.state import TableState
from lastspike.words.names import names_of

STALE_MS = 20_000
"""A worker that has not been heard of for so long is taken to have died."""
_BEAT_MS = 1_000


@post("/api/tables/{table_id:str}/review", summary="Review a finished game", tags=["records"])
async def review_table(services: FromServices, table_id: FromPath[str]) -> p.JobState:
    table = await services.registry.newest(table_id)
    state = table.state
    if state.status != "over" or state.game is None:
        raise Conflict("only a game that is over can be reviewed")
    row = await services.storage.reviews.get(table_id)
    if row is not None and row.body is not None:
        return p.JobState(1.0, msgspec.json.decode(row.body))
    job = services.jobs.get(_key(state))
    if job is not None and job.problem is None:
        return job.told()
    now = now_ms()
    if not await services.storage.reviews.begin(table_id, now, now - STALE_MS):
        return p.JobState(row.progress if row else 0.0)  # another worker is at it
    names = names_of(state.seats)
    wanted = _wanted(services, full_record(state), names, table_id)
    return _ask(services, table, wanted).told()


@post("/api/records/review", summary="Review a recorded game", tags=["records"])
async def review_record(
    request: Request[Any, Any, Any], services: FromServices, data: JSONBody[p.ReviewRecord]
) -> p.JobState:
    """Of a game that was played elsewhere: nothing of it is stored."""
    digest = hashlib.sha256(json.dumps(data.record, sort_keys=True).encode()).hexdigest()
    job = services.jobs.get(digest)
    if job is None or job.problem is not None:
        record = await asyncio.to_thread(read_record, data.record)
        if not record.game.over:
            raise Conflict("only a game that is over can be reviewed")
        services.limit_jobs(request)
        names = [""] * record.game.setup.players
        job = services.jobs.ask(digest, _wanted(services, data.record, names, digest))
    return job.told()


def _wanted(
    services: Services, record: dict[str, Any], names: list[str], seed: str
) -> dict[str, Any]:
    playouts = services.config.limits.review_playouts
    return {"kind": "review", "record": record, "names": names, "seed": seed, "playouts": playouts}


def _key(state: TableState) -> str:
    """Another one when somebody at the table was forgotten: the words of a review have names."""
    return f"{state.id} {len(state.forgotten)}"


def _ask(services: Services, table: LiveTable, wanted: dict[str, Any]) -> Job:
    table_id, key = table.state.id, _key(table.state)
    beat = 0

    async def step(progress: float) -> None:
        nonlocal beat
        now = now_ms()
        if now - beat > _BEAT_MS:
            beat = now
            await services.storage.reviews.note_progress(table_id, now, progress)

    async def found(review: Any) -> None:
        if _key(table.state) == key:
            await services.storage.reviews.keep(table_id, json.dumps(review).encode())

    return services.jobs.ask(key, wanted, step=step, found=found)
