"""Positions laid out in a line or two, small maps, and games driven by the texts of moves."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from lastspike.rules.board import Space, board_of
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import IllegalMove
from lastspike.rules.events import Event
from lastspike.rules.game import Game
from lastspike.rules.hidden import Deal
from lastspike.rules.position import Position, legal_moves, play
from lastspike.rules.records import notation
from lastspike.rules.records.shuffle import Stream, seed_of_text
from lastspike.rules.table import BANK, OUT, read_options, setup

CONFORMANCE = Path(__file__).parents[1] / "conformance"
SOAK = os.environ.get("LASTSPIKE_SOAK") == "1"


def reverse(tiles: list[Space]) -> list[Space]:
    """A remix that a test can foresee: the last in edition order is drawn first."""
    return tiles[::-1]


def uneven() -> Edition:
    """The shipped edition with little money, and payouts that are not in step with the cards: each
    adds $1,000 more than the one before."""
    raw = shipped().to_figures()
    raw["id"] = "uneven"
    raw["starting_cash"] = dict.fromkeys(raw["starting_cash"], 14000)
    for city in raw["cities"]:
        first = city["payouts"][0]
        city["payouts"] = [n * first + 1000 * n * (n - 1) // 2 for n in range(1, 6)]
    return figures.read(raw)


def random_game(edition: Edition, players: int, seed: str) -> Game:
    """A finished game of random moves."""
    game = Game.shuffled(setup(edition, players), Stream(seed_of_text(seed)))
    rng = Random(seed)
    while game.legal_moves:
        game.play(rng.choice(game.legal_moves))
    return game


def layout(
    hand: str,
    *,
    cash: Sequence[int] = (30_000, 30_000, 30_000),
    turn: int = 0,
    track: str = "",
    land: str = "",
    hands: Mapping[int, str] | None = None,
    pool: str | None = None,
    phase: str = "lay",
    chosen: str = "-",
    bankrupt: str = "-",
    edition: Edition | None = None,
    hidden_cash: bool = False,
    open_hands: bool = False,
    **options: str,
) -> Position:
    """A position of as many players as there are purses, with the tiles of `hand` to move.

    Tiles are codes with spaces between; a letter alone stands for a whole route. `land` reads
    `DEN:0.1..`, five places by rank; of a city that has track beside it and is not named there,
    the grant left the game. Without `pool` all tiles that are nowhere else are in it, in order;
    with one, they are aside.
    """
    edition = edition or shipped()
    board = board_of(edition)
    laid = _codes(edition, track)
    held = dict.fromkeys(range(len(cash)), "-") | {
        seat: _dotted(_codes(edition, tiles)) for seat, tiles in (hands or {}).items()
    }
    held[turn] = _dotted(_codes(edition, hand))
    drawn = None if pool is None else _codes(edition, pool)
    used = {*laid, *(drawn or ()), *(code for codes in held.values() for code in codes.split("."))}
    rest = [code for code in board.codes if code not in used]
    named = dict(part.split(":") for part in land.split())
    beside = {board.city_codes[board.beside[board.space_of[c]]] for c in laid if c[1] in "14"}
    cities = {code: "x...." if code in beside else "....." for code in board.city_codes} | named
    if hidden_cash:
        options["cash"] = "hidden"
    if open_hands:
        options["hands"] = "open"
    values = {
        "edition": edition.id,
        **read_options(options)._asdict(),
        "phase": phase,
        "turn": turn,
        "chosen": chosen,
        "purses": ",".join(map(str, cash)),
        "track": _dotted(laid),
        "land": ",".join(f"{code}:{cards}" for code, cards in cities.items()),
        "bankrupt": bankrupt,
        "spike": "-",
        "tiles": "/".join(held[seat] for seat in range(len(cash))),
        "pool": _dotted(rest if drawn is None else drawn),
        "aside": _dotted([] if drawn is None else rest),
    }
    text = " ".join(f"{name}={value}" for name, value in values.items())
    return notation.from_text(text, edition)


def played(position: Position, *moves: str) -> tuple[Position, list[Event]]:
    """The position after these moves, and all that happened."""
    events: list[Event] = []
    for text in moves:
        position, more = play(position, position.table.board.parse(text), reverse)
        events += more
    return position, events


def after(position: Position, *moves: str) -> Position:
    return played(position, *moves)[0]


def events_of(position: Position, *moves: str) -> list[Event]:
    return played(position, *moves)[1]


def legal(position: Position) -> list[str]:
    return [move.text for move in legal_moves(position)]


def why_refused(position: Position, text: str) -> IllegalMove:
    """The error that a move meets; the position must be as it was."""
    before = position.copy()
    line = notation.to_text(position)
    try:
        play(position, position.table.board.parse(text), reverse)
    except IllegalMove as error:
        assert position == before
        assert notation.to_text(position) == line
        return error
    raise AssertionError(f"{text} was accepted")


def hand_of(position: Position, seat: int) -> list[str]:
    return [position.table.board.codes[tile] for tile in position.hidden.hands[seat]]


def pool_of(position: Position) -> list[str]:
    return [position.table.board.codes[tile] for tile in position.hidden.pool]


def cards(position: Position, city: str) -> str:
    """A city's five cards by rank, as `layout` takes them."""
    table = position.table
    names = {BANK: ".", OUT: "x"}
    return "".join(names.get(h, str(h)) for h in table.cards_of(table.board.city_of[city]))


def small_map(
    *routes: str,
    cash: Mapping[int, int] | None = None,
    hand_size: int = 1,
    set_aside: Mapping[int, int] | None = None,
    **more: Any,
) -> Edition:
    """An edition of routes such as `A:EST-WST`, the first end of the first being the start and
    the second of the last the finish; every space costs 1,000, every card its rank in thousands.
    """
    ends = {route[0]: route[2:].split("-") for route in routes}
    codes = list(dict.fromkeys(code for pair in ends.values() for code in pair))
    raw: dict[str, Any] = {
        "id": "small",
        "name": "Small",
        "start": codes[0],
        "finish": ends[routes[-1][0]][1],
        "last_spike_bonus": 20_000,
        "hand_size": hand_size,
        "set_aside": {str(players): tiles for players, tiles in (set_aside or {}).items()},
        "starting_cash": {str(p): sum_ for p, sum_ in (cash or {2: 20_000}).items()},
        "cities": [
            {
                "code": code,
                "name": code.title(),
                "land": [0, 1000, 2000, 3000, 4000],
                "payouts": [1000, 2000, 3000, 4000, 5000],
            }
            for code in codes
        ],
        "routes": [
            {"letter": letter, "ends": pair, "costs": [1000] * 4} for letter, pair in ends.items()
        ],
    }
    return figures.read(raw | more)


def dealt(
    edition: Edition, *hands: str, pool: str = "", aside: str = "", first: int = 0, **options: str
) -> Game:
    """A new game with these hands; bankruptcies mix the pool by `reverse`."""
    board = board_of(edition)

    def tiles(text: str) -> tuple[Space, ...]:
        return tuple(board.space_of[code] for code in text.split())

    deal = Deal(first, tuple(tuple(sorted(tiles(h))) for h in hands), tiles(pool), tiles(aside))
    return Game(setup(edition, len(hands), read_options(options)), deal, reverse)


def _codes(edition: Edition, text: str) -> list[str]:
    parts = text.split()
    return [c for part in parts for c in edition.tiles if c == part or c[0] == part]


def _dotted(codes: Sequence[str]) -> str:
    return ".".join(codes) or "-"
