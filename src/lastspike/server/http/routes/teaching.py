"""A lesson as the learner is told it: a prepared game from one seat, turn by turn, with what
composing each of the learner's turns would show. Nothing of it is played on the server."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from lastspike import protocol as p
from lastspike.rules.board import Seat
from lastspike.rules.records.record import Record, read_record
from lastspike.server.live.table import now_ms
from lastspike.server.records.importing import steps_of
from lastspike.server.table import log_events as e
from lastspike.server.table.state import TableState
from lastspike.server.table.views import (
    Viewer,
    encode,
    game_view,
    preview_for,
    steps_for,
    table_info,
)

LEARNER: Seat = 0
_VIEWER = Viewer(seat=LEARNER, seated=True)


@cache
def lesson_ids() -> tuple[str, ...]:
    """The lessons that come with the package."""
    names = (entry.name for entry in resources.files("lastspike.lessons").iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


def lesson_record(lesson_id: str) -> Record:
    """The lesson as a game, replayed by the rules."""
    file = resources.files("lastspike.lessons").joinpath(f"{lesson_id}.json")
    return read_record(json.loads(file.read_text("utf-8")))


@cache
def told_lesson(lesson_id: str, version: str) -> dict[str, Any]:
    """The `welcome` and the turns, as JSON takes them, for a page of this version."""
    steps = steps_of(lesson_record(lesson_id), now_ms())
    begun = [step for step in steps if step.turn is None]
    state = TableState("")
    for step in begun:
        state.apply(step)
    welcome = p.Welcome(
        protocol=p.PROTOCOL,
        version=version,
        now=now_ms(),
        you=p.You(None, [LEARNER], host=False),
        table=table_info(state),
        steps=steps_for(state, begun, _VIEWER),
        looking=LEARNER,
        view=game_view(state, LEARNER),
        clock=None,
    )
    turns = [_told_turn(state, step) for step in steps if step.turn is not None]
    told: dict[str, Any] = msgspec.json.decode(encode({"welcome": welcome, "turns": turns}))
    return told


def _told_turn(state: TableState, step: e.Step) -> dict[str, Any]:
    """A turn, which the state has made when this returns."""
    (made,) = step.events
    assert isinstance(made, e.TurnMade)
    # What the server adds when a turn is ended is not for the learner to press (T3).
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
