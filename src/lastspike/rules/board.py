"""The board: tables that follow from an edition's figures, computed once.

Spaces, routes and cities are numbered in the order of their codes, so that what is sorted by number
is sorted by text. A set of spaces is a bitmask in which bit 0 stands for the cities, which are
always there: a space has track or a city beside it when `track & near[space]` is not zero.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from threading import Lock
from typing import Any

from .editions.edition import CARDS_A_CITY, SPACES_A_ROUTE, Edition, reached
from .editions.figures import repr_short
from .errors import UnknownMove, wrong_type
from .moves import PASS_TEXT, Move, buy_text, lay_text, sell_text

Seat = int
Space = int
Route = int
City = int
Card = int
"""City times five plus rank."""

CITIES_BIT = 1
NO_CITY = -1
NO_SPACE = -1
MOST_KEPT_MOVES = 9_000
"""Of all boards kept for later. About 64 usual boards or 15 of the largest: 8 MB."""
NOT_FOR_SALE = 1 << 60
"""Stands where a price would, for a city that is not open or has no card left."""


class Board:
    """Everything about an edition's map, land and moves that never changes during a game."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        cities = sorted(edition.cities, key=lambda city: city.code)
        routes = sorted(edition.routes, key=lambda route: route.letter)
        self.city_codes = tuple(city.code for city in cities)
        self.letters = tuple(route.letter for route in routes)
        self.codes = tuple(
            f"{letter}{place + 1}" for letter in self.letters for place in range(SPACES_A_ROUTE)
        )
        self.space_of = {code: space for space, code in enumerate(self.codes)}
        self.city_of = {code: city for city, code in enumerate(self.city_codes)}
        self.route_of = {letter: route for route, letter in enumerate(self.letters)}
        self.tiles: tuple[Space, ...] = tuple(self.space_of[code] for code in edition.tiles)
        """All tiles in edition order, as the shuffle takes them."""

        self.ends: tuple[tuple[City, City], ...] = tuple(
            (self.city_of[route.ends[0]], self.city_of[route.ends[1]]) for route in routes
        )
        self.start = self.city_of[edition.start]
        self.finish = self.city_of[edition.finish]
        self.costs = tuple(cost for route in routes for cost in route.costs)
        self.dearest = 2 * max(self.costs)
        """Who has this much can pay for any tile anywhere."""

        spaces = range(len(self.codes))
        self.bit = tuple(2 << space for space in spaces)
        self.beside = tuple(self._city_beside(space) for space in spaces)
        """The city that a space touches, or NO_CITY."""
        self.near = tuple(self._near(space) for space in spaces)
        whole = (2 << SPACES_A_ROUTE) - 2
        self.route_mask = tuple(whole << (SPACES_A_ROUTE * r) for r in range(len(routes)))
        self.routes_of_city = tuple(
            sum(1 << route for route, ends in enumerate(self.ends) if city in ends)
            for city in range(len(cities))
        )
        """For each city a bitmask of the routes that end there."""

        self.prices = tuple(price for city in cities for price in city.land)
        self.fetches = tuple((price // 1000 + 1) // 2 * 1000 for price in self.prices)
        """F2: what the bank pays for each card, half its price rounded up to whole thousands."""
        self.payouts = tuple((0, *city.payouts) for city in cities)
        """By city and number of cards held, from none on."""

        self.moves = self._all_moves()
        self.move_of = {move.text: move for move in self.moves}
        self.lays = tuple(self.move_of[lay_text(code)] for code in self.codes)
        self.buys = tuple(self.move_of[buy_text(code)] for code in self.city_codes)
        self.passing = self.move_of[PASS_TEXT]
        self.joined = lru_cache(maxsize=1 << 14)(self._joined)

    def __eq__(self, other: object) -> bool:
        # The cached one of an edition may have been made again in the meantime.
        if not isinstance(other, Board):
            return NotImplemented
        return self is other or self.edition == other.edition

    def __hash__(self) -> int:
        return hash(self.edition)

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickling or copying a board gives the cached one of its edition.
        return board_of, (self.edition,)

    def parse(self, text: str) -> Move:
        """The move a text stands for; `UnknownMove` if it is none of this board's."""
        if not isinstance(text, str):
            raise wrong_type("move", "str", text)
        if text in self.move_of:
            return self.move_of[text]
        if text[:1] == "-" and text[1:-1] in self.city_of and text[-1:] == "0":
            raise UnknownMove("F3", "{move}: the bank doesn’t buy free land", move=repr_short(text))
        raise UnknownMove("", "{move} isn’t a move in this edition", move=repr_short(text))

    def move(self, given: Move | str) -> Move:
        """The move given by itself or by its text; `UnknownMove` if it is none of this board's."""
        if isinstance(given, str):
            return self.parse(given)
        if not isinstance(given, Move):
            raise wrong_type("move", "Move | str", given)
        if self.move_of.get(given.text) != given:
            raise UnknownMove(
                "", "{move} isn’t a move in this edition", move=repr_short(given.text)
            )
        return given

    def card_text(self, card: Card) -> str:
        """A card as people and sales name it: city code and rank."""
        city, rank = divmod(card, CARDS_A_CITY)
        return f"{self.city_codes[city]}{rank}"

    def spaces_in(self, track: int) -> list[Space]:
        """The spaces of a bitmask, ascending."""
        return [space for space, bit in enumerate(self.bit) if track & bit]

    def _joined(self, finished: int) -> bool:
        """E1: whether the finished routes (a bitmask) join start and finish."""
        finished_ends = (ends for route, ends in enumerate(self.ends) if finished >> route & 1)
        return self.finish in reached(self.start, finished_ends)

    def _city_beside(self, space: Space) -> City:
        route, place = divmod(space, SPACES_A_ROUTE)
        if place == 0:
            return self.ends[route][0]
        return self.ends[route][1] if place == SPACES_A_ROUTE - 1 else NO_CITY

    def _near(self, space: Space) -> int:
        """L2: the spaces before and after on the route, and the cities at its ends."""
        place = space % SPACES_A_ROUTE
        before = self.bit[space - 1] if place > 0 else CITIES_BIT
        after = self.bit[space + 1] if place < SPACES_A_ROUTE - 1 else CITIES_BIT
        return before | after

    def _all_moves(self) -> tuple[Move, ...]:
        moves = [Move(0, lay_text(code), "lay", space=s) for s, code in enumerate(self.codes)]
        moves += [
            Move(0, sell_text(code, rank), "sell", city=city, rank=rank)
            for city, code in enumerate(self.city_codes)
            for rank in range(1, CARDS_A_CITY)
        ]
        moves += [Move(0, buy_text(code), "buy", city=c) for c, code in enumerate(self.city_codes)]
        moves.append(Move(0, PASS_TEXT, "pass"))
        moves.sort(key=lambda move: move.text)
        return tuple(move._replace(number=number) for number, move in enumerate(moves))


class _Boards:
    """The boards used last that have `MOST_KEPT_MOVES` together: a board’s size goes by moves."""

    def __init__(self) -> None:
        self._boards: OrderedDict[Edition, Board] = OrderedDict()
        self._moves = 0
        self._lock = Lock()

    def get(self, edition: Edition) -> Board:
        with self._lock:
            board = self._boards.get(edition)
            if board is None:
                board = self._boards[edition] = Board(edition)
                self._moves += len(board.moves)
            self._boards.move_to_end(edition)
            while self._moves > MOST_KEPT_MOVES and len(self._boards) > 1:
                _, oldest = self._boards.popitem(last=False)
                self._moves -= len(oldest.moves)
            return board

    def __len__(self) -> int:
        return len(self._boards)


boards = _Boards()


def board_of(edition: Edition) -> Board:
    """The edition's board, made once."""
    return boards.get(edition)
