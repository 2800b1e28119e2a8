"""The route of the lessons: a prepared game from the learner's seat, turn by turn.

The learner's own turns come with their previews. Nothing of it is played on the server.
"""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

import msgspec
from litestar import Response
from litestar.params import FromPath

from lastspike import protocol as p
from lastspike.lessons import lesson_ids, lesson_record
from lastspike.rules.board import Seat
from lastspike.server.http.page.files import ASK_AGAIN, page_version
from lastspike.server.http.routing import get
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import NotFound
from lastspike.server.table.now import now_ms
from lastspike.server.table.records import log_of
from lastspike.server.table.state import TableState, replay
from lastspike.server.table.views import (
    Viewer,
    encode,
    game_view,
    preview_for,
    steps_for,
    table_info,
    welcome,
)

LEARNER: Seat = 0
_VIEWER = Viewer(seat=LEARNER, seated=True)


@get("/api/lessons/{lesson_id:str}", summary="A lesson to play", tags=["page"])
async def lesson(lesson_id: FromPath[str]) -> Response[dict[str, Any]]:
    """A `welcome` to a game that has just been dealt, and each turn of it: who makes it, its moves,
    what each of the learner's own would show before the turn is ended, and the `news` of it."""
    if lesson_id not in lesson_ids():
        raise NotFound("there is no such lesson")
    found = await asyncio.to_thread(lesson_messages, lesson_id, page_version())
    return Response(found, headers={"cache-control": ASK_AGAIN})


@cache
def lesson_messages(lesson_id: str, version: str) -> dict[str, Any]:
    """The `welcome` and the turns, as JSON takes them, for a page of this version."""
    steps = log_of(lesson_record(lesson_id), now_ms())
    begun = [step for step in steps if step.turn is None]
    state = replay("", begun)
    you = p.You(None, [LEARNER], host=False)
    first = welcome(state, steps_for(state, begun, _VIEWER), _VIEWER, you, version)
    turns = [_turn_messages(state, step) for step in steps if step.turn is not None]
    messages: dict[str, Any] = msgspec.json.decode(encode({"welcome": first, "turns": turns}))
    return messages


def _turn_messages(state: TableState, step: e.Step) -> dict[str, Any]:
    """The messages of a turn. The state has applied it when this returns."""
    (made,) = step.events
    assert isinstance(made, e.TurnMade)
    # The server adds the pass at the end of a turn; the learner does not press it (T3).
    moves = [move for move in made.moves if move != "pass"]
    mine = made.seat == LEARNER
    previews = [
        preview_for(state, LEARNER, "", moves[:many]) for many in range(1, len(moves) + 1) if mine
    ]
    state.apply(step)
    news = p.News(
        steps=steps_for(state, [step], _VIEWER),
        table=table_info(state) if state.status == "over" else msgspec.UNSET,
        view=game_view(state, LEARNER) or {},
    )
    return {"seat": made.seat, "moves": moves, "previews": previews, "news": news}
