"""What goes over a table's socket, both ways, and why it is closed."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from .http import Problem
from .settings import ChatText, Hex32, Language, Moves, RequestId, SeatNumber, Settings, Status

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
