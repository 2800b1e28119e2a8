"""A node plays the game of the rules with its chances apart, and has other pasts that a seat
can't tell from the real one."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from lastspike.lab.research.chance_tree import TreeNode
from lastspike.lab.research.information_state import (
    information_state,
    observation_text,
    private_text,
)
from lastspike.lab.research.resampled_history import resampled_chances
from lastspike.rules.events import FirstPlayer, TileDrawn
from lastspike.rules.game import Game
from lastspike.rules.position import legal_moves
from tests.rules.strategies import NewGame, new_games

RANDOM = st.integers(0, 2**32).map(Random)


def at_random(node: TreeNode, rng: Random) -> TreeNode:
    """One step further."""
    if node.by_chance:
        return node.after_chance(rng.choice(list(node.possible)))
    assert node.position is not None
    return node.after_move(rng.choice(legal_moves(node.position)))


def dealt(node: TreeNode, game: Game) -> TreeNode:
    """The deal of a game."""
    tiles = [*game.deal.aside, *(tile for hand in game.deal.hands for tile in hand)]
    for brought in (game.deal.first, *tiles):
        node = node.after_chance(brought)
    return node


def again(node: TreeNode, chances: tuple[int, ...]) -> TreeNode:
    """The same moves after other chances. Every one of them must be possible, and legal."""
    brought, moves = iter(chances), iter(node.moves)
    other = TreeNode(node.setup)
    for _ in range(len(node.chances) + len(node.moves)):
        if other.by_chance:
            other = other.after_chance(next(brought))
        else:
            other = other.after_move(next(moves))
    return other


@given(new=new_games(), rng=RANDOM)
def test_a_course_is_the_game_of_the_rules(new: NewGame, rng: Random) -> None:
    game = new.game
    node = dealt(TreeNode(game.setup), game)
    drawn = 0
    while True:
        events = [event for event in game.history if isinstance(event, TileDrawn)]
        while node.by_chance:
            tile = game.setup.board.space_of[events[drawn].tile or ""]
            assert tile in node.possible
            node = node.after_chance(tile)
            drawn += 1
        position = node.position
        assert position is not None
        assert position.table == game.position.table
        assert position.hidden.hands == game.position.hidden.hands
        assert sorted(position.hidden.pool) == sorted(game.position.hidden.pool)
        assert node.history[1:] == tuple(game.history[1:])
        assert node.history[0] == FirstPlayer(game.deal.first)
        if game.over:
            break
        move = rng.choice(game.legal_moves)
        node = node.after_move(move)
        game.play(move)
    assert node.over
    assert drawn == len(events)


@given(new=new_games(), rng=RANDOM)
def test_another_past_is_a_game_that_looks_the_same(new: NewGame, rng: Random) -> None:
    """By the rules it leads to the same place, as far as the seat can tell; and what it is does
    not depend on anything that the seat can't tell, since it is the same from either past."""
    node = TreeNode(new.game.setup)
    while not node.over:
        node = at_random(node, rng)
        if node.by_chance or node.over or rng.random() > 0.15:
            continue
        for seat in range(node.setup.players):
            other = again(node, resampled_chances(node, seat, rng))
            assert not other.by_chance
            for viewer in (seat, None):
                assert information_state(other, viewer) == information_state(node, viewer)
                assert observation_text(other, viewer) == observation_text(node, viewer)
            assert private_text(other, seat) == private_text(node, seat)
            seed = rng.random()
            from_either = [resampled_chances(past, seat, Random(seed)) for past in (node, other)]
            assert from_either[0] == from_either[1]


@given(new=new_games(), rng=RANDOM)
def test_what_is_known_differs_where_the_seat_saw_something_else(new: NewGame, rng: Random) -> None:
    """Perfect recall: other tiles of one's own, or another move of anybody, is another state."""
    node = TreeNode(new.game.setup)
    known: list[set[str]] = [set() for _ in range(node.setup.players)]
    before = [""] * node.setup.players
    while not node.over:
        node = at_random(node, rng)
        if node.position is None or node.by_chance:
            continue
        for seat in range(node.setup.players):
            now = information_state(node, seat)
            assert now.startswith(before[seat])
            before[seat] = now
            assert now not in known[seat]
            known[seat].add(now)
            for tile in node.position.hidden.hands[seat]:
                assert node.setup.board.codes[tile] in now
