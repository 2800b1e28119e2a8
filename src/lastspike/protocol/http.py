"""The bodies of requests and answers over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from .settings import (
    DEFAULT_EDITION,
    EditionId,
    Language,
    Level,
    Name,
    PersonId,
    SeatNumber,
    Settings,
    Status,
    TableId,
)

# ---- requests over HTTP ---------------------------------------------------------------------


class CreateTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Each of `seats` is a computer player's level, `me` for the one who asks (several for people
    round one device), or null: free for a person."""

    name: Name
    seats: Annotated[list[Level | None], Meta(min_length=2, max_length=6)]
    settings: Settings = Settings()
    names: dict[str, Name] = {}


class PlayOn(Struct, frozen=True, forbid_unknown_fields=True):
    """A recorded game after so many of its turns, to be played on in one of its seats against
    computer players of a level."""

    name: Name
    record: dict[str, Any]
    turns: Annotated[int, Meta(ge=0, le=1_000)]
    seat: SeatNumber
    level: Level = "clerk"


class ReviewRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A recorded game to be reviewed."""

    record: dict[str, Any]


class CheckEdition(Struct, frozen=True, forbid_unknown_fields=True):
    """Either the figures as JSON or the text of their file."""

    figures: dict[str, Any] | None = None
    toml: str | None = None


class StudyEdition(Struct, frozen=True, forbid_unknown_fields=True):
    """Of `figures`, where they are given, otherwise of an edition that comes with the game."""

    players: Annotated[int, Meta(ge=2, le=6)]
    edition: EditionId = DEFAULT_EDITION
    figures: dict[str, Any] | None = None


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Without a seat, the first free one."""

    name: Name
    seat: SeatNumber | None = None


class SetSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A computer player's level for a seat that nobody has, or null to keep it for a person."""

    level: Level | None


class ChangeSettings(Struct, frozen=True, forbid_unknown_fields=True):
    settings: Settings


class HandOver(Struct, frozen=True, forbid_unknown_fields=True):
    seat: SeatNumber


class Leave(Struct, frozen=True, forbid_unknown_fields=True):
    """Before the start seats become free; later a computer player takes over, `for_good` or until
    the person returns."""

    for_good: bool = False


class AboutPerson(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is removed, muted or hidden; `undo` takes a mute or a hiding back."""

    person: PersonId
    undo: bool = False


class NewPerson(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name


class UseLink(Struct, frozen=True, forbid_unknown_fields=True):
    token: Annotated[str, Meta(min_length=1, max_length=60)]


class NewWebhook(Struct, frozen=True, forbid_unknown_fields=True):
    """Where turn alerts go: for me at all tables, or for everybody at one table of mine."""

    url: Annotated[str, Meta(min_length=1, max_length=500)]
    form: Literal["json", "discord", "slack", "ntfy"] = "json"
    table: TableId | None = None
    language: Language = "en"


# ---- answers over HTTP ----------------------------------------------------------------------


class Problem(Struct, frozen=True):
    """What went wrong, for people: `message` in their language, made from `template` and `facts`.
    `rule` is the clause of the rules that forbids a move."""

    message: str
    template: str
    facts: dict[str, Any]
    rule: str | None = None


class Me(Struct, frozen=True):
    person: str
    name: str


class TableMade(Struct, frozen=True):
    table: str
    person: str


class Done(Struct, frozen=True):
    """The number of the step that the request made, 0 where nothing had to change."""

    number: int


class TableListed(Struct, frozen=True):
    table: str
    status: Status
    players: list[str | None]
    settings: Settings
    created: int
    turn: int
    mine: list[int]
    my_turn: bool


class Tables(Struct, frozen=True):
    tables: list[TableListed]


class PersonalLink(Struct, frozen=True):
    """`token` goes into the fragment of a URL; it works once, until `expires` (milliseconds). `qr`
    is a picture (SVG) of the page's own such address, to scan."""

    token: str
    expires: int
    qr: str = ""


class PastSeat(Struct, frozen=True):
    """`level` is that of a computer player, null for a person; `left`: they left for good."""

    name: str | None
    level: str | None
    rank: int
    cash: int
    left: bool


class PastGame(Struct, frozen=True):
    """A finished game. `mine` are the seats of who asks, `paid` is what each city paid them;
    `teaching`: all hands lay open, `played_on`: it went on from a recorded position."""

    table: str
    created: int
    ended: int
    edition: str
    turns: int
    seats: list[PastSeat]
    mine: list[int]
    winners: list[int]
    last_spike: int | None
    paid: dict[str, int]
    teaching: bool
    played_on: bool
    left: bool


class History(Struct, frozen=True):
    """The newest first. `cities` has the names of the cities that paid, by code and language; `me`
    is who asks, null for nobody known."""

    me: Me | None
    games: list[PastGame]
    cities: dict[str, dict[str, str]]


class MyPerson(Struct, frozen=True):
    id: str
    name: str
    created: int


class MyDevice(Struct, frozen=True):
    """A cookie: since when, and until when it lasts."""

    created: int
    expires: int


class MyWebhook(Struct, frozen=True):
    id: str
    url: str
    form: str
    table: str | None
    language: str


class Hiding(Struct, frozen=True):
    """Whose chat I don't want to see, and where."""

    table: str
    person: str


class MyTable(Struct, frozen=True):
    table: str
    status: Status
    created: int
    host: bool
    seats: list[int]


class MyName(Struct, frozen=True):
    """What I was called at a seat that I took."""

    table: str
    at: int
    seat: int
    name: str


class MyLine(Struct, frozen=True):
    """What I said."""

    table: str
    at: int
    channel: Literal["players", "spectators"]
    name: str
    text: str


class MyData(Struct, frozen=True):
    """All that the server has of a person; `records` are those of their finished games."""

    made: int
    person: MyPerson
    devices: list[MyDevice]
    webhooks: list[MyWebhook]
    hidden: list[Hiding]
    tables: list[MyTable]
    names: list[MyName]
    chat: list[MyLine]
    records: list[dict[str, Any]]


class JobState(Struct, frozen=True):
    """How far a review or a study is, from 0 to 1, and what it found once it is done. Until then
    `GET /api/jobs/{job}/progress` pushes its progress; ask again when that ends."""

    progress: float
    found: dict[str, Any] | None = None
    job: str | None = None


class EditionListed(Struct, frozen=True):
    """`players` lists the numbers of players that it is for."""

    id: str
    name: str
    players: list[int]


class Editions(Struct, frozen=True):
    editions: list[EditionListed]


class BadFigure(Struct, frozen=True):
    """The first figure that is wrong: where it stands, `routes.A.costs.3`, and why. `path` is empty
    where the whole is no edition at all."""

    path: str
    message: str
    template: str
    facts: dict[str, Any]


class EditionChecked(Struct, frozen=True):
    """A good edition, as JSON and as its file; or what is wrong with it, and then neither."""

    figures: dict[str, Any] | None = None
    toml: str | None = None
    problem: BadFigure | None = None


class Webhook(Struct, frozen=True):
    id: str
    url: str
    form: str
    table: str | None


class Webhooks(Struct, frozen=True):
    webhooks: list[Webhook]


class Rematch(Struct, frozen=True):
    table: str


class Health(Struct, frozen=True):
    status: Literal["ok"]
    version: str
