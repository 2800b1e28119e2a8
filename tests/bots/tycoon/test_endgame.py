"""The end of games between two, worked out: Tycoon's turns are as good as any there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

import pytest

from lastspike.bots.levels import make_player
from lastspike.bots.outlook import Outlook
from lastspike.bots.tycoon.endgame import is_near, shares
from lastspike.rules.board import Seat
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.hidden import Hidden
from lastspike.rules.moves import Move
from lastspike.rules.outcome import outcome
from lastspike.rules.position import Position, advance, legal_moves
from lastspike.rules.records.shuffle import Stream, seed_of_text
from lastspike.rules.table import Table, setup
from lastspike.rules.view import View, preview, resample, view_of
from tests.rules.worlds import other_world

GAMES = range(60) if os.environ.get("LASTSPIKE_SOAK") == "1" else range(35, 35 + 4)
"""Where Tycoon's search alone errs once, which is seldom."""

MOST_TILES = 5
"""In both hands together: with more it takes long to work out what every turn is worth."""


def endings() -> Iterator[tuple[Game, Seat]]:
    """Games between Tycoons that look one turn ahead, and who is to move, as they stand when the
    pool is empty and few tiles are left."""
    for n in GAMES:
        game = Game.shuffled(setup(shipped(), 2), Stream(seed_of_text(f"ending/{n}")))
        player = make_player("tycoon:0", f"{n}")
        while game.turn is not None:
            view = game.view(game.turn)
            if not view.pool and sum(view.tiles) <= MOST_TILES and not view.table.bankrupt:
                yield game, game.turn
            for move in player.turn(view):
                game.play(move)


def worlds(view: View) -> list[Position]:
    """All that the viewer, one of two, can't tell apart: of the tiles not seen one is put aside,
    and the other player has the rest."""
    position = resample(view, Random(0))
    other = 1 - position.table.turn
    unseen = sorted((*position.hidden.hands[other], *position.hidden.aside))
    hands: list[list[int]] = [list(view.hand), list(view.hand)]
    found = []
    for aside in unseen:
        hands[other] = [tile for tile in unseen if tile != aside]
        found.append(Position(position.table.copy(), Hidden(hands, [], [aside])))
    return found


def every_turn(view: View) -> Iterator[list[Move]]:
    """All turns that can be made, with all ways to raise money."""
    begun = [[move] for move in view.legal_moves]
    while begun:
        moves = begun.pop()
        ahead = preview(view, moves)
        if ahead.turn_over:
            yield moves
        else:
            begun += [[*moves, move] for move in ahead.legal_moves]


def after(position: Position, moves: list[Move]) -> Position:
    position = position.copy()
    for move in moves:
        advance(position, move, list)  # a bankruptcy among two ends the game: nothing is drawn
    return position


def share(seat: Seat, position: Position) -> float:
    """What part of the win this seat gets if nobody errs who knows all."""
    if position.table.phase == "over":
        return share_of_win(seat, position.table)
    best = max if position.table.turn == seat else min
    return best(share(seat, after(position, [move])) for move in legal_moves(position))


def share_of_win(seat: Seat, table: Table) -> float:
    ended = outcome(table)
    assert ended is not None
    return (seat in ended.winners) / len(ended.winners)


def test_no_land_is_bought_that_will_never_pay() -> None:
    """It would cost money for nothing, even where it decides nothing any longer."""
    bought = 0
    for n in (2, 12):  # the search alone does it there
        game = Game.shuffled(setup(shipped(), 4), Stream(seed_of_text(f"waste/{n}")))
        tycoon = make_player("tycoon:2", f"{n}")
        while game.turn is not None:
            view = game.view(game.turn)
            turn = tycoon.turn(view)
            for move in turn:
                if move.kind == "buy":
                    bought += 1
                    assert Outlook(preview(view, turn[:1]).table).payments[move.city], move
                game.play(move)
    assert bought > 50


@pytest.mark.soak
def test_no_turn_would_have_been_better() -> None:
    tycoon = make_player("tycoon", "ending")
    decisions = 0
    for game, seat in endings():
        view = game.view(seat)
        possible = worlds(view)
        worth = {
            tuple(moves): sum(share(seat, after(world, moves)) for world in possible)
            for moves in every_turn(view)
        }
        assert worth[tuple(tycoon.turn(view))] == max(worth.values())
        decisions += min(worth.values()) < max(worth.values())
    assert decisions >= len(GAMES) / 3, "there was something to be decided"


def test_what_is_hidden_changes_nothing() -> None:
    found = []
    for game, seat in endings():
        world, history = other_world(game, seat, Random(7))
        here, there = game.view(seat), view_of(world, seat, history)
        assert is_near(here)
        assert chosen(here) == chosen(there)
        worth = worth_of_moves(here)
        assert worth == worth_of_moves(there)
        found += worth
    assert any(0 < share < 1 for share in found), "some of it was hidden"


def worth_of_moves(view: View) -> list[float]:
    return shares(view, [[move] for move in view.legal_moves])


def chosen(view: View) -> list[str]:
    return [move.text for move in make_player("tycoon", "fixed").turn(view)]
