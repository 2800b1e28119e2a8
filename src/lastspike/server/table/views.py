"""Views: what a viewer is sent of a step, of the table and of the game.

These functions are given the whole state, secrets included. What leaves them is made only from log
events, never from a step's secrets, and from the rules' own views (`rules/view.py`), which hold
nothing that the seat may not see. Tests permute everything hidden and demand the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import msgspec

from lastspike import protocol as p
from lastspike.rules.board import Seat
from lastspike.rules.events import Event, as_seen_by, to_json
from lastspike.rules.moves import Move
from lastspike.rules.view import preview, table_to_json, view_of, view_to_json

from . import log_events as e
from .clock import REVEAL_MS, now_ms
from .state import TableState


class Viewer(NamedTuple):
    """Who looks, with all that what they may see depends on. `seat` is the one whose hand is shown,
    `seated` whether the viewer has a seat at all, `hidden` whose chat they don't want to see."""

    seat: Seat | None = None
    seated: bool = False
    hidden: frozenset[str] = frozenset()


def step_for(state: TableState, step: e.Step, viewer: Viewer) -> p.Step | None:
    """A step as the viewer may see it, with what happened in the game; None if nothing is left.

    The state may be later than the step.
    """
    told = []
    for event in step.events:
        if isinstance(event, e.Said) and not _hears(event, viewer):
            continue
        fields = msgspec.to_builtins(event)
        if isinstance(event, e.TurnMade):
            fields["events"] = _events(state, state.events_of(event.turn), viewer)
        elif isinstance(event, e.GameStarted):
            fields["events"] = _events(state, state.events_of(0), viewer)
        told.append(fields)
    return p.Step(step.number, step.at, told) if told else None


def steps_for(state: TableState, steps: Iterable[e.Step], viewer: Viewer) -> list[p.Step]:
    return [told for step in steps if (told := step_for(state, step, viewer)) is not None]


def _hears(said: e.Said, viewer: Viewer) -> bool:
    if said.person in viewer.hidden:
        return False
    return said.channel == "players" or not viewer.seated


def _events(state: TableState, events: Iterable[Event], viewer: Viewer) -> list[dict[str, Any]]:
    if state.status == "over":
        return [to_json(event) for event in events]
    options = state.setup.options
    return [to_json(as_seen_by(event, viewer.seat, options)) for event in events]


def welcome(
    state: TableState, steps: Iterable[e.Step], viewer: Viewer, you: p.You, version: str
) -> p.Welcome:
    """The first message to a viewer, with these steps of the log. `version` is the page's."""
    return p.Welcome(
        protocol=p.PROTOCOL,
        version=version,
        now=now_ms(),
        you=you,
        table=table_info(state),
        steps=steps_for(state, steps, viewer),
        looking=viewer.seat,
        view=game_view(state, viewer.seat),
        clock=clock_info(state),
    )


def table_info(state: TableState) -> p.TableInfo:
    """What everybody may know of a table beside the game."""
    asked = state.secrets_asked
    return p.TableInfo(
        status=state.status,
        settings=state.settings,
        seats=[
            p.SeatInfo(
                person=seat.person,
                name=seat.name,
                level=seat.computer,
                stands_in=seat.stand_in is not None,
                for_good=seat.for_good,
                ready=seat.commitment is not None,
            )
            for seat in state.seats
        ],
        host=state.host,
        shuffle=p.ShuffleInfo(
            round=state.round,
            commitment=state.server_commitment,
            commitments={
                str(number): seat.commitment
                for number, seat in enumerate(state.seats)
                if seat.commitment is not None
            },
            reveal_by=None if asked is None else asked + REVEAL_MS,
        ),
        muted=sorted(state.muted),
        rematch=state.rematch,
    )


def table_line(state: TableState, person: str | None) -> p.TableListed:
    """A table in a list, as this person sees it."""
    mine = state.seats_of(person)
    due = state.to_move()
    return p.TableListed(
        table=state.id,
        status=state.status,
        players=[seat.name or seat.level for seat in state.seats],
        settings=state.settings,
        created=state.created,
        turn=state.turn,
        mine=mine,
        my_turn=due is not None and due in mine and state.seats[due].computer is None,
    )


def you_info(state: TableState, person: str | None) -> p.You:
    return p.You(person, state.seats_of(person), person is not None and person == state.host)


def game_view(state: TableState, seat: Seat | None) -> dict[str, Any] | None:
    """The game as a seat sees it, without its history, which the steps tell."""
    if state.game is None:
        return None
    view = view_to_json(view_of(state.game.position, seat))
    del view["history"], view["edition"], view["options"], view["players"]
    view["number"] = state.turn
    return view


def clock_info(state: TableState) -> p.ClockInfo | None:
    if state.status != "playing" or isinstance(state.settings.clock, p.NoClock):
        return None
    return p.ClockInfo(state.deadline(), list(state.banks) or None)


def preview_for(state: TableState, seat: Seat, request: str, texts: list[str]) -> p.Previewed:
    """What moves would bring: computed from the seat's view, so it can't tell the tile to come."""
    board = state.setup.board
    moves: list[Move] = [board.parse(text) for text in texts]
    ahead = preview(view_of(state.playing.position, seat), moves)
    return p.Previewed(
        id=request,
        events=[to_json(event) for event in ahead.events],
        table=table_to_json(ahead.table),
        hand=[board.codes[tile] for tile in ahead.hand],
        money=[ahead.money(each) for each in range(len(state.seats))],
        legal=[move.text for move in ahead.legal],
        turn_over=ahead.turn_over,
    )


# ---- what a step changes --------------------------------------------------------------------

_GAME = (e.GameStarted, e.TurnMade, e.PersonForgotten)  # who is forgotten sees no hand any more
_ONLY_WORDS = (e.Said,)


class Changed(NamedTuple):
    """Which parts of what viewers know steps have changed."""

    table: bool
    game: bool
    clock: bool
    seats: bool


def changed_by(steps: Iterable[e.Step]) -> Changed:
    kinds = {type(event) for step in steps for event in step.events}
    game = bool(kinds & set(_GAME))
    table = bool(kinds - set(_ONLY_WORDS) - {e.TurnMade, e.ClockGivenBack})
    return Changed(table, game, game or bool(kinds - set(_ONLY_WORDS)), table)


Encode = Callable[[Any], bytes]
encode: Encode = msgspec.json.Encoder().encode
