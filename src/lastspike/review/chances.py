"""Every player's win chance, turn by turn, and whether play or luck changed it.

The chance at a moment is the share of wins (ties shared) when `policy.py` plays the game on from
there, with the real hands and the undrawn tiles in random order.

Each turn has three moments: its start, after its moves but before the draw, and the next turn's
start. Play explains the change from the first to the second: how the turn compares with likely
ones. Luck explains the change from the second to the third: the tile drawn, and the remix after a
bankruptcy. Chances are equal before the deal, so the first moment shows the luck of the deal.

All moments use the same worlds. A world is an order of all tiles, in which undrawn ones are drawn,
and a fortune. If the policy makes the moves that were played, the first two moments have the same
end, and it is computed once.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from random import Random
from typing import NamedTuple

from lastspike.rules.board import Space
from lastspike.rules.hidden import Hidden
from lastspike.rules.position import Position, advance, legal_moves
from lastspike.rules.records.turns import GameTurns, Turn

from .policy import Fortune, likely_choice, new_fortune, play_on, shares_of_win

Shares = tuple[float, ...]
"""By seat."""


class World(NamedTuple):
    """`place` is each tile's place in the drawing order."""

    place: tuple[int, ...]
    fortune: Fortune


class Moment(NamedTuple):
    """The result in each world when the game is played on from a moment."""

    ends: tuple[Shares, ...]

    def chance(self, seat: int) -> float:
        return sum(shares[seat] for shares in self.ends) / len(self.ends)

    @property
    def chances(self) -> Shares:
        return tuple(self.chance(seat) for seat in range(len(self.ends[0])))


class WinChances(NamedTuple):
    """The moments at the start of each turn, then the end; and those after each turn's moves."""

    begun: tuple[Moment, ...]
    moved: tuple[Moment, ...]


def win_chances(played: GameTurns, seed: str, worlds: int) -> Generator[int, None, WinChances]:
    """Play on from every moment of the game in `worlds` worlds. Yields the number of playouts after
    each turn."""
    tiles = len(played.game.setup.board.codes)
    rng = Random(f"{seed}/course")
    all_worlds = [new_world(tiles, rng) for _ in range(worlds)]
    begun: list[Moment] = []
    moved: list[Moment] = []
    for turn in played.turns:
        ends = [both_ends(turn, world) for world in all_worlds]
        begun.append(Moment(tuple(before for before, _ in ends)))
        moved.append(Moment(tuple(after for _, after in ends)))
        yield 2 * worlds
    last = played.turns[-1].after if played.turns else played.start
    begun.append(Moment((shares_of_win(last.table),) * worlds))
    return WinChances(tuple(begun), tuple(moved))


def new_world(tiles: int, rng: Random) -> World:
    return World(tuple(rng.sample(range(tiles), tiles)), new_fortune(rng))


def both_ends(turn: Turn, world: World) -> tuple[Shares, Shares]:
    """The results of playing on from the start of the turn and from after its moves."""
    position = in_world(turn.before, world)
    remix = world.fortune.remix()
    made = []
    while position.table.track == turn.before.table.track or position.table.phase == "buy":
        move = likely_choice(position, legal_moves(position), world.fortune)
        made.append(move)
        advance(position, move, remix)
    end = shares_of_win(play_on(position, world.fortune, remix=remix))
    if tuple(made) == turn.moves:
        return end, end
    return end, shares_of_win(play_on(in_world(turn.before, world), world.fortune, turn.moves))


def in_world(position: Position, world: World) -> Position:
    """The position with its own hands and the other tiles in this world's order."""
    hidden = position.hidden
    place = world.place
    rest: Sequence[Space] = sorted((*hidden.pool, *hidden.aside), key=lambda tile: place[tile])
    drawn = len(hidden.pool)
    return Position(position.table.copy(), Hidden(hidden.hands, rest[:drawn], rest[drawn:]))
