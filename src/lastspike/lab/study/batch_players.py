"""Players that choose turns in many games at once: Surveyors, and Tycoons without search.

Array results have float32 rounding errors that depend on the batch, but no game may depend on the
others in its batch. So a turn is `sure` only if it is best by more than the rounding error;
otherwise the ordinary player chooses.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from lastspike.batch import BUY, Board, State
from lastspike.batch.arrays import Array, as_array, pick
from lastspike.batch.board import THOUSAND
from lastspike.batch.steps.laying import laying_costs
from lastspike.batch.steps.turn import play
from lastspike.batch.turns import tiles_to_lay
from lastspike.bots.judgement import USUAL
from lastspike.bots.levels import make_player
from lastspike.bots.playout import quick_choice
from lastspike.bots.tycoon.lookahead import judged, look, tiles_in_hand, worths
from lastspike.bots.tycoon.net_lookup import NetForMap, net_for
from lastspike.bots.tycoon.outlook import Map, Outlook, map_of, outlook_of
from lastspike.bots.tycoon.surveyor import NEVER, tile_scores, worth_buying
from lastspike.rules.editions.edition import SPACES_A_ROUTE
from lastspike.rules.game import Game
from lastspike.rules.position import legal_moves
from lastspike.rules.table import Setup

from .notes import TYCOON_AHEAD

ROUNDING = 1e-6
"""The relative rounding error of a float32 sum."""

CLOSE = 1e-4
"""In wins: net values that differ by less may swap their order in another batch."""


class Chosen(NamedTuple):
    """A turn for each game.

    space      [games]  of the tile to lay
    purchase   [games]  0 to buy nothing, else the city plus one
    sure       [games]  whether the ordinary player would choose the same, without a sale
    """

    space: Array
    purchase: Array
    sure: Array


class BatchPlayers(Protocol):
    """Deterministic players of one kind in all seats."""

    @property
    def table(self) -> Map: ...

    def choose(self, state: State) -> Chosen:
        """A turn for each game; all must be in phase LAY."""

    def make_turn(self, game: Game) -> None:
        """Make a turn in one game with the ordinary player."""


def batch_players_of(name: str, setup: Setup) -> BatchPlayers:
    """The batch players for a name in `GAMES_AT_ONCE`."""
    found_net = net_for(setup) if name == TYCOON_AHEAD else None
    return Surveyors(map_of(setup)) if found_net is None else Tycoons(found_net)


class Surveyors:
    def __init__(self, table: Map) -> None:
        self.table = table
        board = table.board
        figures = (board.payouts, board.prices, board.costs, board.bonus)
        largest = max(USUAL.reserve / THOUSAND, *(float(amounts.max()) for amounts in figures))
        self._close = ROUNDING * board.shape.routes * largest

    def choose(self, state: State) -> Chosen:
        table, games = self.table, np.arange(state.games)
        board = table.board
        outlook = outlook_of(table, state, state.turn, np)
        spaces, there = (
            values.T for values in tiles_to_lay(board, state, tiles_in_hand(table), np)
        )
        scores = np.where(there, tile_scores(table, state, spaces, outlook, np), NEVER)
        tile, sure = _clearly_best(scores, self._close)
        space = spaces[tile, games]
        ends = pick(_last_spikes(board, state, outlook), spaces // SPACES_A_ROUTE, np)
        sure &= ~(there & ends).any(axis=0) & _paid_in_cash(board, state, space)
        after, turn_over = play(board, state, space, np)
        worth = worth_buying(after, outlook_of(table, after, after.turn, np), np)
        nothing = np.zeros((1, state.games), dtype=np.float32)
        purchase, clear = _clearly_best(np.concatenate([nothing, worth]), self._close)
        buying = (after.phase == BUY) & ~turn_over
        return Chosen(space, np.where(buying, purchase, 0), sure & (clear | ~buying))

    def make_turn(self, game: Game) -> None:
        while True:
            game.play(quick_choice(game.position, legal_moves(game.position)))
            if game.position.table.phase in ("lay", "over"):
                return


class Tycoons:
    def __init__(self, found_net: NetForMap) -> None:
        self.table, self._net = found_net
        self._player = make_player(TYCOON_AHEAD, "")  # its choices do not depend on the seed

    def choose(self, state: State) -> Chosen:
        table, games = self.table, np.arange(state.games)
        seen = look(table, state, np)
        liked = worths(judged(table, self._net, state, seen, np), seen.there, np)
        number, sure = _clearly_best(liked.T, CLOSE)
        tile, purchase = np.divmod(number, 1 + table.board.shape.cities)
        spaces = seen.laid.space.reshape(state.games, -1)
        there = seen.laid.there.reshape(spaces.shape)
        paid = _paid_in_cash(table.board, state, spaces.T).T | ~there
        return Chosen(spaces[games, tile], purchase, sure & paid.all(axis=1))

    def make_turn(self, game: Game) -> None:
        for move in self._player.turn(game.view(game.turn)):
            game.play(move)


def _clearly_best(scores: Array, close: float) -> tuple[Array, Array]:
    """[games] twice: which of [choices, games] is best, and whether none comes close to it."""
    near = (scores > scores.max(axis=0) - np.float32(close)).sum(axis=0)
    return as_array(scores.argmax(axis=0)), as_array(near == 1)


def _paid_in_cash(board: Board, state: State, space: Array) -> Array:
    """Whether the mover's cash covers the tile of a space, without a sale."""
    cost = pick(laying_costs(board.costs, state.laid, np), space, np)
    return as_array(cost <= pick(state.purses, state.turn, np))


def _last_spikes(board: Board, state: State, outlook: Outlook) -> Array:
    """[routes, games]: whether one more tile of the route would end the game."""
    one, other = (state.linked[ends[:, 0]] for ends in board.ends)
    start, finish = state.linked[board.start[0]], state.linked[board.finish[0]]
    joins = ((one == start) & (other == finish)) | ((one == finish) & (other == start))
    return as_array(joins & (outlook.missing == 1))
