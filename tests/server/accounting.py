"""What may be told, to whom, at which place of which message, and why: all else is a leak.

Every part of every message is looked at, keys included. A field that is not on these lists is a
leak whatever it holds: whoever adds one to the protocol has to say here who may know it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from lastspike.rules.position import Position
from lastspike.rules.record import Shuffle
from lastspike.rules.shipped import shipped
from lastspike.server.live import to_step
from lastspike.server.state import TableState
from lastspike.server.storage.rows import Row

from .wiretap import BINARY, CLOSE, TEXT, Message

TILES = frozenset(shipped("columbia-2015").tiles)
TILE = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(TILES))})(?![\w-])")
"""A tile's code as a word of its own; in ids, which are random, letters and digits meet anyhow."""


class Leak(AssertionError):
    """Somebody was told what they may not know, or what nobody has accounted for."""

    def __init__(self, why: str, value: object = None) -> None:
        super().__init__(why)
        self.why, self.value, self.path = why, value, ""

    def __str__(self) -> str:
        return f"{self.path}: {self.why}: {self.value!r}"


class Truth:
    """What was so at a table, turn by turn, as its log says; `positions` are before each turn."""

    def __init__(self, table_id: str, rows: Sequence[Row]) -> None:
        self.positions: dict[int, Position] = {}
        self.secrets: set[bytes] = set()
        state = TableState(table_id)
        for row in rows:
            step = to_step(row)
            state.apply(step)
            if state.game is not None:
                self.positions[state.turn] = state.game.position
            if step.secrets is not None:
                hidden = (step.secrets.seed, step.secrets.contribution)
                self.secrets |= {bytes.fromhex(secret) for secret in hidden if secret}
        self.state = state
        self.over = state.status == "over"
        self.codes = state.setup.board.codes
        self.options = state.setup.options
        shuffle = state.shuffle
        if shuffle is not None:
            self.secrets.add(_key(shuffle))

    def hand(self, turn: int, seat: int) -> list[str]:
        return [self.codes[tile] for tile in self.positions[turn].hidden.hands[seat]]

    def track(self, turn: int) -> set[str]:
        table = self.positions[turn].table
        return {self.codes[space] for space in table.board.spaces_in(table.track)}


def _key(shuffle: Shuffle) -> bytes:
    """What the stream of the game runs on: who has it has everything."""
    key: bytes = shuffle.stream().__getstate__()[0]
    return key


class Account:
    """What one viewer may know through one connection, as far as it has come.

    A person with one seat sees its hand; one with several sees the hand that was asked for with
    `look`, until its turn ends.
    """

    def __init__(self, truth: Truth, person: str | None) -> None:
        self.truth = truth
        self.seats = truth.state.seats_of(person)
        self.looked: int | None = None
        self.turn = 0
        self.sent: set[str] = set()
        """The tiles that this viewer has named."""
        self._track: tuple[int, set[str]] = (-1, set())

    def asked(self, body: bytes) -> None:
        """The viewer sends something."""
        self.sent |= set(TILE.findall(body.decode("utf-8", "replace")))
        try:
            message = msgspec.json.decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return
        if isinstance(message, dict) and message.get("type") == "look":
            seat = message.get("seat")
            if seat is None or seat in self.seats:
                self.looked = seat

    def told(self, body: bytes) -> None:
        """The viewer gets a message of the socket. Raises `Leak`."""
        message = msgspec.json.decode(body)
        if msgspec.json.encode(message) != body:
            raise Leak("there is more in it than it says", body)
        kind = message.pop("type")
        view = message.get("view")
        for step in message.get("steps", ()):
            for happening in step["happenings"]:
                if happening["kind"] == "turn_made" and happening["seat"] == self.looked:
                    self.looked = None
        if view is not None:
            self.turn = view["number"]
        _at(kind, _MESSAGES[kind], message, self)

    @property
    def over(self) -> bool:
        return self.turn in self.truth.positions and self.position.table.phase == "over"

    @property
    def position(self) -> Position:
        return self.truth.positions[self.turn]

    def sees(self, seat: int) -> bool:
        """Whether the hand of this seat, and its cash, are this viewer's own to see now."""
        return seat in self.seats and (len(self.seats) == 1 or seat == self.looked)

    def knows_hand(self, seat: int) -> bool:
        return self.sees(seat) or self.over or self.truth.options.hands == "open"

    def knows_cash(self, seat: int) -> bool:
        out = not self.position.table.in_game(seat)
        return self.sees(seat) or self.over or out or self.truth.options.cash == "open"

    def own(self) -> set[str]:
        """The tiles of the hands that this viewer may see now."""
        if not self.turn:
            return set()
        seats = range(len(self.truth.state.seats))
        known = (self.truth.hand(self.turn, seat) for seat in seats if self.knows_hand(seat))
        return {tile for hand in known for tile in hand}

    def track(self) -> set[str]:
        if self._track[0] != self.turn:
            self._track = self.turn, self.truth.track(self.turn) if self.turn else set()
        return self._track[1]


Check = Callable[[Any, Account], None]


def _at(place: str, check: Check, value: Any, account: Account) -> None:
    try:
        check(value, account)
    except Leak as leak:
        leak.path = f"{place}.{leak.path}" if leak.path else place
        raise


# ---- the kinds of places --------------------------------------------------------------------


def plain(value: Any, _account: Account) -> None:
    """Something that everybody may know, and no tile."""
    if isinstance(value, str):
        if TILE.search(value):
            raise Leak("a tile where none may be", value)
    elif value is not None and not isinstance(value, bool | int):
        raise Leak("not a plain value", value)


def nothing(value: Any, _account: Account) -> None:
    if value is not None:
        raise Leak("something where nothing may be", value)


def fields(**checks: Check) -> Check:
    """An object with these keys and no other."""

    def check(value: Any, account: Account) -> None:
        if not isinstance(value, dict):
            raise Leak("not an object", value)
        for key, part in value.items():
            if key not in checks:
                raise Leak("nobody has said who may know this", f"{key}={part!r}")
            _at(key, checks[key], part, account)

    return check


def tagged(tag: str, kinds: Mapping[str, Check]) -> Check:
    """An object whose kind stands in it."""

    def check(value: Any, account: Account) -> None:
        kind = value[tag]
        if kind not in kinds:
            raise Leak("nobody has said who may know this", value)
        rest = {key: part for key, part in value.items() if key != tag}
        _at(str(kind), kinds[kind], rest, account)

    return check


def each(part: Check) -> Check:
    def check(value: Any, account: Account) -> None:
        if not isinstance(value, list):
            raise Leak("not a list", value)
        for place, one in enumerate(value):
            _at(str(place), part, one, account)

    return check


def keyed(part: Check) -> Check:
    """An object with any keys that are no tiles."""

    def check(value: Any, account: Account) -> None:
        for key, one in value.items():
            plain(key, account)
            _at(key, part, one, account)

    return check


def perhaps(part: Check) -> Check:
    def check(value: Any, account: Account) -> None:
        if value is not None:
            part(value, account)

    return check


def deeply_plain(value: Any, account: Account) -> None:
    if isinstance(value, dict):
        keyed(deeply_plain)(value, account)
    elif isinstance(value, list):
        each(deeply_plain)(value, account)
    elif not isinstance(value, float):
        plain(value, account)


# ---- where a tile may stand -----------------------------------------------------------------


def laid(value: Any, account: Account) -> None:
    """On the board for everybody to see."""
    if value not in account.track():
        raise Leak("a tile that is not laid", value)


def own(value: Any, account: Account) -> None:
    """In the hand that this viewer sees."""
    if value not in account.own():
        raise Leak("a tile of somebody else, or of nobody", value)


def laid_or_own(value: Any, account: Account) -> None:
    if value not in account.track():
        own(value, account)


def made_move(value: Any, account: Account) -> None:
    """Of a turn that was made: moves are public."""
    (laid if value in TILES else plain)(value, account)


def possible_move(value: Any, account: Account) -> None:
    """Of a turn that this viewer might make."""
    mover = account.position.table.turn
    if not account.sees(mover):
        raise Leak("a legal move of another's hand", value)
    (own if value in TILES else plain)(value, account)


def first_draw(value: Any, account: Account) -> None:
    """S2: drawn openly, and put back."""
    codes, deal = account.truth.codes, account.truth.state.playing.deal
    if value != [codes[tile] for tile in deal.drawn]:
        raise Leak("not what was drawn for the first player", value)


def tile_drawn(value: Any, account: Account) -> None:
    """T4, T5: the tile for its owner, that there was one for everybody."""
    fields(seat=plain, tile=lambda *_: None)(value, account)
    tile = value["tile"]
    if tile is None:
        return
    if tile not in TILES or not account.knows_hand(value["seat"]):
        raise Leak("a tile that another drew", value)


def hands(value: Any, account: Account) -> None:
    """S3: one's own, or all with `hands = open`; and right."""
    for seat, hand in enumerate(value):
        if hand is None:
            continue
        if not account.knows_hand(seat):
            raise Leak("another's hand", (seat, hand))
        if hand != account.truth.hand(account.turn, seat):
            raise Leak("not the hand of this turn", (seat, hand))


def echo(value: Any, account: Account) -> None:
    """In what is refused: a tile that this viewer has named, or knows."""
    for tile in TILE.findall(value) if isinstance(value, str) else ():
        if tile not in account.sent and tile not in account.track():
            own(tile, account)


# ---- where money may stand ------------------------------------------------------------------


def totals(value: Any, account: Account) -> None:
    """B3: one's own, or all with `cash = open`; and right."""
    for seat, cash in enumerate(value):
        if cash is None:
            continue
        if not account.knows_cash(seat):
            raise Leak("another's cash", (seat, cash))
        if cash != account.position.table.cash[seat]:
            raise Leak("not the cash of this turn", (seat, cash))


def totals_ahead(value: Any, account: Account) -> None:
    """The same in a preview, where it is not so yet."""
    for seat, cash in enumerate(value):
        if cash is not None and not account.knows_cash(seat):
            raise Leak("another's cash", (seat, cash))


def bankruptcy(value: Any, account: Account) -> None:
    """K1: what a bankrupt still had is theirs to know."""
    cards = each(plain)
    check = fields(seat=plain, cash=plain, land=cards, grants=cards, tiles=plain)
    check(value, account)
    hidden = account.truth.options.cash == "hidden" and not account.over
    if value["cash"] is not None and hidden and not account.sees(value["seat"]):
        raise Leak("another's cash", value)


def with_open_cash(part: Check) -> Check:
    """What follows from everybody's cash: who leads, who would win."""

    def check(value: Any, account: Account) -> None:
        if account.truth.options.cash == "hidden" and not account.over:
            raise Leak("this follows from what others have", value)
        part(value, account)

    return check


def own_means(value: Any, account: Account) -> None:
    """What the mover has, told to the mover."""
    if not account.sees(account.position.table.turn):
        raise Leak("another's means", value)


# ---- the messages ---------------------------------------------------------------------------

_LAND = keyed(each(plain))
_SETTINGS = fields(
    edition=plain,
    figures=perhaps(deeply_plain),  # of the host's own making, and public
    options=fields(double_cost=plain, cash=plain, hands=plain),
    aids=plain,
    clock=fields(kind=plain, bank=plain, increment=plain, days=plain),
    public=plain,
    pace=plain,
    stand_in=plain,
)
_SEAT = fields(person=plain, name=plain, level=plain, stands_in=plain, for_good=plain, ready=plain)
_TABLE = fields(
    status=plain,
    settings=_SETTINGS,
    seats=each(_SEAT),
    host=plain,
    shuffle=fields(round=plain, commitment=plain, commitments=keyed(plain), reveal_by=plain),
    muted=each(plain),
    rematch=plain,
)
_VIEW = fields(
    seat=plain,
    cash=totals,
    track=each(laid),
    land=_LAND,
    phase=plain,
    turn=plain,
    chosen=nothing,  # a turn is made whole, so nobody else sees a tile that is being paid for
    bankrupt=each(plain),
    last_spike=plain,
    hands=hands,
    tiles=each(plain),
    pool=plain,
    aside=plain,
    legal=each(possible_move),
    number=plain,
)
_MONEY = {
    "land_sold": fields(seat=plain, city=plain, rank=plain, amount=plain),
    "grant_taken": fields(seat=plain, city=plain),
    "route_finished": fields(seat=plain, route=plain),
    "payout": fields(seat=plain, route=plain, city=plain, cards=plain, amount=plain),
    "land_bought": fields(seat=plain, city=plain, rank=plain, price=plain),
    "nothing_bought": fields(seat=plain),
    "game_over": with_open_cash(
        fields(reason=plain, winners=each(plain), ranks=each(plain), cash=each(plain))
    ),
}
_EVENT = tagged(
    "event",
    _MONEY
    | {
        "first_player": fields(seat=plain, drawn=first_draw),
        "tile_chosen": fields(seat=plain, tile=laid, cost=plain),
        "track_laid": fields(seat=plain, tile=laid, cost=plain, double=plain),
        "last_spike": fields(seat=plain, tile=laid, bonus=plain),
        "tile_drawn": tile_drawn,
        "turn_skipped": fields(seat=plain),
        "bankruptcy": bankruptcy,
        "pool_mixed": fields(tiles=plain),
    },
)
_EVENT_AHEAD = tagged(
    "event",
    _MONEY
    | {
        "tile_chosen": fields(seat=plain, tile=own, cost=plain),
        "track_laid": fields(seat=plain, tile=own, cost=plain, double=plain),
        "last_spike": fields(seat=plain, tile=own, bonus=plain),
    },
)
"""Of a preview: no draw, for nobody can know it yet."""
_HAPPENING = tagged(
    "kind",
    {
        "table_created": fields(settings=_SETTINGS, seats=each(plain), host=plain, again=plain),
        "settings_changed": fields(settings=_SETTINGS),
        "seat_taken": fields(seat=plain, person=plain, name=plain),
        "seat_freed": fields(seat=plain, removed=plain),
        "seat_set": fields(seat=plain, level=plain),
        "round_began": fields(round=plain, commitment=plain, silent=each(plain)),
        "person_ready": fields(seat=plain, commitment=plain),
        "person_not_ready": fields(seat=plain),
        "secrets_asked": fields(round=plain),
        "secret_revealed": fields(seat=plain),
        "game_started": fields(events=each(_EVENT), rules=plain),
        "turn_made": fields(
            turn=plain, seat=plain, moves=each(made_move), level=plain, events=each(_EVENT)
        ),
        "seat_handed_over": fields(seat=plain, level=plain, why=plain),
        "seat_returned": fields(seat=plain),
        "said": fields(channel=plain, person=plain, name=plain, text=plain, seat=plain),
        "muted": fields(person=plain, undo=plain),
        "host_changed": fields(person=plain),
        "clock_given_back": fields(since=plain, ms=plain),
        "table_closed": fields(),
        "rematch_offered": fields(table=plain),
    },
)
_STEP = fields(number=plain, at=plain, happenings=each(_HAPPENING))
_CLAUSE = re.compile(r"[STLFPBKE]\d")
_FACTS = fields(
    tile=echo,
    tiles=echo,
    move=echo,
    cost=plain,
    price=plain,
    means=own_means,
    cash=own_means,
    city=plain,
    card=plain,
    turn=plain,
    now=plain,
    seat=plain,
    reason=echo,
    seconds=plain,
)


def _problem(value: Any, account: Account) -> None:
    """Clauses of the rules look like tiles: the one in `rule` is named once in the message."""
    rule, message = value.get("rule"), value["message"]
    if rule is not None and not _CLAUSE.fullmatch(rule):
        raise Leak("not a clause of the rules", rule)
    if rule is not None:
        before, _, after = message.rpartition(rule)
        message = before + after
    told = {**value, "message": message, "rule": None}
    fields(message=echo, template=plain, facts=_FACTS, rule=nothing)(told, account)


_YOU = fields(person=plain, seats=each(plain), host=plain)
_CLOCK = perhaps(fields(deadline=plain, banks=perhaps(each(plain))))
_REASON = tagged(
    "reason",
    {
        "OnlyMove": fields(),
        "WinsNow": with_open_cash(fields(ahead=plain)),
        "WouldLose": with_open_cash(fields(tile=own, seat=plain, behind=plain)),
        "PaidNow": fields(route=plain, mine=plain, others=plain),
        "FreeGrant": fields(city=plain, expected=plain),
        "RouteLikelier": fields(route=plain, before=plain, after=plain),
        "Cheapest": fields(cost=plain),
        "GoodLand": fields(city=plain, price=plain, expected=plain),
        "DeniesLand": with_open_cash(fields(city=plain, seat=plain)),
        "KeepsCash": fields(cash=own_means),
        "MoneyLeft": fields(cash=own_means),
        "SellsLeast": fields(card=plain, expected=plain),
        "WantsTheEnd": with_open_cash(fields(far=plain)),
        "FearsTheEnd": with_open_cash(fields(far=plain)),
        "KeepsSpike": fields(tile=own),
        "WinChance": with_open_cash(fields(percent=plain, next_best=plain)),
    },
)
_MESSAGES: dict[str, Check] = {
    "welcome": fields(
        protocol=plain,
        version=plain,
        now=plain,
        you=_YOU,
        table=_TABLE,
        steps=each(_STEP),
        looking=plain,
        view=perhaps(_VIEW),
        clock=_CLOCK,
    ),
    "news": fields(
        steps=each(_STEP), table=_TABLE, you=_YOU, looking=plain, view=_VIEW, clock=_CLOCK
    ),
    "view": fields(looking=plain, view=_VIEW),
    "previewed": fields(
        id=plain,
        events=each(_EVENT_AHEAD),
        table=fields(
            cash=totals_ahead, track=each(laid_or_own), land=_LAND, phase=plain, turn=plain
        ),
        hand=each(own),
        money=each(plain),
        legal=each(possible_move),
        turn_over=plain,
    ),
    "hinted": fields(
        id=plain, level=plain, moves=each(possible_move), reasons=each(_REASON), words=each(echo)
    ),
    "accepted": fields(id=plain, number=plain),
    "refused": fields(problem=_problem, id=plain, stale=plain, turn=plain, view=perhaps(_VIEW)),
    "presence": fields(here=each(plain), away_since=each(plain), spectators=plain),
    "pong": fields(id=plain, now=plain),
}
_LISTED = fields(
    table=plain,
    status=plain,
    players=each(plain),
    settings=_SETTINGS,
    created=plain,
    turn=plain,
    mine=each(plain),
    my_turn=plain,
)
_ANSWERS: tuple[tuple[str, Check], ...] = (
    (r"GET /api/tables/? ", fields(tables=each(_LISTED))),
    (r"GET /api/me/tables ", fields(tables=each(_LISTED))),
    (r"GET /api/tables/[\w-]{22} ", _TABLE),
    (r"(GET|POST) /api/me ", fields(person=plain, name=plain)),
    (r"POST /api/tables ", fields(table=plain, person=plain)),
    (r"POST /api/tables/[\w-]{22}/[\w-]+ ", fields(number=plain)),
    (r"POST /api/me/link ", fields(token=plain, expires=plain)),
    (r"POST /api/me/use-link ", fields(number=plain)),
    (r"GET /healthz ", fields(status=plain, version=plain)),
)
_HEADERS = frozenset(
    {
        *("content-type", "content-length", "content-encoding", "transfer-encoding"),
        *("date", "connection", "vary", "cache-control", "retry-after", "set-cookie"),
        *("upgrade", "sec-websocket-accept", "content-security-policy", "x-content-type-options"),
        *("referrer-policy", "cross-origin-opener-policy", "cross-origin-resource-policy"),
        "permissions-policy",
    }
)
_RANDOM = frozenset({"set-cookie", "sec-websocket-accept"})


def account_for(messages: Sequence[Message], truth: Truth, person: str | None) -> int:
    """Look at all that went through a viewer's tap; returns how many messages they were told.

    Raises `Leak` at the first that tells what this viewer may not know.
    """
    accounts: dict[int, Account] = {}
    asked: dict[int, list[str]] = {}
    told = 0
    for place, message in enumerate(messages):
        account = accounts.setdefault(message.connection, Account(truth, person))
        requests = asked.setdefault(message.connection, [])
        try:
            if not message.to_viewer:
                requests += [message.line] if message.kind == "request" else []
                account.asked(message.body)
                continue
            told += 1
            if message.kind == "answer":
                _answered(message, requests.pop(0), account)
            elif message.code == TEXT:
                account.told(message.body)
            elif message.code == CLOSE:
                plain(message.body[2:].decode(), account)
            elif message.code == BINARY or len(message.body) > 4:
                raise Leak("a frame of a kind that nobody sends", message.body)
        except Leak as leak:
            leak.path = f"message {place} of {message.connection}: {leak.path}"
            raise
    return told


def _answered(message: Message, request: str, account: Account) -> None:
    for name, value in message.headers:
        if name not in _HEADERS:
            raise Leak("nobody has said who may know this", f"{name}: {value}")
        if name not in _RANDOM:
            plain(value, account)
    if message.code == 101:
        return
    if request.startswith("GET /metrics "):
        plain(message.body.decode(), account)
        return
    body = msgspec.json.decode(message.body)
    if msgspec.json.encode(body) != message.body:
        raise Leak("there is more in it than it says", message.body)
    if message.code >= 400:
        _at("problem", _problem, body, account)
    elif re.match(r"GET /api/tables/[\w-]{22}/record ", request):
        if "result" not in body:
            raise Leak("a record of a game that is not over", request)
    else:
        check = next((check for path, check in _ANSWERS if re.match(path, request)), None)
        if check is None:
            raise Leak("nobody has said who may know this", request)
        _at(request, check, body, account)


def no_secret_in(told: bytes, truth: Truth, where: str) -> None:
    """No seed, no contribution and no key of the stream, whole or half, in any form."""
    for secret in truth.secrets:
        half = secret[:16]
        forms = [half, half.hex().encode(), half.hex().upper().encode()]
        forms += [b",".join(b"%d" % byte for byte in half)]
        forms += [b", ".join(b"%d" % byte for byte in half)]
        forms += [str(int.from_bytes(secret, order)).encode() for order in ("big", "little")]
        for shift in range(3):  # wherever it begins within something longer, in base 64
            inner = base64.b64encode(bytes(shift) + half)[4 if shift else 0 : 20]
            forms += [inner, inner.replace(b"+", b"-").replace(b"/", b"_")]
        for form in forms:
            if form in told:
                raise Leak(f"a secret in {where}", form)
