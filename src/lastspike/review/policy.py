"""How a review plays games on: every seat like Surveyor, but not always the same.

A Surveyor leaves nothing to chance. From a position whose hands are known and whose pool is empty
its game could end in one way only, and a review would call every late position won or lost. People
can't be foretold like that: so what Surveyor thinks of each tile and purchase is blurred a little.
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
"""By how many dollars, more or less, a judgement is off. Of the blurs tried, from 0 to 8,000, it
foretold the winners of games between Speculators best, and those of weaker players far better than
none."""

_NOISES = 1 << 15


class Fortune(NamedTuple):
    """What is left to chance when a position is played on, hidden tiles apart: how judgements are
    blurred, and how the pool is mixed after bankruptcies.

    The same move in the same turn of the game is blurred alike, however the game got there. So two
    ways to play on with the same fortune differ by their moves and by little else.
    """

    offset: int
    mixing: int

    def remix(self) -> Remix:
        """Mixes the pool; the second bankruptcy of a game in another way than the first."""
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
    """Play these moves, then the game to its end. The position given is used up; `remix` is the
    fortune's, where it was in use before."""
    remix = remix or fortune.remix()
    for move in begun:
        advance(position, move, remix)
    while legal := legal_moves(position):
        advance(position, likely_choice(position, legal, fortune), remix)
    return position.table


def likely_choice(position: Position, legal: list[Move], fortune: Fortune) -> Move:
    """The move for the player to move, from the open table and the mover's own hand."""
    if len(legal) == 1:
        return legal[0]
    table = position.table
    scored = judge(table, position.hidden.hands[table.turn], legal)
    if table.phase == "raise":  # judged by the dollar, not in dollars
        return max(scored)[1]
    noise, first = _noise(), fortune.offset + table.track.bit_count() * len(table.board.moves)
    return max(
        [
            (score + noise[(first + move.number) % _NOISES], move.number, move)
            for score, move in scored
        ]
    )[2]


def shares_of_win(table: Table) -> tuple[float, ...]:
    """Of a finished game, each seat's share of the win; ties are shared (E2)."""
    result = outcome(table)
    assert result is not None
    return tuple(win_share(result.winners, seat) for seat in range(len(table.cash)))


@cache
def _noise() -> tuple[float, ...]:
    """Gumbel's distribution: among moves blurred by it, one that is better by BLUR is preferred
    e times to one."""
    rng = Random("blur")
    return tuple(-BLUR * math.log(-math.log(rng.random() or 0.5)) for _ in range(_NOISES))
