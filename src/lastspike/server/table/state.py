"""The state of a table, computed from its log. Only `apply` changes it.

It holds hidden hands and seeds, so it is never sent to anybody: `views.py` makes what each viewer
may see.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec

from lastspike.protocol import Clock, DaysClock, HoursClock, LiveClock, Settings, SlowClock, Status
from lastspike.rules.board import Seat, Space
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.events import Event
from lastspike.rules.game import Game
from lastspike.rules.hidden import Deal
from lastspike.rules.records.record import RULES, Shuffle, StoppedRound
from lastspike.rules.records.shuffle import Stream
from lastspike.rules.records.shuffle import deal as dealt_by
from lastspike.rules.table import Options, Setup, setup

from . import log_events as e
from .clocks.holidays import Holiday, runs_out, time_used
from .limits import GRACE_MS, MOST_FIGURES_IN_LOG, NUDGE_MS, SLOW_GRACE_MS

HOUR_MS = 3_600_000


@dataclass(slots=True, eq=False)
class SeatState:
    """One seat, held by a person (`person`, `name`) or a computer player (`level`).

    `stand_in` is the level that plays for the person now, until they return or `for_good`. `left`
    is set if they wanted that. Until it has made a turn, `clock_goes_on`; `used` is the time that
    the person had used in their turn.
    `commitment` is the person's for this round of the shuffle, at their lowest seat.
    """

    level: str | None
    person: str | None = None
    name: str | None = None
    stand_in: str | None = None
    left: bool = False
    for_good: bool = False
    clock_goes_on: bool = False
    used: int = 0
    commitment: str | None = None

    @property
    def filled(self) -> bool:
        return self.person is not None or self.level is not None

    @property
    def computer(self) -> str | None:
        """The level of the computer player that plays this seat now, if any."""
        return self.stand_in or self.level


class Mixer:
    """Mixes the pool after a bankruptcy: in the order stored in the log, or else by the stream."""

    __slots__ = ("stored", "stream")

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream
        self.stored: deque[list[Space]] = deque()

    def __call__(self, tiles: list[Space]) -> Sequence[Space]:
        mixed = None if self.stream is None else self.stream.shuffle(tiles)
        if self.stored:
            return self.stored.popleft()  # the stream has advanced as well
        if mixed is None:
            raise LastSpikeError("this table’s log doesn’t say how the pool was reshuffled")
        return mixed


@dataclass(slots=True, eq=False)
class TableState:
    """A table after `number` steps, the last one at `at` (milliseconds)."""

    id: str
    number: int = 0
    at: int = 0
    created: int = 0
    ended: int = 0
    """When the game ended; 0 before that."""
    status: Status = "waiting"
    settings: Settings = field(init=False)
    settings_step: int = 0
    """The step that last changed the settings."""
    figures: dict[str, bytes] = field(default_factory=dict)
    """The custom editions in the log as JSON, by `figures_key`, as far as there is room for them:
    as values they would take twenty times as much memory."""
    figures_bytes: int = 0
    seats: list[SeatState] = field(default_factory=list)
    host: str = ""
    muted: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    """Persons whom the host removed: they take no seat here and write nothing."""
    forgotten: set[str] = field(default_factory=set)
    """Persons who erased their data."""
    said: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    speakers: dict[str, str] = field(default_factory=dict)
    """Spectators who have written something, with their names."""
    """The number of chat messages by channel and person."""
    again: str | None = None
    rematch: str | None = None
    end_agreed: set[Seat] = field(default_factory=set)
    """The lowest seats of those who want to end the game without a result."""
    # the shuffle
    round: int = 0
    seed: bytes | None = None
    server_commitment: str = ""
    secrets: dict[Seat, bytes] = field(default_factory=dict)
    secrets_asked: int | None = None
    stopped: list[StoppedRound] = field(default_factory=list)
    """Rounds that were stopped before the deal, after secrets had been asked for."""
    # the game
    daily: e.DailyDealt | None = None
    """The Daily Deal that is played here, if it is one."""
    game: Game | None = None
    played_on: bool = False
    """Whether the game continues a recorded one."""
    mixer: Mixer = field(default_factory=lambda: Mixer(None))
    turn: int = 0
    turn_ends: list[int] = field(default_factory=list)
    # clocks
    turn_began: int = 0
    banks: list[int] = field(default_factory=list)
    given_back: int = 0
    holidays: dict[str, list[Holiday]] = field(default_factory=dict)
    """By person; they count in games of days."""
    nudged: int = 0
    """When the person whose turn it is was last reminded."""
    _setup: Setup | None = None

    @property
    def setup(self) -> Setup:
        """What the game is played with. Most settings of a log are never played with, and reading
        an edition takes as long as many turns: it is read when it is first needed."""
        if self._setup is None:
            self._setup = setup_of(self.settings, len(self.seats))
        return self._setup

    @property
    def playing(self) -> Game:
        """The game; only valid once it has started."""
        assert self.game is not None
        return self.game

    @property
    def shuffle(self) -> Shuffle | None:
        if self.seed is None:
            return None
        return Shuffle(self.seed, tuple(sorted(self.secrets.items())), tuple(self.stopped))

    def seats_of(self, person: str | None) -> list[Seat]:
        """A person's seats, including seats they left for good."""
        if person is None:
            return []
        return [number for number, seat in enumerate(self.seats) if seat.person == person]

    def people(self) -> dict[str, Seat]:
        """The lowest seat of each person who has one."""
        found: dict[str, Seat] = {}
        for number, seat in enumerate(self.seats):
            if seat.person is not None:
                found.setdefault(seat.person, number)
        return found

    def closed_to(self, person: str | None, now: int) -> bool:
        """Whether only others may see the table: a ranked daily game, while its day lasts."""
        daily = self.daily
        if daily is None or not daily.ranked or now >= daily.ends:
            return False
        return not self.seats_of(person)

    def to_move(self) -> Seat | None:
        """The seat whose turn it is in a running game."""
        return self.playing.turn if self.status == "playing" else None

    def deadline(self) -> int | None:
        """When the time of the person whose turn it is runs out, if it does."""
        seat = self.to_move()
        return None if seat is None or self.seats[seat].computer is not None else self.time_ends()

    def time_ends(self) -> int | None:
        """The same, even while a computer plays for the person."""
        seat = self.to_move()
        if seat is None or self.seats[seat].person is None:
            return None
        match self.settings.clock:
            case LiveClock():
                return self.turn_began + self.banks[seat]
            case DaysClock(days):
                time = days * 24 * HOUR_MS
            case HoursClock():
                time = self.banks[seat]
            case _:
                return None
        return runs_out(self.turn_began, time, self.holidays_of(seat))

    def holidays_of(self, seat: Seat) -> list[Holiday]:
        """The holidays of the person at a seat, if they count at this table."""
        if not isinstance(self.settings.clock, SlowClock):
            return []
        return self.holidays.get(self.seats[seat].person or "", [])

    def nudge_at(self) -> int | None:
        """When the others may remind the person whose turn it is; None if they can't."""
        seat = self.to_move()
        if seat is None or self.seats[seat].computer is not None:
            return None
        if isinstance(self.settings.clock, LiveClock) or len(self.people()) < 2:
            return None
        return max(self.turn_began, self.nudged) + NUDGE_MS

    def events_of(self, turn: int) -> list[Event]:
        """The game's events of a turn; turn 0 is the deal."""
        begin = self.turn_ends[turn - 1] if turn else 0
        return self.playing.history[begin : self.turn_ends[turn]]

    def apply(self, step: e.Step) -> None:
        """Apply the next step of the log."""
        if step.number != self.number + 1:
            raise LastSpikeError(
                "expected step {expected} of the table, found step {found}",
                found=step.number,
                expected=self.number + 1,
            )
        self.number = step.number
        self.at = step.at
        for event in step.events:
            _APPLY[type(event)](self, event, step)


def replay(table_id: str, steps: Iterable[e.Step]) -> TableState:
    """The state after these steps."""
    state = TableState(table_id)
    for step in steps:
        state.apply(step)
    return state


def edition_of(settings: Settings) -> Edition:
    """The edition of the settings; `LastSpikeError` if there is none."""
    if settings.figures is None:
        return shipped(settings.edition)
    return _custom_edition(msgspec.json.encode(settings.figures, order="sorted"))


@lru_cache(maxsize=32)
def _custom_edition(given: bytes) -> Edition:
    return figures.read(msgspec.json.decode(given))


def setup_of(settings: Settings, seats: int) -> Setup:
    options = settings.options
    return setup(
        edition_of(settings), seats, Options(options.double_cost, options.cash, options.hands)
    )


def _created(state: TableState, event: e.TableCreated, step: e.Step) -> None:
    state.created = step.at
    state.host = event.host
    state.again = event.again
    state.seats = [SeatState(level) for level in event.seats]
    _set(state, event.settings)


def _settings(state: TableState, event: e.SettingsChanged, step: e.Step) -> None:
    settings = event.settings
    if event.figures is not None:
        figures = msgspec.json.decode(state.figures[event.figures])
        settings = msgspec.structs.replace(settings, figures=figures)
    _set(state, settings)
    state.settings_step = step.number
    _nobody_ready(state)


def _set(state: TableState, settings: Settings) -> None:
    if settings.figures is not None:
        key, size = e.figures_key(settings.figures)
        if key not in state.figures and state.figures_bytes + size <= MOST_FIGURES_IN_LOG:
            state.figures[key] = msgspec.json.encode(settings.figures)
            state.figures_bytes += size
    state.settings = settings
    state._setup = None


def _seat_taken(state: TableState, event: e.SeatTaken, _step: e.Step) -> None:
    seat = state.seats[event.seat]
    seat.person, seat.name, seat.level = event.person, event.name, None
    _nobody_ready(state)


def _seat_freed(state: TableState, event: e.SeatFreed, _step: e.Step) -> None:
    person = state.seats[event.seat].person
    if event.removed and person is not None:
        state.removed.add(person)
    state.seats[event.seat] = SeatState(None)
    _nobody_ready(state)


def _seat_set(state: TableState, event: e.SeatSet, _step: e.Step) -> None:
    state.seats[event.seat] = SeatState(event.level)
    _nobody_ready(state)


def _nobody_ready(state: TableState) -> None:
    """The table changed, so everybody has to confirm again."""
    for seat in state.seats:
        seat.commitment = None


def _round(state: TableState, event: e.RoundBegan, step: e.Step) -> None:
    assert step.secrets is not None
    assert step.secrets.seed is not None
    if event.silent or event.left:
        stopped = StoppedRound(state.round, tuple(event.silent), tuple(event.left))
        state.stopped.append(stopped)
    state.round = event.round
    state.server_commitment = event.commitment
    state.seed = bytes.fromhex(step.secrets.seed)
    state.secrets = {}
    state.secrets_asked = None
    _nobody_ready(state)


def _ready(state: TableState, event: e.PersonReady, _step: e.Step) -> None:
    state.seats[event.seat].commitment = event.commitment


def _not_ready(state: TableState, event: e.PersonNotReady, _step: e.Step) -> None:
    state.seats[event.seat].commitment = None


def _asked(state: TableState, _event: e.SecretsAsked, step: e.Step) -> None:
    state.secrets_asked = step.at


def _revealed(state: TableState, event: e.SecretRevealed, step: e.Step) -> None:
    assert step.secrets is not None
    assert step.secrets.contribution is not None
    state.secrets[event.seat] = bytes.fromhex(step.secrets.contribution)


def _started(state: TableState, event: e.GameStarted, step: e.Step) -> None:
    if event.rules > RULES:
        raise LastSpikeError(
            "made with newer rules (version {found}); this program knows versions up to {known}",
            found=event.rules,
            known=RULES,
        )
    assert step.secrets is not None
    assert step.secrets.deal is not None
    dealt = from_stored_deal(state.setup, step.secrets.deal)
    shuffle = state.shuffle
    stream = None
    if event.played_on:
        assert step.secrets.seed is not None
        stream = Shuffle(bytes.fromhex(step.secrets.seed), ()).stream()  # only for mixing the pool
    elif shuffle is not None:
        stream = shuffle.stream()
        dealt_by(state.setup, stream)  # advances the stream past the deal
    state.status = "playing"
    state.played_on = event.played_on
    state.secrets_asked = None
    state.mixer = Mixer(stream)
    state.mixer.stored.extend(_spaces(state.setup, step.secrets.remixed))
    state.game = Game(state.setup, dealt, state.mixer)
    state.turn_ends = [len(state.game.history)]
    state.turn = 1
    state.turn_began = step.at
    match state.settings.clock:
        case LiveClock(bank):
            state.banks = [bank * 1000] * len(state.seats)
        case HoursClock(hours):
            state.banks = [hours * HOUR_MS] * len(state.seats)
    _end_if_over(state, step)


def _daily(state: TableState, event: e.DailyDealt, _step: e.Step) -> None:
    state.daily = event


def _turn(state: TableState, event: e.TurnMade, step: e.Step) -> None:
    game = state.playing
    if step.secrets is not None and step.turn is not None:
        state.mixer.stored.extend(_spaces(state.setup, step.secrets.remixed))
    for move in event.moves:
        game.play(move)
    state.turn_ends.append(len(game.history))
    seat = state.seats[event.seat]
    if event.level is None and state.banks:
        used = time_used(state.turn_began, step.at, state.holidays_of(event.seat))
        left = max(0, state.banks[event.seat] - used)
        state.banks[event.seat] = _with_increment(state.settings.clock, left)
    elif seat.clock_goes_on:
        if state.banks:
            state.banks[event.seat] = max(0, state.banks[event.seat] - seat.used)
        seat.clock_goes_on = False
    state.turn += 1
    state.turn_began = step.at
    _end_if_over(state, step)


def _with_increment(clock: Clock, left: int) -> int:
    """A time bank after a turn."""
    match clock:
        case LiveClock(increment=seconds):
            return left + seconds * 1000
        case HoursClock(increment=hours, most=most):
            return max(left, min(left + hours * HOUR_MS, most * HOUR_MS))
    return left


def _end_if_over(state: TableState, step: e.Step) -> None:
    if state.playing.over:
        state.status = "over"
        state.ended = step.at


def _handed_over(state: TableState, event: e.SeatHandedOver, step: e.Step) -> None:
    seat = state.seats[event.seat]
    seat.stand_in = event.level
    seat.left = event.why in ("left", "for_good")
    seat.clock_goes_on = event.clock_goes_on
    seat.used = 0
    if state.to_move() == event.seat:
        seat.used = time_used(state.turn_began, step.at, state.holidays_of(event.seat))
    seat.for_good = event.why == "for_good"
    if event.why == "clock" and isinstance(state.settings.clock, HoursClock):
        state.banks[event.seat] = 0


def _returned(state: TableState, event: e.SeatReturned, step: e.Step) -> None:
    seat = state.seats[event.seat]
    seat.stand_in = None
    seat.left = False
    if seat.clock_goes_on:
        seat.clock_goes_on = False
        return
    if state.banks:
        slow = isinstance(state.settings.clock, SlowClock)
        grace = SLOW_GRACE_MS if slow else GRACE_MS
        state.banks[event.seat] = max(state.banks[event.seat], grace)
    if state.to_move() == event.seat:
        state.turn_began = step.at


def _muted(state: TableState, event: e.Muted, _step: e.Step) -> None:
    if event.undo:
        state.muted.discard(event.person)
    else:
        state.muted.add(event.person)


def _let_back(state: TableState, event: e.LetBack, _step: e.Step) -> None:
    state.removed.discard(event.person)


def _host(state: TableState, event: e.HostChanged, _step: e.Step) -> None:
    state.host = event.person


def _given_back(state: TableState, event: e.ClockGivenBack, _step: e.Step) -> None:
    state.turn_began += event.ms
    state.given_back = event.since + event.ms


def _holidays(state: TableState, event: e.HolidaysAnnounced, _step: e.Step) -> None:
    state.holidays[event.person] = list(event.holidays)


def _nudged(state: TableState, _event: e.Nudged, step: e.Step) -> None:
    state.nudged = step.at


def _end_agreed(state: TableState, event: e.EndAgreed, _step: e.Step) -> None:
    if event.undo:
        state.end_agreed.discard(event.seat)
    else:
        state.end_agreed.add(event.seat)


def _closed(state: TableState, _event: e.TableClosed, _step: e.Step) -> None:
    state.status = "closed"


def _rematch(state: TableState, event: e.RematchOffered, _step: e.Step) -> None:
    state.rematch = event.table


def _forgotten(state: TableState, event: e.PersonForgotten, _step: e.Step) -> None:
    for number in state.seats_of(event.person):
        seat = state.seats[number]
        seat.person, seat.name = None, e.SYMBOLS[number]
    state.forgotten.add(event.person)
    state.holidays.pop(event.person, None)
    state.removed.discard(event.person)


def _renamed(state: TableState, event: e.PersonRenamed, _step: e.Step) -> None:
    for number, name in event.names.items():
        state.seats[number].name = name
    if event.person in state.speakers:
        state.speakers[event.person] = event.name


def _nothing(_state: TableState, _event: e.ChatRedacted, _step: e.Step) -> None:
    """The text is not in the state."""


def _imported(state: TableState, event: e.GameImported, step: e.Step) -> None:
    for seat, name in zip(state.seats, event.names, strict=True):
        seat.name = name
    if step.secrets is not None and step.secrets.seed is not None:
        state.seed = bytes.fromhex(step.secrets.seed)
        given = step.secrets.contributions
        state.secrets = {seat: bytes.fromhex(secret) for seat, secret in given.items()}
    state.stopped = list(event.stopped)


def _said(state: TableState, event: e.Said, _step: e.Step) -> None:
    state.said[event.channel][event.person] += 1
    if event.seat is None:
        state.speakers[event.person] = event.name


_APPLY: dict[type, Callable[[TableState, Any, e.Step], None]] = {
    e.TableCreated: _created,
    e.SettingsChanged: _settings,
    e.SeatTaken: _seat_taken,
    e.SeatFreed: _seat_freed,
    e.SeatSet: _seat_set,
    e.RoundBegan: _round,
    e.PersonReady: _ready,
    e.PersonNotReady: _not_ready,
    e.SecretsAsked: _asked,
    e.SecretRevealed: _revealed,
    e.GameStarted: _started,
    e.DailyDealt: _daily,
    e.TurnMade: _turn,
    e.SeatHandedOver: _handed_over,
    e.SeatReturned: _returned,
    e.Said: _said,
    e.Muted: _muted,
    e.LetBack: _let_back,
    e.HostChanged: _host,
    e.ClockGivenBack: _given_back,
    e.HolidaysAnnounced: _holidays,
    e.Nudged: _nudged,
    e.EndAgreed: _end_agreed,
    e.TableClosed: _closed,
    e.RematchOffered: _rematch,
    e.PersonForgotten: _forgotten,
    e.PersonRenamed: _renamed,
    e.ChatRedacted: _nothing,
    e.GameImported: _imported,
}


def to_stored_deal(setup: Setup, deal: Deal) -> e.StoredDeal:
    piles = to_codes(setup, (deal.pool, deal.aside, deal.drawn))
    return e.StoredDeal(deal.first, to_codes(setup, deal.hands), *piles)


def from_stored_deal(setup: Setup, deal: e.StoredDeal) -> Deal:
    hands = tuple(tuple(sorted(hand)) for hand in _spaces(setup, deal.hands))
    piles = _spaces(setup, (deal.pool, deal.aside, deal.drawn))
    return Deal(deal.first, hands, *map(tuple, piles))


def to_codes(setup: Setup, orders: Iterable[Iterable[Space]]) -> list[list[str]]:
    codes = setup.board.codes
    return [[codes[tile] for tile in order] for order in orders]


def _spaces(setup: Setup, codes: Sequence[Sequence[str]]) -> list[list[Space]]:
    space_of = setup.board.space_of
    return [[space_of[code] for code in order] for order in codes]
