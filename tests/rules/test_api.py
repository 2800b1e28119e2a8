"""What a researcher does with the engine: import, copy, pickle, print, and ask for nonsense."""

from __future__ import annotations

import copy
import pickle
from random import Random

import pytest

from lastspike import rules
from lastspike.rules import (
    Game,
    IllegalMove,
    LastSpikeError,
    Options,
    Stream,
    UnknownMove,
    from_text,
    resample,
    seed_of_text,
    setup,
    shipped,
    to_text,
    view_of,
)


def begun(moves: int = 30, options: Options | None = None) -> Game:
    game = Game.shuffled(setup(shipped(), 4, options), Stream(seed_of_text("api")))
    rng = Random(1)
    for _ in range(moves):
        game.play(rng.choice(game.legal_moves))
    return game


def test_every_name_that_is_offered_is_there() -> None:
    for name in rules.__all__:
        assert hasattr(rules, name)


def test_a_game_is_pickled_and_copied_with_all_that_it_has() -> None:
    game = begun()
    for again in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert again.position == game.position
        assert again.history == game.history
        assert again.view(2) == game.view(2)
        assert again.setup.board is game.setup.board


def test_a_stream_goes_on_after_pickling_where_it_was() -> None:
    stream = Stream(seed_of_text("api"), [b"a" * 32])
    stream.shuffle(range(48))
    stream.below(3 << 30)
    again = pickle.loads(pickle.dumps(stream))
    assert [again.below(1 << 31) for _ in range(20)] == [stream.below(1 << 31) for _ in range(20)]
    assert again.shuffle(range(48)) == stream.shuffle(range(48))


def test_a_position_shows_its_text() -> None:
    position = begun().position
    assert repr(position) == f"<{to_text(position)}>"
    assert from_text(repr(position)[1:-1]) == position


def test_moves_may_be_given_as_text() -> None:
    game = begun(0)
    text = game.legal_moves[0].text
    game.play(text)
    assert game.moves[0].text == text
    with pytest.raises(UnknownMove):
        game.play("Q9")
    with pytest.raises(IllegalMove):
        game.play(text)


def test_legal_moves_of_a_game_are_the_callers_to_change() -> None:
    game = begun()
    game.legal_moves.clear()
    assert game.legal_moves


def test_there_is_no_view_of_a_seat_that_is_not_there() -> None:
    game = begun()
    for seat in (-1, 4, 7):
        with pytest.raises(LastSpikeError, match="no such seat"):
            game.view(seat)


def test_hidden_cash_is_not_made_up() -> None:
    game = begun(options=Options(cash="hidden"))
    whole = game.view(0)
    assert resample(whole, Random(1)).table.cash == game.position.table.cash
    without = view_of(game.position, 0)
    with pytest.raises(LastSpikeError, match="full history"):
        resample(without, Random(1))


@pytest.mark.parametrize("text", ["\ud800", "a\udcff"])
def test_a_seed_has_to_be_text(text: str) -> None:
    with pytest.raises(LastSpikeError, match="the seed isn’t valid UTF-8"):
        seed_of_text(text)
