"""The log of a table: its events, steps and their stored form.

Events are public. What must stay secret is in `Secrets`, a field of the step that is stored
separately and never sent.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from lastspike.protocol import Settings
from lastspike.rules.records.record import StoppedRound

SYMBOLS = ("★", "◆", "●", "▲", "■", "✚")
"""Replaces the name of an erased person, by seat."""
SAID_NO_MORE = "…"


class LogEvent(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """Base class."""


class TableCreated(LogEvent, frozen=True, tag="table_created"):
    """Each of `seats` is a computer player's level, or null."""

    settings: Settings
    seats: list[str | None]
    host: str
    again: str | None = None
    """The table that this is a rematch of."""


class SettingsChanged(LogEvent, frozen=True, tag="settings_changed"):
    """Figures already in the log are not stored again: `settings` omits them, and `figures` is
    their `figures_key`."""

    settings: Settings
    figures: str | None = None


class SeatTaken(LogEvent, frozen=True, tag="seat_taken"):
    seat: int
    person: str
    name: str


class SeatFreed(LogEvent, frozen=True, tag="seat_freed"):
    """Before the start: by its person, or by the host (`removed`)."""

    seat: int
    removed: bool = False


class SeatSet(LogEvent, frozen=True, tag="seat_set"):
    """A free seat was given to a computer player, or reserved for a person."""

    seat: int
    level: str | None


class RoundBegan(LogEvent, frozen=True, tag="round_began"):
    """A new round of the shuffle, with a new seed. If the one before was stopped after secrets
    were asked for, `silent` lists the seats that did not answer, `left` those that were freed."""

    round: int
    commitment: str
    silent: list[int] = []
    left: list[int] = []


class PersonReady(LogEvent, frozen=True, tag="person_ready"):
    """`seat` is the person's lowest; `commitment` is for their part of the shuffle."""

    seat: int
    commitment: str


class PersonNotReady(LogEvent, frozen=True, tag="person_not_ready"):
    seat: int


class SecretsAsked(LogEvent, frozen=True, tag="secrets_asked"):
    """Everybody is ready; the contributions are requested."""

    round: int


class SecretRevealed(LogEvent, frozen=True, tag="secret_revealed"):
    """A person's contribution arrived; it stays secret until the game is over."""

    seat: int


class GameStarted(LogEvent, frozen=True, tag="game_started"):
    """The tiles were dealt. `rules` is the version of the rules for the whole game. `played_on`
    marks a game that continues a recorded one and uses its deal instead of a shuffle."""

    rules: int
    played_on: bool = False


class TurnMade(LogEvent, frozen=True, tag="turn_made"):
    """`level` is the computer player's; null for a person's turn."""

    turn: int
    seat: int
    moves: list[str]
    level: str | None = None


class DailyDealt(LogEvent, frozen=True, tag="daily_dealt"):
    """The game that begins with this step is the Daily Deal of a day, `number` in the chain with
    this anchor. A `ranked` one is closed to others, and must be over, at `ends` (milliseconds)."""

    day: str
    number: int
    anchor: str
    ranked: bool
    ends: int


class SeatHandedOver(LogEvent, frozen=True, tag="seat_handed_over"):
    """A computer player takes over for a person."""

    seat: int
    level: str
    why: Literal["left", "clock", "absent", "for_good"]
    clock_goes_on: bool = False
    """Whoever returns before the computer player has made a turn has the time left that they had.
    In logs from before this rule, they began their turn again."""


class SeatReturned(LogEvent, frozen=True, tag="seat_returned"):
    seat: int


class Said(LogEvent, frozen=True, tag="said"):
    """`seat` is null for a spectator."""

    channel: Literal["players", "spectators"]
    person: str
    name: str
    text: str
    seat: int | None = None


class Muted(LogEvent, frozen=True, tag="muted"):
    person: str
    undo: bool = False


class LetBack(LogEvent, frozen=True, tag="let_back"):
    """The host lets a person whom they removed take a seat again."""

    person: str


class HostChanged(LogEvent, frozen=True, tag="host_changed"):
    person: str


class ClockGivenBack(LogEvent, frozen=True, tag="clock_given_back"):
    """The server was down from `since` for `ms` milliseconds, which no clock counts."""

    since: int
    ms: int


class HolidaysAnnounced(LogEvent, frozen=True, tag="holidays_announced"):
    """The holidays of a person from now on, each with its begin and end. Their time in a game of
    days stands still in them."""

    person: str
    holidays: list[tuple[int, int]]


class Nudged(LogEvent, frozen=True, tag="nudged"):
    """The person at seat `by` reminded the one at `seat` that it is their turn."""

    seat: int
    by: int


class EndAgreed(LogEvent, frozen=True, tag="end_agreed"):
    """A person, at their lowest seat, wants to end the game without a result, or no longer does.
    The table closes when everybody who plays wants it."""

    seat: int
    undo: bool = False


class TableClosed(LogEvent, frozen=True, tag="table_closed"):
    """Closed by the host before the start, or during the game once everyone playing has agreed;
    or by the server's `operator` at any time before the game is over."""

    operator: bool = False


class RematchOffered(LogEvent, frozen=True, tag="rematch_offered"):
    table: str


class PersonForgotten(LogEvent, frozen=True, tag="person_forgotten"):
    """A person erased their data: the log no longer has their name and messages."""

    person: str


class PersonRenamed(LogEvent, frozen=True, tag="person_renamed"):
    """The operator gave a person another name; the log no longer has the old one. `names` are
    those of the person's seats, `name` the one for what they write without a seat."""

    person: str
    name: str
    names: dict[int, str] = {}


class ChatRedacted(LogEvent, frozen=True, tag="chat_redacted"):
    """The operator removed the message of this step; the log no longer has its text."""

    step: int


class GameImported(LogEvent, frozen=True, tag="game_imported"):
    """A finished recorded game was imported, with these names and rounds of its shuffle."""

    names: list[str]
    stopped: list[StoppedRound] = []


AnyLogEvent = (
    TableCreated
    | SettingsChanged
    | SeatTaken
    | SeatFreed
    | SeatSet
    | RoundBegan
    | PersonReady
    | PersonNotReady
    | SecretsAsked
    | SecretRevealed
    | GameStarted
    | DailyDealt
    | TurnMade
    | SeatHandedOver
    | SeatReturned
    | Said
    | Muted
    | LetBack
    | HostChanged
    | ClockGivenBack
    | HolidaysAnnounced
    | Nudged
    | EndAgreed
    | TableClosed
    | RematchOffered
    | PersonForgotten
    | PersonRenamed
    | ChatRedacted
    | GameImported
)


class StoredDeal(Struct, frozen=True):
    """The first seat, hands, pool in drawing order and tiles set aside, as in a record."""

    first: int
    hands: list[list[str]]
    pool: list[str]
    aside: list[str]
    drawn: list[str]


class Secrets(Struct, frozen=True, omit_defaults=True):
    """The secret part of a step."""

    seed: str | None = None
    contribution: str | None = None
    deal: StoredDeal | None = None
    remixed: list[list[str]] = []
    contributions: dict[int, str] = {}  # of an imported game, whose shuffle is over


class Step(NamedTuple):
    """One step of a table's log. `request` identifies the person and their request id."""

    number: int
    at: int
    events: tuple[AnyLogEvent, ...]
    secrets: Secrets | None = None
    turn: int | None = None
    request: str | None = None


class Index(NamedTuple):
    """Changes to the index of tables, stored in one transaction with their step."""

    status: str | None = None
    listed: bool | None = None
    joined: tuple[str, ...] = ()
    """Persons who become members."""
    left: tuple[str, ...] = ()
    """Persons who are no longer members."""
    players: str | None = None
    """The players' names or levels, as JSON."""
    turn: int | None = None
    """How many turns were made, where the step's own number does not say it."""
    awaits_server: bool | None = None
    """Whether the server may have something to do next: a clock runs, or a computer player's turn
    has come."""

    @property
    def columns(self) -> tuple[str | bool | int | None, ...]:
        """The columns of the index of tables; null where nothing changes."""
        return self.status, self.listed, self.players, self.turn, self.awaits_server


class Draft(NamedTuple):
    """A step without number and time."""

    events: tuple[AnyLogEvent, ...]
    secrets: Secrets | None = None
    turn: int | None = None
    index: Index | None = None  # type: ignore[assignment]  # a tuple has a method of that name

    def step(self, number: int, at: int, request: str | None = None) -> Step:
        return Step(number, at, self.events, self.secrets, self.turn, request)


def figures_key(figures: dict[str, Any]) -> tuple[str, int]:
    """What names these figures in a log, whatever the order of their keys, and their size."""
    canonical = msgspec.json.encode(figures, order="sorted")
    return hashlib.sha256(canonical).hexdigest(), len(canonical)


_encode = msgspec.json.Encoder().encode
_events = msgspec.json.Decoder(list[AnyLogEvent])
_secrets = msgspec.json.Decoder(Secrets)


def to_stored(step: Step) -> tuple[bytes, bytes | None]:
    """The body and the secret part of a step, encoded."""
    return _encode(step.events), None if step.secrets is None else _encode(step.secrets)


def from_stored(
    number: int,
    at: int,
    body: bytes,
    secret: bytes | None,
    turn: int | None = None,
    request: str | None = None,
) -> Step:
    secrets = None if secret is None else _secrets.decode(secret)
    return Step(number, at, tuple(_events.decode(body)), secrets, turn, request)
