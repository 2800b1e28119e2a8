"""Self-play: the net, earlier nets and Surveyors play thousands of games at once.

Each seat chooses the turn with the best value, looking one turn ahead. The learner's turns are kept
as samples, with the results of their games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax, random

from lastspike.batch import State, random_deals, random_remix
from lastspike.batch.steps.turn import end_turn
from lastspike.bots.tycoon.lookahead import best, judged, look, make
from lastspike.bots.tycoon.net import Net
from lastspike.bots.tycoon.outlook import Map
from lastspike.bots.tycoon.surveyor import surveyors_turn
from lastspike.bots.tycoon.value import exact

LEARNER, EARLIER, SURVEYOR = range(3)
"""The kinds of players."""

Array = Any


class Kept(NamedTuple):
    """The samples: every turn of every game, with leading axes [turns, games].

    told      [features]       the features of the position after the turn
    seat      []               the mover
    learnt    []               whether it is a sample: the learner moved, and the game was not over
    explored  []               whether the turn was chosen at random
    chances   [seats]          the mover's estimate for its best turn
    leads     [seats]          likewise
    """

    told: Array
    seat: Array
    learnt: Array
    explored: Array
    chances: Array
    leads: Array


class Played(NamedTuple):
    """Finished games and their samples.

    shares   [games, seats]  of the win
    leads    [games, seats]  final cash minus the best other's
    turns    []              the total number of turns
    """

    kept: Kept
    shares: Array
    leads: Array
    turns: Array


Play = Callable[[Net, Net, Array, Array], Played]
"""Arguments: the net, an earlier one, the kind of player by seat ([games, seats]), and a key."""


def games_on(table: Map, explore: float) -> Play:
    """A compiled function that plays games on this board. The fraction `explore` of turns is
    random, so that the net also learns from positions it would avoid."""
    board = table.board
    most_turns = int(board.tiles.sum())

    def play(net: Net, earlier: Net, who: Array, key: Array) -> Played:
        games = who.shape[0]
        for_remix, for_deals, for_turns = random.split(key, 3)
        remix = random_remix(for_remix, games, board.shape)
        state = random_deals(board, games, for_deals, remix, jnp)

        def turn(state: State, key: Array) -> tuple[State, tuple[Kept, Array]]:
            going_on = (~state.over).sum()
            after, kept = _choose(table, explore, net, earlier, who, state, key)
            return end_turn(board, after, remix, ~after.over, jnp), (kept, going_on)

        state, (kept, turns) = lax.scan(turn, state, random.split(for_turns, most_turns))
        shares, leads = exact(board, state, jnp)
        return Played(kept, shares, leads, turns.sum())

    compiled: Play = jax.jit(play)
    return compiled


def _choose(
    table: Map, explore: float, net: Net, earlier: Net, who: Array, state: State, key: Array
) -> tuple[State, Kept]:
    """Make a turn in every game, without the draw."""
    games = state.games
    rows = jnp.arange(games)
    seen = look(table, state, jnp)
    verdict = judged(table, net, state, seen, jnp)
    greedy = best(verdict, seen.there, jnp)
    by_lot, whether = random.split(key)
    lots = random.uniform(by_lot, seen.there.shape)
    drawn = jnp.argmax(jnp.where(seen.there, lots, -1.0), axis=1)
    mover = who[rows, state.turn]
    explored = (random.uniform(whether, (games,)) < explore) & (mover == LEARNER)
    index = jnp.where(explored, drawn, greedy)
    rival = best(judged(table, earlier, state, seen, jnp), seen.there, jnp)
    index = jnp.where(mover == EARLIER, rival, index)
    index = jnp.where(mover == SURVEYOR, surveyors_turn(table, state, seen.laid, jnp), index)
    kept = Kept(
        told=seen.told[rows * seen.there.shape[1] + index].astype(jnp.bfloat16),
        seat=state.turn,
        learnt=(mover == LEARNER) & ~state.over,
        explored=explored,
        chances=verdict.chances[rows, greedy],
        leads=verdict.leads[rows, greedy],
    )
    return make(table.board, state, seen.laid, index, jnp), kept
