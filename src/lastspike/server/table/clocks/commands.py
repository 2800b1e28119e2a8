"""Commands about time: a clock that has run out, the server's downtime, holidays and reminders."""

from __future__ import annotations

from collections.abc import Sequence

from lastspike.protocol import LiveClock
from lastspike.server.table import log_events as e
from lastspike.server.table.commands import room_for_changes
from lastspike.server.table.errors import Conflict, NotAllowed, NotFound
from lastspike.server.table.log_events import Draft
from lastspike.server.table.state import TableState

from .holidays import Holiday, holiday_at


def out_of_time(state: TableState, now: int) -> Draft | None:
    """The time of the person whose turn it is has run out: a computer takes over."""
    deadline, seat = state.deadline(), state.to_move()
    if deadline is None or seat is None or now < deadline:
        return None
    return Draft((e.SeatHandedOver(seat, state.settings.stand_in, "clock", True),))


def give_back_time(state: TableState, since: int, until: int) -> Draft | None:
    """Give back the server's downtime to the running clock, each part of it only once."""
    since = max(since, state.given_back, state.turn_began)
    if state.deadline() is None or since >= until:
        return None
    return Draft((e.ClockGivenBack(since, until - since),))


def announce_holidays(state: TableState, person: str, holidays: Sequence[Holiday]) -> Draft | None:
    """Tell the table a person's holidays; None if it knows them already. Before the game starts
    no clock runs, and whoever sits there then is told of."""
    known = state.holidays.get(person, [])
    if state.status != "playing" or not state.seats_of(person):
        return None
    if list(holidays) == known:
        return None
    room_for_changes(state)
    return Draft((e.HolidaysAnnounced(person, [*holidays]),))


def nudge(state: TableState, person: str, away_since: int | None, now: int) -> Draft:
    """Remind the person whose turn it is, once a day."""
    room_for_changes(state)
    seat = state.to_move()
    if seat is None:
        raise Conflict("no game is being played here")
    mine = state.seats_of(person)
    if not mine:
        raise NotFound("you have no seat here")
    target = state.seats[seat]
    if target.person is None or target.computer is not None or seat in mine:
        raise Conflict("you can only remind another person when it’s their turn")
    if isinstance(state.settings.clock, LiveClock) or away_since is None:
        raise NotAllowed("this person is here")
    if holiday_at(now, state.holidays.get(target.person, ())):
        raise NotAllowed("this person is on vacation")
    due = state.nudge_at()
    if due is None or now < due:
        raise Conflict("you can send a reminder after a day, and then once a day")
    return Draft((e.Nudged(seat, mine[0]),))
