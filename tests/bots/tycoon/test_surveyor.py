"""Surveyors over arrays make the turns that Surveyors make."""

from __future__ import annotations

import numpy as np
import pytest

from lastspike.batch import from_positions
from lastspike.batch.turns import lay_each
from lastspike.bots.judgement import judge
from lastspike.bots.tycoon.lookahead import tiles_in_hand
from lastspike.bots.tycoon.outlook import map_of
from lastspike.bots.tycoon.surveyor import sale_by, surveyors_turn
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.moves import Move
from lastspike.rules.records.shuffle import Stream, seed_of_text
from lastspike.rules.table import Options, setup

CENT = 0.01
"""In dollars: arrays reckon with 32 bits."""


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_same_turns(players: int) -> None:
    rules = setup(shipped(), players, Options(double_cost="open" if players == 3 else "forced"))
    table = map_of(rules)
    for number in range(4):
        game = Game.shuffled(rules, Stream(seed_of_text(f"arrays/{number}")))
        while game.turn is not None:
            state = from_positions([game.position], table.board.shape)
            laid = lay_each(table.board, state, tiles_in_hand(table), sale_by(table, np), np)
            turn = int(surveyors_turn(table, state, laid, np)[0])
            tile, purchase = divmod(turn, 1 + table.board.shape.cities)
            board = rules.board
            mover = game.turn
            play_as_liked(game, board.lays[int(laid.space[tile])])
            while game.position.table.phase == "raise":
                game.play(liked(game)[0])
            if game.turn == mover and game.position.table.phase == "buy":
                play_as_liked(game, board.buys[purchase - 1] if purchase else board.passing)


def liked(game: Game) -> list[Move]:
    """The moves that Surveyor likes best: several where they are worth the same."""
    assert game.turn is not None
    scored = judge(game.position.table, game.view(game.turn).hand, game.legal_moves)
    return [move for score, move in scored if score > max(scored)[0] - CENT]


def play_as_liked(game: Game, move: Move) -> None:
    assert move in liked(game)
    game.play(move)
