"""The one-line text form of a position, for logs, tests and bug reports. It round-trips.

Fields in a fixed order, `name=value`, `-` for none:
`edition=columbia-2015 double_cost=forced cash=open hands=hidden phase=lay turn=1 chosen=-
purses=50000,50000,49000 track=A1 land=STL:2....,OMA:....., bankrupt=- spike=-
tiles=B2.B3.C3.D4/C1.C2.E1.E2/D1.F1.F2.A2 pool=A3.A4 aside=-`
In `land` each city has five places by rank: a seat, `.` for the bank, `x` for a grant that left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn, cast

from lastspike.rules.board import CITIES_BIT, NO_SPACE, Board, Space
from lastspike.rules.editions.edition import CARDS_A_CITY, Edition
from lastspike.rules.editions.figures import MOST_MONEY, THOUSAND, repr_short
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import EditionError, LastSpikeError, PositionError, wrong_type
from lastspike.rules.hidden import Hidden
from lastspike.rules.position import Position, legal_moves
from lastspike.rules.steps.buying import can_buy
from lastspike.rules.steps.laying import laying_cost
from lastspike.rules.steps.raising import means
from lastspike.rules.table import (
    BANK,
    NOBODY,
    OUT,
    PHASES,
    Phase,
    Table,
    read_options,
    restock,
    setup,
)

_FIELDS = (
    *("edition", "double_cost", "cash", "hands", "phase", "turn", "chosen", "purses", "track"),
    *("land", "bankrupt", "spike", "tiles", "pool", "aside"),
)
_NONE = "-"
_HOLDERS = {BANK: ".", OUT: "x"}


def to_text(position: Position) -> str:
    """The position in one line."""
    if not isinstance(position, Position):
        raise wrong_type("position", "Position", position)
    table, hidden = position.table, position.hidden
    board = table.board

    def codes(tiles: Iterable[Space]) -> str:
        return ".".join(board.codes[tile] for tile in tiles) or _NONE

    values = {
        "edition": board.edition.id,
        **table.setup.options._asdict(),
        "phase": table.phase,
        "turn": str(table.turn),
        "chosen": _NONE if table.chosen == NO_SPACE else board.codes[table.chosen],
        "purses": ",".join(map(str, table.cash)),
        "track": codes(board.spaces_in(table.track)),
        "land": ",".join(
            f"{code}:{''.join(_HOLDERS.get(h, str(h)) for h in table.cards_of(city))}"
            for city, code in enumerate(board.city_codes)
        ),
        "bankrupt": ",".join(map(str, table.bankrupt)) or _NONE,
        "spike": _NONE if table.last_spike == NOBODY else str(table.last_spike),
        "tiles": "/".join(codes(hand) for hand in hidden.hands),
        "pool": codes(hidden.pool),
        "aside": codes(hidden.aside),
    }
    return " ".join(f"{name}={values[name]}" for name in _FIELDS)


def from_text(text: str, edition: Edition | None = None) -> Position:
    """The position that a text describes. `PositionError` if it describes none, or one that can't
    be played on. It isn't checked whether play could have led there.

    Give the edition if it isn't a shipped one.
    """
    if not isinstance(text, str):
        raise wrong_type("text", "str", text)
    if not (edition is None or isinstance(edition, Edition)):
        raise wrong_type("edition", "Edition", edition)
    values = _values(text)
    if edition is None:
        try:
            edition = shipped(values["edition"])
        except EditionError as error:
            raise PositionError(error.template, **error.facts) from None
    elif values["edition"] != edition.id:
        _refuse("edition", edition.id, values["edition"])
    purses = [_number("purses", cash, MOST_MONEY * 100) for cash in values["purses"].split(",")]
    try:
        rules = setup(edition, len(purses), read_options(values))
    except LastSpikeError as error:
        raise PositionError(error.template, **error.facts) from None
    board = rules.board

    def seat(field: str, value: str) -> int:
        return _number(field, value, len(purses) - 1)

    def tiles(field: str, value: str) -> tuple[Space, ...]:
        return tuple(_tile(board, field, code) for code in _list(value, "."))

    table = Table(rules, seat("turn", values["turn"]))
    table.phase = cast(Phase, _choice("phase", values["phase"], PHASES))
    table.cash = purses
    if values["chosen"] != _NONE:
        table.chosen = _tile(board, "chosen", values["chosen"])
    laid = tiles("track", values["track"])
    if len(set(laid)) < len(laid):
        raise PositionError(
            "track: expected each tile once, found {found}", found=repr_short(values["track"])
        )
    table.track = CITIES_BIT | sum(board.bit[tile] for tile in laid)
    masks = enumerate(board.route_mask)
    table.finished = sum(1 << route for route, mask in masks if table.track & mask == mask)
    _read_land(table, values["land"], seat)
    table.bankrupt = tuple(seat("bankrupt", value) for value in _list(values["bankrupt"], ","))
    if values["spike"] != _NONE:
        table.last_spike = seat("spike", values["spike"])
    hands = [tiles("tiles", hand) for hand in values["tiles"].split("/")]
    hidden = Hidden(
        [sorted(hand) for hand in hands],
        tiles("pool", values["pool"]),
        tiles("aside", values["aside"]),
    )
    position = Position(table, hidden)
    _check(position)
    return position


def _values(text: str) -> dict[str, str]:
    parts = [part.partition("=") for part in text.split(" ")]
    if tuple(name for name, _, _ in parts) != _FIELDS:
        raise PositionError("expected the fields {fields}", fields=" ".join(_FIELDS))
    return {name: value for name, _, value in parts}


def _read_land(table: Table, text: str, seat: Callable[[str, str], int]) -> None:
    board = table.board
    places = {".": BANK, "x": OUT}
    cities = [part.partition(":") for part in text.split(",")]
    if tuple(code for code, _, _ in cities) != board.city_codes:
        raise PositionError("land: expected the cities {codes}", codes=" ".join(board.city_codes))
    table.land = [
        places[holder] if holder in places else seat("land", holder)
        for _, _, holders in cities
        for holder in holders
    ]
    if len(table.land) != len(board.prices):
        raise PositionError("land: expected five places for each city")
    for city in range(len(board.city_codes)):
        restock(table, city)


def _check(position: Position) -> None:
    """What every position that can come up in play fulfils."""
    table, hidden, board = position.table, position.hidden, position.table.board
    if len(hidden.hands) != table.setup.players:
        raise PositionError("tiles: expected {count} hands", count=table.setup.players)
    tiles = [*board.spaces_in(table.track), *hidden.pool, *hidden.aside]
    tiles += [tile for hand in hidden.hands for tile in hand]
    if sorted(tiles) != sorted(board.tiles):
        raise PositionError(
            "every tile must appear exactly once: on the board, in a hand, in the pool or set aside"
        )
    if len(set(table.bankrupt)) != len(table.bankrupt):
        raise PositionError("bankrupt: a seat appears twice")
    for seat in table.bankrupt:
        if table.cash[seat] or hidden.hands[seat] or seat in table.land:
            raise PositionError("a bankrupt player has no cash, land or tiles")
    if any(holder == OUT and card % CARDS_A_CITY for card, holder in enumerate(table.land)):
        raise PositionError("land: only free land can leave the game")
    if any(cash % THOUSAND for cash in table.cash):
        raise PositionError("purses: expected multiples of 1000")
    joined = board.joined(table.finished)
    if joined != (table.last_spike != NOBODY) or (joined and table.phase != "over"):
        raise PositionError("spike: the last spike ends the game, and joins start and finish")
    if (table.phase == "raise") != (table.chosen != NO_SPACE):
        raise PositionError("chosen: a tile is chosen in the raise phase, and only then")
    if table.phase == "raise":
        if table.chosen not in position.hand:
            raise PositionError(
                "chosen: the tile must be in the hand of the player whose turn it is"
            )
        cost = laying_cost(table, table.chosen)
        if not table.cash[table.turn] < cost <= means(table, table.turn):
            raise PositionError(
                "chosen: cash must be less than the tile’s cost, and selling "
                "land must make up the rest"
            )
    if table.phase == "buy" and not can_buy(table):
        raise PositionError("phase: in the buy phase, there must be something to buy")
    left = table.setup.players - len(table.bankrupt)
    over = joined or left == 1 or (table.phase == "over" and hidden.nobody_has_a_tile())
    if left < 1 or over != (table.phase == "over"):
        raise PositionError(
            "phase: the game is over after the last spike, with one player "
            "left or with no tiles left, and only then"
        )
    if table.phase != "over" and not (table.in_game(table.turn) and legal_moves(position)):
        raise PositionError("the player whose turn it is has no legal move")


def _tile(board: Board, field: str, code: str) -> Space:
    if code not in board.space_of:
        raise PositionError(
            "{field}: expected a tile, found {found}", field=field, found=repr_short(code)
        )
    return board.space_of[code]


def _choice(field: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise PositionError(
            "{field}: expected one of {choices}, found {found}",
            field=field,
            choices=choices,
            found=repr_short(value),
        )
    return value


def _number(field: str, value: str, most: int) -> int:
    if not (value.isascii() and value.isdecimal()) or len(value) > 15 or int(value) > most:
        raise PositionError(
            "{field}: expected a number from 0 to {most}, found {found}",
            field=field,
            most=most,
            found=repr_short(value),
        )
    if value != str(int(value)):
        _refuse(field, str(int(value)), value)
    return int(value)


def _list(value: str, separator: str) -> list[str]:
    return [] if value == _NONE else value.split(separator)


def _refuse(field: str, expected: str, found: str) -> NoReturn:
    raise PositionError(
        "{field}: expected {expected}, found {found}",
        field=field,
        expected=expected,
        found=repr_short(found),
    )
