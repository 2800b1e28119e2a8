"""The messages of a table's socket, both ways, and its close codes."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from .http import Problem
from .settings import ChatText, Hex32, Language, Moves, RequestId, SeatNumber, Settings, Status

# ---- socket: from the client ----------------------------------------------------------------


class _FromClient(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    pass


class Hello(_FromClient, frozen=True, tag="hello"):
    """The first message. `have` is the number of the client's last step; `sit` takes back seats
    that a computer plays for the person."""

    protocol: int
    have: Annotated[int, Meta(ge=0, le=2**31)] | None = None
    sit: bool = True
    language: Language = "en"


class Look(_FromClient, frozen=True, tag="look"):
    """Show the hand of this seat of mine, or none."""

    seat: SeatNumber | None


class AskPreview(_FromClient, frozen=True, tag="preview"):
    id: RequestId
    moves: Moves


class AskHint(_FromClient, frozen=True, tag="hint"):
    """What a good computer player would do after these moves of my turn."""

    id: RequestId
    moves: Moves = []


class CommitTurn(_FromClient, frozen=True, tag="turn"):
    """A whole turn, for the turn with this number."""

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
    """The 32 bytes of my commitment."""

    id: RequestId
    round: int
    secret: Hex32


class Return(_FromClient, frozen=True, tag="return"):
    """Give me back the seats that a computer plays for me."""

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
    """One numbered step of the table's log, as this viewer may see it. Each of `happenings` is an
    event, whose kind is in `kind`; see `docs/protocol.md`."""

    number: int
    at: int
    happenings: list[dict[str, Any]]


class SeatInfo(Struct, frozen=True):
    """`person` and `name` of the person in the seat, `level` of the computer player that plays now.
    `stands_in` means that it plays for the person, `for_good` that it will to the end. `holidays`
    are the person's, each with its begin and end (milliseconds)."""

    person: str | None
    name: str | None
    level: str | None
    stands_in: bool
    for_good: bool
    ready: bool
    holidays: list[tuple[int, int]] = []


class StoppedRound(Struct, frozen=True):
    """An earlier round of the shuffle that was stopped before the deal: the seats whose browsers
    didn't answer in time, and the seats whose people left."""

    round: int
    silent: list[int]
    left: list[int]


class ShuffleInfo(Struct, frozen=True):
    """The round of the shuffle, the server's commitment, the people's by seat, the deadline for
    the secrets (null if they are not requested yet), and the rounds that were stopped."""

    round: int
    commitment: str
    commitments: dict[str, str]
    reveal_by: int | None
    stopped: list[StoppedRound] = []


class TableInfo(Struct, frozen=True):
    status: Status
    settings: Settings
    seats: list[SeatInfo]
    host: str
    shuffle: ShuffleInfo
    muted: list[str]
    rematch: str | None
    end_agreed: list[int] = []
    removed: list[str] = []
    """Persons whom the host removed: they can't take a seat or write."""


class ClockInfo(Struct, frozen=True):
    """The deadline of the turn (milliseconds since 1970), and each seat's time bank. From `nudge`
    on, the others may remind the person whose turn it is; null if they can't."""

    deadline: int | None
    banks: list[int] | None
    nudge: int | None = None


class You(Struct, frozen=True):
    """The viewer: their person (null if unknown), seats, and whether they are the host."""

    person: str | None
    seats: list[int]
    host: bool


class Welcome(_ToClient, frozen=True, tag="welcome"):
    """The first answer: all steps, or those after `have`. `looking` is the seat whose hand `view`
    shows; `view` is null before the game starts."""

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
    """Steps in order, and the parts of the state that they changed, as of the last step."""

    steps: list[Step]
    table: TableInfo | UnsetType = UNSET
    you: You | UnsetType = UNSET
    looking: int | UnsetType | None = UNSET
    view: dict[str, Any] | UnsetType = UNSET
    clock: ClockInfo | UnsetType | None = UNSET


class CurrentView(_ToClient, frozen=True, tag="view"):
    """The answer to `look`; also sent when a shown hand is hidden again."""

    looking: int | None
    view: dict[str, Any]


class Previewed(_ToClient, frozen=True, tag="previewed"):
    """The result of the moves: events, table, hand, money by seat, legal next moves."""

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
    """The request is stored, as this step."""

    id: str
    number: int


class Refused(_ToClient, frozen=True, tag="refused"):
    """The request changed nothing. For a stale turn, `turn` and `view` are the current ones."""

    problem: Problem
    id: str | None = None
    stale: bool = False
    turn: int | None = None
    view: dict[str, Any] | None = None


class Presence(_ToClient, frozen=True, tag="presence"):
    """Which seats' persons are connected, since when the others are away, and the spectators."""

    here: list[bool]
    away_since: list[int | None]
    spectators: int


class Announcement(Struct, frozen=True):
    """What the operator of the server says to everybody, until `ends` (milliseconds)."""

    id: str
    text: str
    made: int
    ends: int


class Announced(_ToClient, frozen=True, tag="announced"):
    """All announcements that hold now. Sent after `welcome` if there are any, and when they
    change."""

    announcements: list[Announcement]


class Pong(_ToClient, frozen=True, tag="pong"):
    id: str
    now: int


ToClient = (
    Welcome
    | News
    | CurrentView
    | Previewed
    | Hinted
    | Accepted
    | Refused
    | Presence
    | Announced
    | Pong
)

# Close codes beside the standard ones.
CLOSE_SLOW = 4000
CLOSE_RESTART = 4001
CLOSE_BAD_MESSAGE = 4002
CLOSE_TOO_MANY = 4003
CLOSE_NO_TABLE = 4004
CLOSE_PROTOCOL = 4005
CLOSE_NOT_ALLOWED = 4006
CLOSE_GONE = 4007
CLOSE_LOGGED_OUT = 4008
CLOSE_BANNED = 4009
