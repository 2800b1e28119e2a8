"""Whole turns: the ones that `rules` would offer, leading to what `rules` would make of them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from lastspike.batch import State, action_of, board_of, from_positions
from lastspike.batch.arrays import Array, as_array
from lastspike.batch.board import Board
from lastspike.batch.steps.raising import legal_sales
from lastspike.batch.turns import buy_each, lay_each
from lastspike.bots.judgement import judge
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.moves import Move
from lastspike.rules.records.shuffle import Stream, seed_of_text
from lastspike.rules.table import Options, Setup, Table, setup
from lastspike.rules.view import View, preview

Open = tuple[tuple[int, ...], ...]
"""What everybody sees of a position: track, land, cash, and whether the game is over."""


def poor() -> Edition:
    raw = shipped().to_figures()
    raw["id"] = "poor"
    raw["starting_cash"] = dict.fromkeys(raw["starting_cash"], 9000)
    return figures.read(raw)


SETUPS = [
    setup(shipped(), 4),
    setup(shipped(), 2, Options(double_cost="open")),
    setup(poor(), 3, Options(double_cost="open")),
    setup(poor(), 6),
]


def first_sale(board: Board, state: State) -> Array:
    """The card of the least number: any rule will do, if both engines follow it."""
    return as_array(board.shape.spaces + np.argmax(legal_sales(state, np), axis=0))


def whole_turns(view: View, game: Game, begun: list[Move]) -> list[Table]:
    """Where all turns that begin so lead, with sales by that rule."""
    ahead = preview(view, begun)
    if begun and ahead.turn_over:
        return [ahead.table]
    legal = list(ahead.legal_moves)
    if ahead.table.phase == "raise":
        shape = board_of(game.setup).shape
        legal = [min(legal, key=lambda move: action_of(move, shape))]
    return [table for move in legal for table in whole_turns(view, game, [*begun, move])]


def seen(table: Table) -> Open:
    track = tuple(table.board.spaces_in(table.track))
    cash = tuple(purse // 1000 for purse in table.cash)
    return track, tuple(table.land), cash, (table.phase == "over",)


@pytest.mark.parametrize("rules", SETUPS, ids=lambda s: f"{s.edition.id}-{s.players}")
def test_turns_are_those_of_the_rules(rules: Setup) -> None:
    board = board_of(rules)
    rng = Random(4)
    sales = 0
    for number in range(6):
        game = Game.shuffled(rules, Stream(seed_of_text(f"turns/{number}")))
        while game.turn is not None:
            view = game.view(game.turn)
            expected = sorted(map(seen, whole_turns(view, game, [])))
            state = from_positions([game.position], board.shape)
            laid = lay_each(board, state, rules.edition.hand_size, first_sale, np)
            turns = buy_each(board, laid, 1, np)
            found = [
                (
                    tuple(np.flatnonzero(turns.state.track[row]).tolist()),
                    tuple(turns.state.land[row].tolist()),
                    tuple(turns.state.cash[row].tolist()),
                    (bool(turns.state.over[row]),),
                )
                for row in np.flatnonzero(turns.there)
            ]
            assert sorted(found) == expected
            turn = game.turn
            while game.turn == turn and not game.over:
                scored = judge(game.position.table, view.hand, game.legal_moves)
                sales += game.position.table.phase == "raise"
                game.play(rng.choice(scored)[1])
                view = game.view(turn) if game.turn == turn else view
                if game.position.table.phase == "lay":
                    break
    assert sales > 0 or rules.edition.id != "poor"
