"""The route of jobs: the progress of a review or a study, pushed as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from litestar import Request
from litestar.params import FromPath
from litestar.response import ServerSentEvent, ServerSentEventMessage

from lastspike.server.http.limits.rate_limits import caller_key
from lastspike.server.http.routing import get
from lastspike.server.http.services import FromServices, Services
from lastspike.server.storage.queries.reviews import STALE_MS
from lastspike.server.table.now import now_ms

from .reviews import QUICK

ASK_S = 1.0
"""How often the database is asked about a job that another worker runs."""
LONGEST_S = 5.0
"""A stream ends after this long, so that it never holds up a server that stops; browsers open the
next one by themselves."""
RETRY_MS = 50


@get(
    "/api/jobs/{job:str}/progress",
    summary="Follow a review or a study",
    tags=["records"],
    media_type="text/event-stream",
)
async def follow_job(
    request: Request[Any, Any, Any], services: FromServices, job: FromPath[str]
) -> ServerSentEvent:
    """An event with the progress, from 0 to 1, whenever it changes; `end` when there is no more to
    follow. Then ask for the result again."""
    return ServerSentEvent(_events(services, job, caller_key(request.scope)))


async def _events(
    services: Services, key: str, caller: str
) -> AsyncIterator[ServerSentEventMessage]:
    if not services.limits.sockets.acquire(caller):
        return  # the browser tries again, after its usual pause
    try:
        async with asyncio.timeout(LONGEST_S):
            async for progress in _progress(services, key):
                yield ServerSentEventMessage(data=f"{progress:.3f}", retry=RETRY_MS)
        yield ServerSentEventMessage(data="", event="end")
    except TimeoutError:
        return
    finally:
        services.limits.sockets.release(caller)


async def _progress(services: Services, key: str) -> AsyncIterator[float]:
    job = services.jobs.get(key)
    if job is not None:
        async for progress in job.updates():
            yield progress
        return
    quick = key.startswith(QUICK)
    table_id = key.removeprefix(QUICK).partition(".")[0]
    stored = services.storage.quick_reviews if quick else services.storage.reviews
    while not services.closing:
        row = await stored.get(table_id)
        if row is None or row.body is not None or row.beat_at < now_ms() - STALE_MS:
            return
        yield row.progress
        await asyncio.sleep(ASK_S)
