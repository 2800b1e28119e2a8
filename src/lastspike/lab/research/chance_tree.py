"""The game tree with explicit chance nodes: the first player, and each tile dealt or drawn.

In the rules the pool's order is fixed when it is mixed. In the tree each draw is a chance node over
the tiles in the pool. The game is the same, since nobody sees the order, and a search can't exploit
it. For the same reason there is no remix after a bankruptcy.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from typing import Any, NamedTuple

from lastspike.rules.board import Seat, Space
from lastspike.rules.editions.edition import CARDS_A_CITY
from lastspike.rules.events import Bankruptcy, Event
from lastspike.rules.hidden import Deal, Hidden
from lastspike.rules.moves import Move
from lastspike.rules.position import Position, advance, legal_moves, start
from lastspike.rules.steps.laying import adjacent, laying_cost, payable
from lastspike.rules.steps.turn import why_illegal
from lastspike.rules.table import Setup, Table

NOBODY = -1
"""The owner of tiles that are set aside."""


class RuledOut(NamedTuple):
    """Public knowledge about a hand: before event `when` the seat had none of these tiles, since it
    would have had to lay one (L5) or could have paid for one (L6)."""

    when: int
    seat: Seat
    tiles: frozenset[Space]


class TreeNode:
    """An immutable node of the tree; `after_chance` and `after_move` return new nodes.

    setup       the game's setup
    chances     the chance outcomes so far, in order: the first player, the tiles put aside, the
                hands seat by seat, then each tile drawn
    moves       the players' moves so far
    position    the position, right before the draw at a chance node; None during the deal. The
                order of its pool has no meaning
    history     all events, including private ones
    ruled_out   what choices and bankruptcies reveal about hands
    """

    __slots__ = (
        "_before",
        "_drawn",
        "_move",
        "chances",
        "history",
        "moves",
        "position",
        "ruled_out",
        "setup",
    )

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.chances: tuple[int, ...] = ()
        self.moves: tuple[Move, ...] = ()
        self.position: Position | None = None
        self.history: tuple[Event, ...] = ()
        self.ruled_out: tuple[RuledOut, ...] = ()
        # At a draw: the node before the last move, that move, and the tiles already drawn after it.
        self._before: TreeNode | None = None
        self._move: Move | None = None
        self._drawn: tuple[Space, ...] = ()

    def __deepcopy__(self, _memo: dict[int, Any]) -> TreeNode:
        return self

    @property
    def by_chance(self) -> bool:
        """Whether this is a chance node."""
        return self.position is None or self._before is not None

    @property
    def over(self) -> bool:
        return self.position is not None and self.position.table.phase == "over"

    @property
    def owners(self) -> list[Seat]:
        """The owner of each tile of the deal, in order."""
        edition, players = self.setup.edition, self.setup.players
        aside = [NOBODY] * edition.set_aside.get(players, 0)
        return aside + [seat for seat in range(players) for _ in range(edition.hand_size)]

    @property
    def possible(self) -> Sequence[int]:
        """The equally likely chance outcomes: the first player's seat, then tiles."""
        if not self.chances:
            return range(self.setup.players)
        if self.position is not None:
            return sorted(self.position.hidden.pool)
        dealt = set(self.chances[1:])
        return [tile for tile in range(len(self.setup.board.codes)) if tile not in dealt]

    def after_chance(self, brought: int) -> TreeNode:
        """The node after one of the possible chance outcomes."""
        if brought not in self.possible:
            raise ValueError(f"chance can't bring {brought}")
        if self._before is not None and self._move is not None:
            return self._before._played(self._move, (*self._drawn, brought))
        new = TreeNode(self.setup)
        new.chances = (*self.chances, brought)
        if len(new.chances) > len(self.owners):
            new._begin()
        return new

    def after_move(self, move: Move) -> TreeNode:
        """The node after a move; `IllegalMove` if it is illegal."""
        position = self.position
        assert position is not None
        if move not in legal_moves(position):
            raise why_illegal(position.table, position.hand, move)
        return self._played(move, ())

    def _begin(self) -> None:
        """Start the game after the deal. No draw comes before the first move."""
        first, tiles = self.chances[0], self.chances[1:]
        hands: list[list[Space]] = [[] for _ in range(self.setup.players)]
        aside: list[Space] = []
        for tile, owner in zip(tiles, self.owners, strict=True):
            (aside if owner == NOBODY else hands[owner]).append(tile)
        pool = [tile for tile in self.setup.board.tiles if tile not in tiles]
        sorted_hands = tuple(tuple(sorted(hand)) for hand in hands)
        dealt = Deal(first, sorted_hands, tuple(pool), tuple(aside))
        self.position, events = start(self.setup, dealt, _as_it_is)
        self.history = tuple(events)
        self.ruled_out = tuple(_bankrupt_hands(self.position.table, events, 0))

    def _played(self, move: Move, drawn: tuple[Space, ...]) -> TreeNode:
        """The node after a move and these draws; a chance node if another draw follows."""
        before = self.position
        assert before is not None
        hidden = _Undrawn(before.hidden, drawn)
        position = Position(before.table.copy(), hidden)
        events: list[Event] = []
        new = TreeNode(self.setup)
        try:
            advance(position, move, _as_it_is, events)
        except _NextDraw:
            new._before, new._move, new._drawn = self, move, drawn
        new.chances = self.chances + drawn
        new.moves = (*self.moves, move)
        new.position = Position(position.table, hidden.copy())
        new.history = (*self.history, *events)
        new.ruled_out = (
            *self.ruled_out,
            *_at_double_cost(before.table, move, len(self.history)),
            *_bankrupt_hands(position.table, events, len(self.history)),
        )
        return new


def _as_it_is(tiles: list[Space]) -> list[Space]:
    return tiles


class _NextDraw(Exception):
    """A draw is needed whose tile is not yet chosen."""


class _Undrawn(Hidden):
    """Hidden tiles with a pool from which only the chosen tiles are drawn."""

    __slots__ = ("settled",)

    def __init__(self, hidden: Hidden, settled: Sequence[Space]) -> None:
        super().__init__(hidden.hands, hidden.pool, hidden.aside)
        self.settled = list(settled)

    def draw(self, seat: Seat) -> Space:
        if not self.settled:
            raise _NextDraw
        tile = self.settled.pop(0)
        self.pool.remove(tile)
        insort(self.hands[seat], tile)
        return tile


def _at_double_cost(table: Table, move: Move, when: int) -> list[RuledOut]:
    """L5: a player who lays at double cost has no payable tile next to a city or track."""
    forced = table.setup.options.double_cost == "forced"
    if move.kind != "lay" or not forced or adjacent(table, move.space):
        return []
    tiles = [tile for tile in payable(table, _unlaid(table)) if adjacent(table, tile)]
    return [RuledOut(when, table.turn, frozenset(tiles))]


def _bankrupt_hands(table: Table, events: Sequence[Event], begin: int) -> list[RuledOut]:
    """L6: a bankrupt had no tile that cash and land could pay for. The table's track and finished
    routes still apply: nothing is laid between turns."""
    board = table.board
    found = []
    for when, event in enumerate(events, begin):
        if isinstance(event, Bankruptcy):
            cards = [board.city_of[text[:-1]] * CARDS_A_CITY + int(text[-1]) for text in event.land]
            open_cards = [
                card
                for card in cards
                if board.routes_of_city[card // CARDS_A_CITY] & ~table.finished
            ]
            most = (event.cash or 0) + sum(board.fetches[card] for card in open_cards)
            tiles = [tile for tile in _unlaid(table) if laying_cost(table, tile) <= most]
            found.append(RuledOut(when, event.seat, frozenset(tiles)))
    return found


def _unlaid(table: Table) -> list[Space]:
    return [tile for tile in table.board.tiles if not table.track & table.board.bit[tile]]
