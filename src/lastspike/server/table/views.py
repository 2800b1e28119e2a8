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
from lastspike.rules.view import now_to_json, preview, table_to_json, view_of

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
    seen = seen_of(state, step, viewer)
    return told(step, seen) if seen else None


Seen = tuple[tuple[int, tuple[Event, ...]], ...]
"""The places of a step's events that a viewer may see, each with the game's events as they see
them. What viewers are told of a step differs only where this does."""


def seen_of(state: TableState, step: e.Step, viewer: Viewer) -> Seen:
    seen: list[tuple[int, tuple[Event, ...]]] = []
    for place, event in enumerate(step.events):
        happened: tuple[Event, ...] = ()
        if isinstance(event, e.TurnMade):
            happened = _events(state, state.events_of(event.turn), viewer)
        elif isinstance(event, e.GameStarted):
            happened = _events(state, state.events_of(0), viewer)
        elif isinstance(event, e.Said) and not _hears(event, viewer):
            continue
        elif isinstance(event, e.SettingsChanged) and step.number < state.settings_step:
            continue  # superseded
        seen.append((place, happened))
    return tuple(seen)


def told(step: e.Step, seen: Seen) -> p.Step:
    """A step for all who see this of it."""
    visible = []
    for place, happened in seen:
        event = step.events[place]
        fields = msgspec.to_builtins(event)
        if isinstance(event, e.TableCreated | e.SettingsChanged):
            del fields["settings"]["figures"]  # large, and the current ones are in `table`
            fields.pop("figures", None)
        elif isinstance(event, e.SeatHandedOver):
            fields.pop("clock_goes_on", None)  # `clock` says what follows from it
        elif isinstance(event, e.TurnMade | e.GameStarted):
            fields["events"] = [to_json(each) for each in happened]
        visible.append(fields)
    return p.Step(step.number, step.at, visible)


def steps_for(state: TableState, steps: Iterable[e.Step], viewer: Viewer) -> list[p.Step]:
    return [seen for step in steps if (seen := step_for(state, step, viewer)) is not None]


def _hears(said: e.Said, viewer: Viewer) -> bool:
    if said.person in viewer.hidden:
        return False
    return said.channel == "players" or not viewer.seated


def _events(state: TableState, events: Iterable[Event], viewer: Viewer) -> tuple[Event, ...]:
    if state.status == "over":
        return tuple(events)
    options = state.setup.options
    return tuple([as_seen_by(event, viewer.seat, options) for event in events])


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
                holidays=state.holidays_of(number),
            )
            for number, seat in enumerate(state.seats)
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
        daily=None
        if state.daily is None
        else p.DailyGame(state.daily.day, state.daily.number, state.daily.ranked),
    )


def you_info(state: TableState, person: str | None) -> p.You:
    return p.You(person, state.seats_of(person), person is not None and person == state.host)


OpenTables = dict[tuple[int, ...], dict[str, Any]]
"""The open table of one position as JSON, by the cash that is shown: views differ in no more."""


def game_view(
    state: TableState, seat: Seat | None, known: OpenTables | None = None
) -> dict[str, Any] | None:
    """The game as a seat sees it, without its history, which the steps contain. `known` is shared
    by the views of one position."""
    if state.game is None:
        return None
    seen = view_of(state.game.position, seat)
    open_table = None
    if known is not None:
        cash = tuple(seen.table.cash)
        open_table = known.get(cash)
        if open_table is None:
            open_table = known[cash] = table_to_json(seen.table)
    view = now_to_json(seen, open_table)
    view["number"] = state.turn
    return view


def clock_info(state: TableState) -> p.ClockInfo | None:
    if state.status != "playing":
        return None
    nudge = state.nudge_at()
    if isinstance(state.settings.clock, p.NoClock) and nudge is None:
        return None
    return p.ClockInfo(state.deadline(), list(state.banks) or None, nudge)


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
