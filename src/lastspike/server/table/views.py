"""Views: what each viewer receives of a step, the table and the game.

These functions take the whole state, secrets included. Their results use only log events, never a
step's secrets, and the views of `rules/view.py`, which hold only what the seat may see. Tests
permute everything hidden and compare the bytes.
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
from .limits import REVEAL_MS
from .now import now_ms
from .state import TableState


class Viewer(NamedTuple):
    """Everything that decides what a viewer may see. `seat` is the seat whose hand is shown,
    `seated` whether the viewer has any seat, `hidden` the persons whose chat they have hidden."""

    seat: Seat | None = None
    seated: bool = False
    hidden: frozenset[str] = frozenset()


def step_for(state: TableState, step: e.Step, viewer: Viewer) -> p.Step | None:
    """A step as the viewer may see it, with the game's events; None if nothing is visible.

    The state may be later than the step.
    """
    visible = []
    for event in step.events:
        if isinstance(event, e.Said) and not _hears(event, viewer):
            continue
        if isinstance(event, e.SettingsChanged) and step.number < state.settings_step:
            continue  # superseded
        fields = msgspec.to_builtins(event)
        if isinstance(event, e.TableCreated | e.SettingsChanged):
            del fields["settings"]["figures"]  # large, and the current ones are in `table`
            fields.pop("figures", None)
        elif isinstance(event, e.TurnMade):
            fields["events"] = _events(state, state.events_of(event.turn), viewer)
        elif isinstance(event, e.GameStarted):
            fields["events"] = _events(state, state.events_of(0), viewer)
        visible.append(fields)
    return p.Step(step.number, step.at, visible) if visible else None


def steps_for(state: TableState, steps: Iterable[e.Step], viewer: Viewer) -> list[p.Step]:
    return [seen for step in steps if (seen := step_for(state, step, viewer)) is not None]


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
    state: TableState, told: list[Any], viewer: Viewer, you: p.You, version: str
) -> p.Welcome:
    """The first message to a viewer, with these steps, which may be `encoded` already. `version` is
    the page's version."""
    return p.Welcome(
        protocol=p.PROTOCOL,
        version=version,
        now=now_ms(),
        you=you,
        table=table_info(state),
        steps=told,
        looking=viewer.seat,
        view=game_view(state, viewer.seat),
        clock=clock_info(state),
    )


def table_info(state: TableState) -> p.TableInfo:
    """The public state of a table, apart from the game."""
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
            stopped=[
                p.StoppedRound(each.round, list(each.silent), list(each.left))
                for each in state.stopped
            ],
        ),
        muted=sorted(state.muted),
        removed=sorted(state.removed),
        rematch=state.rematch,
        end_agreed=sorted(state.end_agreed),
    )


def table_line(state: TableState, person: str | None) -> p.TableListed:
    """A table in a list, as this person sees it, without the figures of its own edition: a list of
    them would be megabytes."""
    settings = state.settings
    if settings.figures is not None:
        own = str(settings.figures["id"])[:80]
        settings = msgspec.structs.replace(settings, edition=own, figures=None)
    mine = state.seats_of(person)
    due, deadline = state.to_move(), state.deadline()
    return p.TableListed(
        table=state.id,
        status=state.status,
        players=[seat.name or seat.level for seat in state.seats],
        settings=settings,
        created=state.created,
        turn=state.turn,
        mine=mine,
        my_turn=due is not None and due in mine and state.seats[due].computer is None,
        to_move=due,
        left=None if deadline is None else max(0, deadline - now_ms()),
    )


def you_info(state: TableState, person: str | None) -> p.You:
    return p.You(person, state.seats_of(person), person is not None and person == state.host)


def game_view(state: TableState, seat: Seat | None) -> dict[str, Any] | None:
    """The game as a seat sees it, without its history, which the steps contain."""
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
    """The result of moves, computed from the seat's view, so it can't reveal the next tile."""
    board = state.setup.board
    moves: list[Move] = [board.parse(text) for text in texts]
    ahead = preview(view_of(state.playing.position, seat), moves)
    return p.Previewed(
        id=request,
        events=[to_json(event) for event in ahead.events],
        table=table_to_json(ahead.table),
        hand=[board.codes[tile] for tile in ahead.hand],
        money=[ahead.money(each) for each in range(len(state.seats))],
        legal=[move.text for move in ahead.legal_moves],
        turn_over=ahead.turn_over,
    )


# ---- what a step changes --------------------------------------------------------------------

_GAME = (e.GameStarted, e.TurnMade, e.PersonForgotten)  # an erased person no longer sees a hand


class Changed(NamedTuple):
    """The parts of a viewer's state that steps have changed."""

    table: bool
    game: bool
    clock: bool
    seats: bool


def changed_by(steps: Iterable[e.Step]) -> Changed:
    kinds = {type(event) for step in steps for event in step.events}
    not_chat = kinds - {e.Said, e.ChatRedacted}
    table = bool(not_chat - {e.TurnMade, e.ClockGivenBack})
    return Changed(table, bool(kinds & set(_GAME)), bool(not_chat), table)


Encode = Callable[[Any], bytes]
encode: Encode = msgspec.json.Encoder().encode


def encoded(steps: Iterable[p.Step]) -> list[msgspec.Raw]:
    """Each step as part of a message, encoded ahead of it."""
    return [msgspec.Raw(encode(step)) for step in steps]
