"""Games played through `rules` and the batch engine side by side, compared at every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from lastspike.batch import (
    NONE,
    REASONS,
    Board,
    Shape,
    State,
    action_of,
    board_of,
    from_deals,
    legal_actions,
    outcome,
    remix_in_order,
    shape_of,
    stack,
    step,
    to_positions,
)
from lastspike.batch.arrays import Array
from lastspike.rules.board import Seat, Space
from lastspike.rules.hidden import Deal
from lastspike.rules.moves import Move
from lastspike.rules.outcome import outcome as rules_outcome
from lastspike.rules.position import Position, advance, legal_moves, start
from lastspike.rules.steps.bankruptcy import Remix
from lastspike.rules.table import Setup

Choose = Callable[[int, Position], Move]
"""Which move to play in a game, given its number and position."""


class RulesGame:
    """A game of `rules`, with what each bankrupt's remix was."""

    def __init__(self, setup: Setup, deal: Deal, remix: Remix) -> None:
        self.setup = setup
        self.deal = deal
        self._mix = remix
        self._orders: list[Sequence[Space]] = []
        self.position, _ = start(setup, deal, self._remix)

    @property
    def over(self) -> bool:
        return self.position.table.phase == "over"

    @property
    def reason(self) -> str:
        ended = rules_outcome(self.position.table)
        return ended.reason if ended else ""

    @property
    def remixes(self) -> dict[Seat, Sequence[Space]]:
        return dict(zip(self.position.table.bankrupt, self._orders, strict=True))

    def play(self, move: Move) -> None:
        advance(self.position, move, self._remix)

    def _remix(self, tiles: list[Space]) -> Sequence[Space]:
        self._orders.append(self._mix(tiles))
        return self._orders[-1]


def play_both(games: Sequence[RulesGame], choose: Choose, shape: Shape | None = None) -> int:
    """Play all games to their end through both engines and compare them at every step. Returns how
    many moves that were."""
    setups = [game.setup for game in games]
    shape = shape or shape_of(setups)
    boards = {setup: board_of(setup, shape) for setup in dict.fromkeys(setups)}
    # One board serves all games where they have the same.
    board = stack([boards[s] for s in setups]) if len(boards) > 1 else next(iter(boards.values()))
    remix = remix_in_order([game.remixes for game in games], shape)
    state = from_deals(board, [game.deal for game in games], remix, np)
    moves = 0
    playing = list(range(len(games)))
    compare(games, board, state, playing)
    while playing := [number for number in playing if not games[number].over]:
        action = np.zeros(len(games), dtype=np.int32)
        for number in playing:
            move = choose(number, games[number].position)
            action[number] = action_of(move, shape)
            games[number].play(move)
        moves += len(playing)
        for number in playing:
            remix[number] = remix_in_order([games[number].remixes], shape)[0]
        before = State(*(values.copy() for values in state))
        after = step(board, state, action, remix, np)
        assert all(map(np.array_equal, before, state)), "a step wrote into the state it was given"
        assert [values.dtype for values in after] == [values.dtype for values in before]
        for old, new in zip(before, after, strict=True):
            assert np.array_equal(old[..., before.over], new[..., before.over]), (
                "a game went on after its end"
            )
        state = after
        compare(games, board, state, playing)
    return moves


def compare(games: Sequence[RulesGame], board: Board, state: State, numbers: Sequence[int]) -> None:
    """Positions, legal moves and outcomes of these games are the same in both engines."""
    legal = legal_actions(board, state, np)
    ended = outcome(board, state, np)
    others = to_positions([game.setup for game in games], state)
    for number in numbers:
        position, other = games[number].position, others[number]
        sorted_aside = tuple(sorted(position.hidden.aside))
        assert other.table == position.table, f"{other} instead of {position}"
        assert other.hidden.hands == position.hidden.hands, f"{other} instead of {position}"
        assert other.hidden.pool == position.hidden.pool, f"{other} instead of {position}"
        assert other.hidden.aside == sorted_aside, f"{other} instead of {position}"
        expected = [action_of(move, board.shape) for move in legal_moves(position)]
        assert sorted(expected) == np.flatnonzero(legal[number]).tolist(), f"{position}"
        compare_outcome(position, ended.reason[number], ended.ranks[number], ended.winners[number])
    assert not legal[state.over].any()


def compare_outcome(position: Position, reason: Array, ranks: Array, winners: Array) -> None:
    """E2, and why the game is over, if it is."""
    expected = rules_outcome(position.table)
    if expected is None:
        assert reason == NONE
        return
    empty = [0] * (len(ranks) - len(expected.ranks))
    assert REASONS[int(reason)] == expected.reason
    assert ranks.tolist() == [*expected.ranks, *empty]
    assert np.flatnonzero(winners).tolist() == list(expected.winners)


def at_random(rng: Random) -> Choose:
    return lambda _game, position: rng.choice(legal_moves(position))
