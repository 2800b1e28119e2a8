"""The bodies of HTTP requests and responses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from .daily import MyDaily
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

# ---- requests -------------------------------------------------------------------------------


class CreateTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Each of `seats` is a computer player's level, `me` for the sender (several for people who
    share a device), or null for a free seat."""

    name: Name
    seats: Annotated[list[Level | None], Meta(min_length=2, max_length=6)]
    settings: Settings = Settings()
    names: dict[str, Name] = {}


class PlayOn(Struct, frozen=True, forbid_unknown_fields=True):
    """Continue a recorded game after its first `turns` turns, in one of its seats, against computer
    players of a level."""

    name: Name
    record: dict[str, Any]
    turns: Annotated[int, Meta(ge=0, le=1_000)]
    seat: SeatNumber
    level: Level = "clerk"


class ReviewRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A recorded game to review. `quick` asks for the chances and luck alone, within seconds."""

    record: dict[str, Any]
    quick: bool = False


class CheckEdition(Struct, frozen=True, forbid_unknown_fields=True):
    """Either the figures as JSON, or the text of their file."""

    figures: dict[str, Any] | None = None
    toml: str | None = None


class StudyEdition(Struct, frozen=True, forbid_unknown_fields=True):
    """A study of `figures` if given, otherwise of the shipped `edition`."""

    players: Annotated[int, Meta(ge=2, le=6)]
    edition: EditionId = DEFAULT_EDITION
    figures: dict[str, Any] | None = None


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Null takes the first free seat."""

    name: Name
    seat: SeatNumber | None = None


class SetSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A computer player's level for a free seat, or null to reserve it for a person."""

    level: Level | None


class ChangeSettings(Struct, frozen=True, forbid_unknown_fields=True):
    settings: Settings


class HandOver(Struct, frozen=True, forbid_unknown_fields=True):
    seat: SeatNumber


class Leave(Struct, frozen=True, forbid_unknown_fields=True):
    """Before the start, seats become free; later, a computer player takes over, `for_good` or until
    the person returns."""

    for_good: bool = False


class AboutPerson(Struct, frozen=True, forbid_unknown_fields=True):
    """The person to remove, mute or hide; `undo` unmutes or unhides them."""

    person: PersonId
    undo: bool = False


class NewReport(Struct, frozen=True, forbid_unknown_fields=True):
    """Tell the operator about a table, a `person` there, or a message: the number of its `step`."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)]
    person: PersonId | None = None
    step: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None


class AgreeToEnd(Struct, frozen=True, forbid_unknown_fields=True):
    """`undo` takes it back."""

    undo: bool = False


class NewPerson(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name


class Publishing(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether I agree that my finished games are published without names."""

    agreed: bool


class UseLink(Struct, frozen=True, forbid_unknown_fields=True):
    token: Annotated[str, Meta(min_length=1, max_length=60)]


class NewWebhook(Struct, frozen=True, forbid_unknown_fields=True):
    """The URL for turn alerts: mine at all tables, or everybody's at one of my tables."""

    url: Annotated[str, Meta(min_length=1, max_length=500)]
    form: Literal["json", "discord", "slack", "ntfy"] = "json"
    table: TableId | None = None
    language: Language = "en"


_Minute = Annotated[int, Meta(ge=0, le=1439, description="Minutes after midnight")]
_Base64Url = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{16,120}={0,2}$(?![\s\S])")]


class AlertChoices(Struct, frozen=True, forbid_unknown_fields=True):
    """Which alerts I want: my turn, the end of a game, a seat taken at my table, and a reminder
    before my time runs out. With `digest`, one message a day at `digest_at` replaces the first
    three. From `quiet_from` to `quiet_to` nothing is sent. Times are those of the time `zone`."""

    turns: bool = True
    over: bool = True
    seats: bool = True
    remind: bool = True
    digest: bool = False
    digest_at: _Minute = 8 * 60
    quiet: bool = False
    quiet_from: _Minute = 22 * 60
    quiet_to: _Minute = 7 * 60
    zone: Annotated[str, Meta(min_length=1, max_length=64)] = "UTC"


class NewPush(Struct, frozen=True, forbid_unknown_fields=True):
    """A browser's push subscription: its URL, public key and secret."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
    p256dh: _Base64Url
    auth: _Base64Url
    language: Language = "en"


class NewMail(Struct, frozen=True, forbid_unknown_fields=True):
    """An e-mail address for my alerts. It gets a message to confirm it."""

    address: Annotated[str, Meta(min_length=3, max_length=254)]
    language: Language = "en"


class MailToken(Struct, frozen=True, forbid_unknown_fields=True):
    """The token in a message that confirms an e-mail address."""

    token: Annotated[str, Meta(min_length=1, max_length=120)]


class NewHoliday(Struct, frozen=True, forbid_unknown_fields=True):
    """My time in games of days stands still from `begins` to `ends` (milliseconds)."""

    begins: Annotated[int, Meta(ge=0, le=2**53)]
    ends: Annotated[int, Meta(ge=0, le=2**53)]


# ---- responses ------------------------------------------------------------------------------


class Problem(Struct, frozen=True):
    """An error for people: `message` in their language, made from `template` and `facts`. `rule` is
    the clause of the rules that forbids a move. `code` names an error that a client handles in its
    own way."""

    message: str
    template: str
    facts: dict[str, Any]
    rule: str | None = None
    code: str | None = None


class Me(Struct, frozen=True):
    person: str
    name: str


class TableMade(Struct, frozen=True):
    table: str
    person: str


class Done(Struct, frozen=True):
    """The number of the step that the request made, 0 if it had no effect."""

    number: int


class TableListed(Struct, frozen=True):
    """`settings` name a custom edition and leave out its figures. `to_move` is the seat whose turn
    it is, if a game is going on; `left` how many milliseconds the person there still has, if there
    is a clock. `rank` is my best one in a finished game."""

    table: str
    status: Status
    players: list[str | None]
    settings: Settings
    created: int
    turn: int
    mine: list[int]
    my_turn: bool
    to_move: SeatNumber | None = None
    left: int | None = None
    rank: int | None = None


class Tables(Struct, frozen=True):
    tables: list[TableListed]


class PersonalLink(Struct, frozen=True):
    """`token` goes into the fragment of a URL; it works once, until `expires` (milliseconds). `qr`
    is an SVG of the page's URL with the token, to scan."""

    token: str
    expires: int
    qr: str = ""


class Device(Struct, frozen=True):
    """A device of mine: the browser and its system in plain words, empty if unknown; when it was
    `first` and `last` seen, to ten minutes; and whether it is `this` one."""

    id: str
    browser: str
    system: str
    first: int
    last: int
    this: bool


class Devices(Struct, frozen=True):
    devices: list[Device]


class PastSeat(Struct, frozen=True):
    """`level` is null for a person; `left` means that they left for good."""

    name: str | None
    level: str | None
    rank: int
    cash: int
    left: bool


class PastGame(Struct, frozen=True):
    """A finished game. `mine` are my seats, `paid` is what each city paid me. `teaching` means open
    hands, `played_on` that it continued a recorded game."""

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
    """My games, newest first. `cities` has the names of the cities that paid, by code and language.
    `me` is null for an unknown person. `publishes_since` is when I agreed to the publication of my
    games; null if I didn't."""

    me: Me | None
    games: list[PastGame]
    cities: dict[str, dict[str, str]]
    publishes_since: int | None = None


class MyPerson(Struct, frozen=True):
    id: str
    name: str
    created: int
    publishes_since: int | None = None


class MyDevice(Struct, frozen=True):
    """A cookie: when it was created, when it expires, when it was last seen, and on what."""

    created: int
    expires: int
    seen: int
    browser: str
    system: str


class MyWebhook(Struct, frozen=True):
    id: str
    url: str
    form: str
    table: str | None
    language: str


class MyChannel(Struct, frozen=True):
    """Where my alerts go: a browser's push subscription or an e-mail address."""

    kind: str
    address: str
    language: str
    created: int
    confirmed: int | None


class MyWaitingAlert(Struct, frozen=True):
    """An alert that waits until it is due."""

    table: str
    kind: str
    turn: int
    due: int


class Holiday(Struct, frozen=True):
    id: str
    begins: int
    ends: int


class Hiding(Struct, frozen=True):
    """A person whose chat I have hidden, and the table."""

    table: str
    person: str


class MyTable(Struct, frozen=True):
    table: str
    status: Status
    created: int
    host: bool
    seats: list[int]


class MyName(Struct, frozen=True):
    """My name at a seat that I took."""

    table: str
    at: int
    seat: int
    name: str


class MyLine(Struct, frozen=True):
    """A chat message of mine."""

    table: str
    at: int
    channel: Literal["players", "spectators"]
    name: str
    text: str


class MyReport(Struct, frozen=True):
    """What I told the operator, about a table, a `person` or the message of a `step`."""

    table: str
    at: int
    reason: str
    person: str | None
    step: int | None
    settled: int | None


class MyEvent(Struct, frozen=True):
    """An event of the audit log about me; `mine` if I caused it."""

    at: int
    what: str
    mine: bool
    table: str | None
    detail: dict[str, Any]


class MyData(Struct, frozen=True):
    """Everything the server has about a person; `records` are those of their finished games."""

    made: int
    person: MyPerson
    devices: list[MyDevice]
    webhooks: list[MyWebhook]
    alert_choices: AlertChoices | None
    channels: list[MyChannel]
    waiting_alerts: list[MyWaitingAlert]
    holidays: list[Holiday]
    hidden: list[Hiding]
    tables: list[MyTable]
    names: list[MyName]
    chat: list[MyLine]
    events: list[MyEvent]
    reports: list[MyReport]
    records: list[dict[str, Any]]
    daily: MyDaily


class JobState(Struct, frozen=True):
    """The progress of a review or a study, from 0 to 1, and its result once it is done. Until then
    `GET /api/jobs/{job}/progress` pushes its progress; repeat the request when that ends."""

    progress: float
    found: dict[str, Any] | None = None
    job: str | None = None


class EditionListed(Struct, frozen=True):
    """`players` lists the possible numbers of players."""

    id: str
    name: str
    players: list[int]


class Editions(Struct, frozen=True):
    editions: list[EditionListed]


class BadFigure(Struct, frozen=True):
    """The first invalid figure: its path, like `routes.A.costs.3`, and the error. `path` is empty
    if the whole is no edition at all."""

    path: str
    message: str
    template: str
    facts: dict[str, Any]


class EditionChecked(Struct, frozen=True):
    """A valid edition as JSON and as a file, or else the `problem`."""

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


class Channel(Struct, frozen=True):
    """Where my alerts go. `address` is the whole one of an e-mail, and only the host of a push
    service; `key` is the public key of a push subscription, by which a browser knows its own."""

    id: str
    kind: Literal["push", "mail"]
    address: str
    confirmed: bool
    key: str = ""


class MyAlerts(Struct, frozen=True):
    """`push_key` is the server's public key for push subscriptions; `mail` says whether it can
    send e-mail, and `holiday_days` how many days of holiday a person has in a year."""

    choices: AlertChoices
    channels: list[Channel]
    holidays: list[Holiday]
    push_key: str
    mail: bool
    holiday_days: int


class Rematch(Struct, frozen=True):
    table: str


class Health(Struct, frozen=True):
    status: Literal["ok"]
    version: str


class AboutServer(Struct, frozen=True):
    """Who runs this server, in their own words; what they have not said is null."""

    name: str | None
    privacy: str | None
    imprint: str | None
    contact: str | None
