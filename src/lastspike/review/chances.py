"""Everybody's win chances, turn by turn, and what moved them: play or luck.

The chance at a moment is the share of wins (ties shared) when the game is played on from there by
`policy.py`, the hands as they really were and the rest of the tiles in an order of chance: what has
not been drawn has not been decided.

For every turn there are three such moments: as it begins, after the moves and before the draw, and
as the next one begins. From the first to the second, play has changed the chances: how its player's
turn compares with the likely ones. From the second to the third, luck has: the tile drawn, and how
the pool was mixed after a bankruptcy. Before the deal everybody's chance is the same; what the
first turn begins with is the luck of the deal.

All moments are looked at in the same worlds. A world is one order of all the tiles, in which those
not yet drawn are drawn, and one fortune. Where the policy makes the very moves that were made,
the first two moments end alike and are counted once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    """`place` is that of each tile in the order in which they are drawn."""

    place: tuple[int, ...]
    fortune: Fortune


class Moment(NamedTuple):
    """How the game ended in each world, played on from a moment."""

    ends: tuple[Shares, ...]

    def chance(self, seat: int) -> float:
        return sum(shares[seat] for shares in self.ends) / len(self.ends)

    @property
    def chances(self) -> Shares:
        return tuple(self.chance(seat) for seat in range(len(self.ends[0])))


class WinChances(NamedTuple):
    """The moments as each turn began, the end last; and those after the moves of each turn."""

    begun: tuple[Moment, ...]
    moved: tuple[Moment, ...]


def win_chances(
    played: GameTurns, seed: str, worlds: int, progress: Callable[[int], None]
) -> WinChances:
    """Play on from every moment of the game, in this number of worlds."""
    tiles = len(played.game.setup.board.codes)
    rng = Random(f"{seed}/course")
    all_worlds = [_new_world(tiles, rng) for _ in range(worlds)]
    begun: list[Moment] = []
    moved: list[Moment] = []
    for turn in played.turns:
        ends = [_both_ends(turn, world) for world in all_worlds]
        begun.append(Moment(tuple(before for before, _ in ends)))
        moved.append(Moment(tuple(after for _, after in ends)))
        progress(2 * worlds)
    last = played.turns[-1].after if played.turns else played.start
    begun.append(Moment((shares_of_win(last.table),) * worlds))
    return WinChances(tuple(begun), tuple(moved))


def _new_world(tiles: int, rng: Random) -> World:
    return World(tuple(rng.sample(range(tiles), tiles)), new_fortune(rng))


def _both_ends(turn: Turn, world: World) -> tuple[Shares, Shares]:
    """How the game ends, played on from where the turn began and from after its moves."""
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
    """The position with the hands that it has, and the rest of its tiles in this world's order."""
    hidden = position.hidden
    place = world.place
    rest: Sequence[Space] = sorted((*hidden.pool, *hidden.aside), key=lambda tile: place[tile])
    drawn = len(hidden.pool)
    return Position(position.table.copy(), Hidden(hidden.hands, rest[:drawn], rest[drawn:]))
