"""The route to the lessons."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response
from litestar.params import FromPath

from lastspike.server.http.routing import get
from lastspike.server.table.errors import NotFound

from .pages import ASK_AGAIN, page_version
from .teaching import lesson_ids, told_lesson


@get("/api/lessons/{lesson_id:str}", summary="A lesson to play", tags=["page"])
async def lesson(lesson_id: FromPath[str]) -> Response[dict[str, Any]]:
    """A `welcome` to a game that has just been dealt, and each turn of it: who makes it, its moves,
    what each of the learner's own would show before the turn is ended, and the `news` of it."""
    if lesson_id not in lesson_ids():
        raise NotFound("there is no such lesson")
    told = await asyncio.to_thread(told_lesson, lesson_id, page_version())
    return Response(told, headers={"cache-control": ASK_AGAIN})
