"""The messages on the wire, both ways: what a client of the server may rely on.

Version 1. Sockets carry JSON objects whose `type` says which of these they are; HTTP bodies are
JSON too. `docs/protocol.md` explains their use. This module imports nothing of the project, so that
clients need only it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

PROTOCOL = 1

# ---- what fields may hold -------------------------------------------------------------------

SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Moves = Annotated[
    list[Annotated[str, Meta(min_length=1, max_length=12)]], Meta(min_length=0, max_length=60)
]
RequestId = Annotated[
    str,
    Meta(pattern="^[A-Za-z0-9_-]{1,40}$", description="Chosen by the client, new for each request"),
]
Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="32 bytes in hexadecimal")]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Level = Annotated[str, Meta(min_length=1, max_length=40)]
ChatText = Annotated[str, Meta(min_length=1, max_length=500)]
TableId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")]
PersonId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,22}$")]
Language = Literal["en", "fr", "pt", "ja"]

Status = Literal["waiting", "playing", "over", "closed"]


# ---- how a table is set ---------------------------------------------------------------------


class NoClock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="none"):
    """Nobody is hurried."""


class LiveClock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="live"):
    """A time bank for the game, and seconds added to it at each turn."""

    bank: Annotated[int, Meta(ge=10, le=86_400)] = 900
    increment: Annotated[int, Meta(ge=0, le=3_600)] = 20


class DaysClock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="days"):
    """So many days for each move."""

    days: Annotated[int, Meta(ge=1, le=60)] = 2


Clock = NoClock | LiveClock | DaysClock


class GameOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of the rules; see `docs/rules.md`."""

    double_cost: Literal["forced", "open"] = "forced"
    cash: Literal["open", "hidden"] = "open"
    hands: Literal["hidden", "open"] = "hidden"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All that is chosen about a table. `figures` is an edition of one's own, which then wins over
    `edition`. `pace` is how many milliseconds a computer's turn takes at least, `stand_in` the
    level that plays for a person who left."""

    edition: Annotated[str, Meta(min_length=1, max_length=80)] = "columbia-2015"
    figures: dict[str, Any] | None = None
    options: GameOptions = GameOptions()
    aids: bool = True
    clock: Clock = NoClock()
    public: bool = False
    pace: Annotated[int, Meta(ge=0, le=10_000)] = 1200
    stand_in: Level = "surveyor"


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


class ReviewState(Struct, frozen=True):
    """How far a review is, from 0 to 1, and the review once it is done. Ask again until it is."""

    progress: float
    review: dict[str, Any] | None = None


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


# ---- socket: from the client ----------------------------------------------------------------


class _FromClient(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    pass


class Hello(_FromClient, frozen=True, tag="hello"):
    """The first message. `have` is the number of the last step the client has; `sit` says that the
    person is here and takes back seats that a computer plays for them."""

    protocol: int
    have: Annotated[int, Meta(ge=0, le=2**31)] | None = None
    sit: bool = True
    language: Language = "en"


class Look(_FromClient, frozen=True, tag="look"):
    """Show the hand of this seat of mine, or of none."""

    seat: SeatNumber | None


class AskPreview(_FromClient, frozen=True, tag="preview"):
    id: RequestId
    moves: Moves


class AskHint(_FromClient, frozen=True, tag="hint"):
    """What a good computer player would do after these moves of my turn."""

    id: RequestId
    moves: Moves = []


class CommitTurn(_FromClient, frozen=True, tag="turn"):
    """A whole turn, made for the turn of this number."""

    id: RequestId
    turn: Annotated[int, Meta(ge=1, le=10_000)]
    moves: Moves


class Say(_FromClient, frozen=True, tag="say"):
    id: RequestId
    text: ChatText


class Ready(_FromClient, frozen=True, tag="ready"):
    """I am ready, and commit to my part of the shuffle: SHA-256 of 32 random bytes."""

    id: RequestId
    round: int
    commitment: Hex32


class NotReady(_FromClient, frozen=True, tag="not_ready"):
    id: RequestId


class Reveal(_FromClient, frozen=True, tag="reveal"):
    """The 32 bytes that were committed to."""

    id: RequestId
    round: int
    secret: Hex32


class Return(_FromClient, frozen=True, tag="return"):
    """I am back: give me the seats that a computer plays for me."""

    id: RequestId


class Ping(_FromClient, frozen=True, tag="ping"):
    id: RequestId


FromClient = (
    Hello
    | Look
    | AskPreview
    | AskHint
    | CommitTurn
    | Say
    | Ready
    | NotReady
    | Reveal
    | Return
    | Ping
)


# ---- socket: to the client ------------------------------------------------------------------


class _ToClient(Struct, frozen=True, tag_field="type"):
    pass


class Step(Struct, frozen=True):
    """One numbered step of the table's log, as this viewer may see it. Each happening is an object
    whose `kind` says what it is; see `docs/protocol.md`."""

    number: int
    at: int
    happenings: list[dict[str, Any]]


class SeatInfo(Struct, frozen=True):
    """`person` and `name` of who sits there, `level` of the computer player that plays now.
    `stands_in` says that it does so for the person, `for_good` that it will to the end."""

    person: str | None
    name: str | None
    level: str | None
    stands_in: bool
    for_good: bool
    ready: bool


class ShuffleInfo(Struct, frozen=True):
    """The round of the shuffle, the server's commitment, those of people by seat, and until when
    the secrets are awaited (null: they have not been asked for)."""

    round: int
    commitment: str
    commitments: dict[str, str]
    reveal_by: int | None


class TableInfo(Struct, frozen=True):
    status: Status
    settings: Settings
    seats: list[SeatInfo]
    host: str
    shuffle: ShuffleInfo
    muted: list[str]
    rematch: str | None


class ClockInfo(Struct, frozen=True):
    """Until when the turn must be made (milliseconds since 1970), and each seat's time bank."""

    deadline: int | None
    banks: list[int] | None


class You(Struct, frozen=True):
    """Who the viewer is: a person or nobody known, with which seats, host or not."""

    person: str | None
    seats: list[int]
    host: bool


class Welcome(_ToClient, frozen=True, tag="welcome"):
    """The first answer: everything so far, or all after what the client said it has. `looking` is
    the seat whose hand `view` shows; `view` is null before the game starts."""

    protocol: int
    version: str
    now: int
    you: You
    table: TableInfo
    steps: list[Step]
    looking: int | None
    view: dict[str, Any] | None
    clock: ClockInfo | None


class News(_ToClient, frozen=True, tag="news"):
    """Steps in order, and whatever of the rest they changed, as it is after the last of them."""

    steps: list[Step]
    table: TableInfo | UnsetType = UNSET
    you: You | UnsetType = UNSET
    looking: int | UnsetType | None = UNSET
    view: dict[str, Any] | UnsetType = UNSET
    clock: ClockInfo | UnsetType | None = UNSET


class CurrentView(_ToClient, frozen=True, tag="view"):
    """The answer to `look`, and what comes when a shown hand is hidden again."""

    looking: int | None
    view: dict[str, Any]


class Previewed(_ToClient, frozen=True, tag="previewed"):
    """What the moves would bring: money by seat, the table then, what may follow."""

    id: str
    events: list[dict[str, Any]]
    table: dict[str, Any]
    hand: list[str]
    money: list[int]
    legal: list[str]
    turn_over: bool


class Hinted(_ToClient, frozen=True, tag="hinted"):
    id: str
    level: str
    moves: list[str]
    reasons: list[dict[str, Any]]
    words: list[str]


class Accepted(_ToClient, frozen=True, tag="accepted"):
    """The request is done and stored, with this step."""

    id: str
    number: int


class Refused(_ToClient, frozen=True, tag="refused"):
    """The request changed nothing. A stale turn comes back with what is so now."""

    problem: Problem
    id: str | None = None
    stale: bool = False
    turn: int | None = None
    view: dict[str, Any] | None = None


class Presence(_ToClient, frozen=True, tag="presence"):
    """Which seats' persons are connected, since when the others are away, and how many watch."""

    here: list[bool]
    away_since: list[int | None]
    spectators: int


class Pong(_ToClient, frozen=True, tag="pong"):
    id: str
    now: int


ToClient = Welcome | News | CurrentView | Previewed | Hinted | Accepted | Refused | Presence | Pong

# Why a socket is closed, beside the standard codes.
CLOSE_SLOW = 4000
CLOSE_RESTART = 4001
CLOSE_BAD_MESSAGE = 4002
CLOSE_TOO_MANY = 4003
CLOSE_NO_TABLE = 4004
CLOSE_PROTOCOL = 4005
CLOSE_NOT_ALLOWED = 4006
CLOSE_GONE = 4007
