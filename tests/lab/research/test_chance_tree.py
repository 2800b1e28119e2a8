"""A course plays the game of the rules with its chances apart, and has other pasts that a seat
can't tell from the real one."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from lastspike.lab.research.chance_tree import Course
from lastspike.lab.research.information_state import information, own_now, seen_now
from lastspike.lab.research.resampled_history import another_past
from lastspike.rules.events import FirstPlayer, TileDrawn
from lastspike.rules.game import Game
from lastspike.rules.position import legal_moves
from tests.rules.strategies import NewGame, new_games

RANDOM = st.integers(0, 2**32).map(Random)


def at_random(course: Course, rng: Random) -> Course:
    """One step further."""
    if course.by_chance:
        return course.after_chance(rng.choice(list(course.possible)))
    assert course.position is not None
    return course.after_move(rng.choice(legal_moves(course.position)))


def dealt(course: Course, game: Game) -> Course:
    """The deal of a game."""
    tiles = [*game.deal.aside, *(tile for hand in game.deal.hands for tile in hand)]
    for brought in (game.deal.first, *tiles):
        course = course.after_chance(brought)
    return course


def again(course: Course, chances: tuple[int, ...]) -> Course:
    """The same moves after other chances. Every one of them must be possible, and legal."""
    brought, moves = iter(chances), iter(course.moves)
    other = Course(course.setup)
    for _ in range(len(course.chances) + len(course.moves)):
        if other.by_chance:
            other = other.after_chance(next(brought))
        else:
            other = other.after_move(next(moves))
    return other


@given(new=new_games(), rng=RANDOM)
def test_a_course_is_the_game_of_the_rules(new: NewGame, rng: Random) -> None:
    game = new.game
    course = dealt(Course(game.setup), game)
    drawn = 0
    while True:
        events = [event for event in game.history if isinstance(event, TileDrawn)]
        while course.by_chance:
            tile = game.setup.board.space_of[events[drawn].tile or ""]
            assert tile in course.possible
            course = course.after_chance(tile)
            drawn += 1
        position = course.position
        assert position is not None
        assert position.table == game.position.table
        assert position.hidden.hands == game.position.hidden.hands
        assert sorted(position.hidden.pool) == sorted(game.position.hidden.pool)
        assert course.history[1:] == tuple(game.history[1:])
        assert course.history[0] == FirstPlayer(game.deal.first)
        if game.over:
            break
        move = rng.choice(game.legal)
        course = course.after_move(move)
        game.play(move)
    assert course.over
    assert drawn == len(events)


@given(new=new_games(), rng=RANDOM)
def test_another_past_is_a_game_that_looks_the_same(new: NewGame, rng: Random) -> None:
    """By the rules it leads to the same place, as far as the seat can tell; and what it is does
    not depend on anything that the seat can't tell, since it is the same from either past."""
    course = Course(new.game.setup)
    while not course.over:
        course = at_random(course, rng)
        if course.by_chance or course.over or rng.random() > 0.15:
            continue
        for seat in range(course.setup.players):
            other = again(course, another_past(course, seat, rng))
            assert not other.by_chance
            for viewer in (seat, None):
                assert information(other, viewer) == information(course, viewer)
                assert seen_now(other, viewer) == seen_now(course, viewer)
            assert own_now(other, seat) == own_now(course, seat)
            seed = rng.random()
            from_either = [another_past(past, seat, Random(seed)) for past in (course, other)]
            assert from_either[0] == from_either[1]


@given(new=new_games(), rng=RANDOM)
def test_what_is_known_differs_where_the_seat_saw_something_else(new: NewGame, rng: Random) -> None:
    """Perfect recall: other tiles of one's own, or another move of anybody, is another state."""
    course = Course(new.game.setup)
    known: list[set[str]] = [set() for _ in range(course.setup.players)]
    before = [""] * course.setup.players
    while not course.over:
        course = at_random(course, rng)
        if course.position is None or course.by_chance:
            continue
        for seat in range(course.setup.players):
            now = information(course, seat)
            assert now.startswith(before[seat])
            before[seat] = now
            assert now not in known[seat]
            known[seat].add(now)
            for tile in course.position.hidden.hands[seat]:
                assert course.setup.board.codes[tile] in now
