"""What may be told, to whom, at which place of which message, and why: all else is a leak.

Every part of every message is looked at, keys included. A field that is not on these lists is a
leak whatever it holds: whoever adds one to the protocol has to say here who may know it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from .accounts import TILE, TILES, Account, Leak, Truth
from .wiretap import BINARY, CLOSE, TEXT, Message

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
    clock=fields(kind=plain, bank=plain, increment=plain, days=plain, hours=plain, most=plain),
    public=plain,
    pace=plain,
    stand_in=plain,
)
_HOLIDAYS = each(each(plain))
_SEAT = fields(
    person=plain,
    name=plain,
    level=plain,
    stands_in=plain,
    for_good=plain,
    ready=plain,
    holidays=_HOLIDAYS,
)
_TABLE = fields(
    status=plain,
    settings=_SETTINGS,
    seats=each(_SEAT),
    host=plain,
    shuffle=fields(
        round=plain,
        commitment=plain,
        commitments=keyed(plain),
        reveal_by=plain,
        stopped=each(fields(round=plain, silent=each(plain), left=each(plain))),
    ),
    muted=each(plain),
    rematch=plain,
    end_agreed=each(plain),
    removed=each(plain),
    daily=perhaps(fields(day=plain, number=plain, ranked=plain)),
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
        "round_began": fields(round=plain, commitment=plain, silent=each(plain), left=each(plain)),
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
        "let_back": fields(person=plain),
        "host_changed": fields(person=plain),
        "clock_given_back": fields(since=plain, ms=plain),
        "end_agreed": fields(seat=plain, undo=plain),
        "table_closed": fields(),
        "rematch_offered": fields(table=plain),
        "person_forgotten": fields(person=plain),
        "holidays_announced": fields(person=plain, holidays=_HOLIDAYS),
        "nudged": fields(seat=plain, by=plain),
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
    fields(message=echo, template=plain, facts=_FACTS, rule=nothing, code=plain)(told, account)


_YOU = fields(person=plain, seats=each(plain), host=plain)
_CLOCK = perhaps(fields(deadline=plain, banks=perhaps(each(plain)), nudge=plain))
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
    to_move=plain,
    left=plain,
    rank=plain,
)
_ANSWERS: tuple[tuple[str, Check], ...] = (
    (r"GET /api/tables/? ", fields(tables=each(_LISTED))),
    (r"GET /api/me/tables ", fields(tables=each(_LISTED))),
    (r"GET /api/tables/[\w-]{22} ", _TABLE),
    (r"(GET|POST) /api/me ", fields(person=plain, name=plain)),
    (r"POST /api/tables ", fields(table=plain, person=plain)),
    (r"POST /api/tables/[\w-]{22}/[\w-]+ ", fields(number=plain)),
    (r"POST /api/me/link ", fields(token=plain, expires=plain, qr=plain)),
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
                _told(account.told(message.body), account)
            elif message.code == CLOSE:
                plain(message.body[2:].decode(), account)
            elif message.code == BINARY or len(message.body) > 4:
                raise Leak("a frame of a kind that nobody sends", message.body)
        except Leak as leak:
            leak.path = f"message {place} of {message.connection}: {leak.path}"
            raise
    return told


def _told(message: dict[str, Any], account: Account) -> None:
    kind = message.pop("type")
    _at(kind, _MESSAGES[kind], message, account)


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
