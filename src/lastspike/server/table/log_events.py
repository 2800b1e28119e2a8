"""What can happen at a table: the contents of a step of its log, and how they are written down.

Anybody may know the events; what must stay secret for now is in `Secrets`, a field
of the step that is stored beside them and never told.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from lastspike.protocol import Settings

SYMBOLS = ("★", "◆", "●", "▲", "■", "✚")
"""What each seat is known by where its person is to have no name any more."""
SAID_NO_MORE = "…"


class LogEvent(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """Base of all that can happen."""


class TableCreated(LogEvent, frozen=True, tag="table_created"):
    """`seats` holds a computer player's level or null for each seat."""

    settings: Settings
    seats: list[str | None]
    host: str
    again: str | None = None
    """The table of which this is a rematch."""


class SettingsChanged(LogEvent, frozen=True, tag="settings_changed"):
    settings: Settings


class SeatTaken(LogEvent, frozen=True, tag="seat_taken"):
    seat: int
    person: str
    name: str


class SeatFreed(LogEvent, frozen=True, tag="seat_freed"):
    """Before the start: by its person, or by the host (`removed`)."""

    seat: int
    removed: bool = False


class SeatSet(LogEvent, frozen=True, tag="seat_set"):
    """A seat that nobody has is given to a computer player, or kept for a person."""

    seat: int
    level: str | None


class RoundBegan(LogEvent, frozen=True, tag="round_began"):
    """A new round of the shuffle, with a new seed. `silent` are the seats that did not answer."""

    round: int
    commitment: str
    silent: list[int] = []


class PersonReady(LogEvent, frozen=True, tag="person_ready"):
    """At their lowest seat, with their commitment."""

    seat: int
    commitment: str


class PersonNotReady(LogEvent, frozen=True, tag="person_not_ready"):
    seat: int


class SecretsAsked(LogEvent, frozen=True, tag="secrets_asked"):
    """Everybody is ready: the contributions are asked for."""

    round: int


class SecretRevealed(LogEvent, frozen=True, tag="secret_revealed"):
    """A person's contribution is in; what it is stays secret until the game is over."""

    seat: int


class GameStarted(LogEvent, frozen=True, tag="game_started"):
    """The tiles are dealt. The game is played to its end under this version of the rules. One that
    goes on from a recorded position has that game's deal, which no shuffle of its own gives."""

    rules: int
    played_on: bool = False


class TurnMade(LogEvent, frozen=True, tag="turn_made"):
    """`level` is that of the computer player that made it, null for a person."""

    turn: int
    seat: int
    moves: list[str]
    level: str | None = None


class SeatHandedOver(LogEvent, frozen=True, tag="seat_handed_over"):
    """A computer player goes on for a person."""

    seat: int
    level: str
    why: Literal["left", "clock", "absent", "for_good"]


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


class HostChanged(LogEvent, frozen=True, tag="host_changed"):
    person: str


class ClockGivenBack(LogEvent, frozen=True, tag="clock_given_back"):
    """The server was down from `since`, for so many milliseconds, which no clock counts."""

    since: int
    ms: int


class TableClosed(LogEvent, frozen=True, tag="table_closed"):
    """By the host, before the game was over."""


class RematchOffered(LogEvent, frozen=True, tag="rematch_offered"):
    table: str


class PersonForgotten(LogEvent, frozen=True, tag="person_forgotten"):
    """Somebody has deleted their data: the log has their name and their words no more."""

    person: str


class GameImported(LogEvent, frozen=True, tag="game_imported"):
    """A recorded game was brought in, finished, with these names."""

    names: list[str]


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
    | TurnMade
    | SeatHandedOver
    | SeatReturned
    | Said
    | Muted
    | HostChanged
    | ClockGivenBack
    | TableClosed
    | RematchOffered
    | PersonForgotten
    | GameImported
)


class StoredDeal(Struct, frozen=True):
    """Who goes first, the hands, the pool in drawing order, the tiles put aside: as in a record."""

    first: int
    hands: list[list[str]]
    pool: list[str]
    aside: list[str]
    drawn: list[str]


class Secrets(Struct, frozen=True, omit_defaults=True):
    """What a step adds that nobody may know yet: each where its event says so."""

    seed: str | None = None
    contribution: str | None = None
    deal: StoredDeal | None = None
    remixed: list[list[str]] = []
    contributions: dict[int, str] = {}  # of an imported game, whose shuffle is over


class Step(NamedTuple):
    """One step of a table's log. `request` is who asked and their own id for it."""

    number: int
    at: int
    events: tuple[AnyLogEvent, ...]
    secrets: Secrets | None = None
    turn: int | None = None
    request: str | None = None


class Index(NamedTuple):
    """Changes of the index over the logs, stored together with the step that causes them."""

    status: str | None = None
    listed: bool | None = None
    joined: tuple[str, ...] = ()
    """Persons who become members of the table."""
    left: tuple[str, ...] = ()
    """Persons who are no longer members of it."""


class Draft(NamedTuple):
    """A step that has no number and time yet."""

    events: tuple[AnyLogEvent, ...]
    secrets: Secrets | None = None
    turn: int | None = None
    index: Index | None = None  # type: ignore[assignment]  # a tuple has a method of that name

    def step(self, number: int, at: int, request: str | None = None) -> Step:
        return Step(number, at, self.events, self.secrets, self.turn, request)


_encode = msgspec.json.Encoder().encode
_events = msgspec.json.Decoder(list[AnyLogEvent])
_secrets = msgspec.json.Decoder(Secrets)


def to_stored(step: Step) -> tuple[bytes, bytes | None]:
    """The body and the secret part of a step as the log keeps them."""
    return _encode(step.events), None if step.secrets is None else _encode(step.secrets)


def from_stored(
    number: int,
    at: int,
    body: bytes,
    secret: bytes | None,
    turn: int | None = None,
    request: str | None = None,
) -> Step:
    return Step(
        number,
        at,
        tuple(_events.decode(body)),
        None if secret is None else _secrets.decode(secret),
        turn,
        request,
    )
