"""The policy of a review's playouts: Surveyor's evaluation with noise.

Surveyor is deterministic. With known hands and an empty pool its game has only one ending, so every
late position would count as won or lost. People are less predictable, so the scores of tiles and
purchases are blurred a little.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from lastspike.bots.judgement import judge
from lastspike.rules.board import Space
from lastspike.rules.moves import Move
from lastspike.rules.outcome import outcome, win_share
from lastspike.rules.position import Position, advance, legal_moves
from lastspike.rules.steps.bankruptcy import Remix
from lastspike.rules.table import Table

BLUR = 2000.0
"""The scale of the noise in dollars. Of the values tried, from 0 to 8,000, it predicted the winners
of games between Speculators best, and those of weaker players far better than no noise."""

_NOISES = 1 << 15


class Fortune(NamedTuple):
    """The randomness of a playout apart from hidden tiles: the noise on scores, and remixes after
    bankruptcies.

    A move in a given turn always gets the same noise, however the game got there. So two playouts
    with the same fortune differ by little else than their first moves.
    """

    offset: int
    mixing: int

    def remix(self) -> Remix:
        """A function that mixes the pool, differently for each bankruptcy of a game."""
        mixer: list[Random] = []

        def mixed(tiles: list[Space]) -> Sequence[Space]:
            if not mixer:
                mixer.append(Random(self.mixing))
            mixer[0].shuffle(tiles)
            return tiles

        return mixed


def new_fortune(rng: Random) -> Fortune:
    return Fortune(rng.randrange(_NOISES), rng.getrandbits(32))


def play_on(
    position: Position, fortune: Fortune, begun: Sequence[Move] = (), remix: Remix | None = None
) -> Table:
    """Play these moves, then play to the end. Modifies the position; pass `remix` if the fortune's
    was already in use."""
    remix = remix or fortune.remix()
    for move in begun:
        advance(position, move, remix)
    while legal := legal_moves(position):
        advance(position, likely_choice(position, legal, fortune), remix)
    return position.table


def likely_choice(position: Position, legal: list[Move], fortune: Fortune) -> Move:
    """The mover's noisy choice, from the open table and the mover's own hand."""
    if len(legal) == 1:
        return legal[0]
    table = position.table
    scored = judge(table, position.hidden.hands[table.turn], legal)
    if table.phase == "raise":  # these scores are ratios, not dollars: no noise
        return max(scored)[1]
    noise, first = _noise(), fortune.offset + table.track.bit_count() * len(table.board.moves)
    return max(
        [
            (score + noise[(first + move.number) % _NOISES], move.number, move)
            for score, move in scored
        ]
    )[2]


def shares_of_win(table: Table) -> tuple[float, ...]:
    """Each seat's share of the win in a finished game; ties are shared (E2)."""
    result = outcome(table)
    assert result is not None
    return tuple(win_share(result.winners, seat) for seat in range(len(table.cash)))


@cache
def _noise() -> tuple[float, ...]:
    """Gumbel noise: a move that is better by BLUR is chosen e times as often."""
    rng = Random("blur")
    return tuple(-BLUR * math.log(-math.log(rng.random() or 0.5)) for _ in range(_NOISES))
