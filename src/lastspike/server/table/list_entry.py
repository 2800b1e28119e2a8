"""A table's entry in lists: as a person sees it, and what the index stores of it.

Thanks to the index, lists and starting servers need not read the logs.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from lastspike import protocol as p
from lastspike.rules.board import Seat

from . import log_events as e
from .log_events import Draft, Index
from .now import now_ms
from .state import SeatState, TableState


def list_entry(state: TableState, person: str | None) -> p.TableListed:
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
        rank=_rank(state, mine),
    )


def _rank(state: TableState, mine: list[Seat]) -> int | None:
    """The best rank of these seats in a finished game."""
    if state.status != "over" or not mine:
        return None
    outcome = state.playing.outcome
    return None if outcome is None else min(outcome.ranks[seat] for seat in mine)


_NAMES = (
    e.TableCreated,
    e.SeatTaken,
    e.SeatFreed,
    e.SeatSet,
    e.PersonForgotten,
    e.PersonRenamed,
    e.GameImported,
)
"""The events after which a table has other players, or other names for them."""


def index_of(draft: Draft, state: TableState | None = None) -> Index | None:
    """The draft's changes of the index, with those that follow from its events. `state` is the
    table before it; None for a new table."""
    if draft.turn is not None:
        return draft.index
    index = draft.index or Index()
    if any(isinstance(event, _NAMES) for event in draft.events):
        seats = [] if state is None else state.seats
        players = [(seat.person, _shown(seat)) for seat in seats]
        index = index._replace(players=_encoded(_after(players, draft.events)))
    if any(isinstance(event, e.SeatHandedOver) for event in draft.events):
        index = index._replace(awaits_server=True)
    return None if index == Index() else index


def awaits_server(settings: p.Settings, seats: list[SeatState], turn: Seat) -> bool:
    """Whether the server may have something to do while it is this seat's turn."""
    return not isinstance(settings.clock, p.NoClock) or seats[turn].computer is not None


def players_of(events: Iterable[e.AnyLogEvent]) -> str:
    """The players of a table of which these are all events."""
    return _encoded(_after([], events))


def read_players(players: str | None) -> tuple[str, ...]:
    return () if players is None else _decode(players)


Player = tuple[str | None, str]
"""A person's id, and what lists call this seat: a name, a level, or nothing."""


def _after(players: list[Player], events: Iterable[e.AnyLogEvent]) -> list[Player]:
    for event in events:
        match event:
            case e.TableCreated():
                players = [(None, level or "") for level in event.seats]
            case e.SeatTaken():
                players[event.seat] = event.person, event.name
            case e.SeatFreed():
                players[event.seat] = None, ""
            case e.SeatSet():
                players[event.seat] = None, event.level or ""
            case e.PersonForgotten():
                players = [
                    (None, symbol) if person == event.person else (person, name)
                    for (person, name), symbol in zip(players, e.SYMBOLS, strict=False)
                ]
            case e.PersonRenamed():
                for seat, name in event.names.items():
                    players[seat] = event.person, name
            case e.GameImported():
                pairs = zip(players, event.names, strict=True)
                players = [(person, name or shown) for (person, shown), name in pairs]
    return players


def _shown(seat: SeatState) -> str:
    return seat.name or seat.level or ""


def _encoded(players: list[Player]) -> str:
    return msgspec.json.encode([name for _, name in players]).decode()


_decode = msgspec.json.Decoder(tuple[str, ...]).decode
