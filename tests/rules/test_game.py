"""A game is a value: copies share nothing, undo is exact, equality and hash agree, pickles hold."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from random import Random, SystemRandom
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lastspike
from lastspike import rules
from lastspike.rules import (
    Edition,
    Game,
    LastSpikeError,
    Move,
    Options,
    RecordError,
    Stream,
    UnknownMove,
    WrongType,
    deal,
    from_text,
    from_toml,
    play,
    preview,
    read_record,
    resample,
    seed_of_series,
    seed_of_text,
    setup,
    shipped,
    start,
    to_text,
)
from lastspike.rules.editions import figures
from lastspike.rules.mixing import Randomness

from .helpers import SOAK
from .strategies import NewGame, new_games

RECORDS = 10_000 if SOAK else 60

SEEDS = st.integers(0, 2**32)


def poor(players: int = 4, cash: int = 12_000) -> Edition:
    """The standard map with so little money that players go bankrupt."""
    raw = shipped().to_figures()
    raw["id"] = "poor"
    raw["starting_cash"] = dict.fromkeys(raw["starting_cash"], cash)
    return figures.read(raw)


def poor_game(seed: str, randomness: Randomness | None = None) -> Game:
    table = setup(poor(), 4)
    stream = Stream(seed_of_text(seed))
    dealt = deal(table, stream)
    return Game(table, dealt, stream if randomness is None else randomness)


def play_to_the_end(game: Game, rng: Random) -> Game:
    while not game.over:
        game.play(rng.choice(game.legal_moves))
    return game


def with_bankruptcies(least: int = 2) -> Iterator[Game]:
    """Finished games in which the pool was mixed again."""
    for number in range(100):
        game = play_to_the_end(poor_game(f"{number}"), Random(number))
        if len(game.remixed) >= least:
            yield game


def play_until_it_raises(game: Game, moves: Sequence[Move]) -> Game:
    """Play moves until the pool must be mixed and can't be; that move changes nothing."""
    for move in moves:
        before = everything(game)
        try:
            game.play(move)
        except LastSpikeError as error:
            told = str(error)
            break
    else:
        raise AssertionError("the pool was not mixed")
    assert "give the game a source of randomness" in told
    assert everything(game) == before
    return game


def everything(game: Game) -> tuple[Any, ...]:
    """All that can be asked of a game."""
    return (
        to_text(game.position),
        list(game.moves),
        list(game.remixed),
        list(game.history),
        game.legal_moves,
        game.turn,
        game.outcome,
        json.dumps(game.to_record()),
        [game.view(seat) for seat in range(game.setup.players)],
    )


def test_a_new_game_is_dealt_as_the_commands_deal_it() -> None:
    game = Game.new(players=4, seed="x")
    stream = Stream(seed_of_text("x"))
    assert game == Game.shuffled(setup(shipped(), 4), stream)
    other = Game.new(3, "x", edition="columbia-2015b", options=Options(double_cost="open"))
    assert other.setup == setup(shipped("columbia-2015b"), 3, Options(double_cost="open"))
    assert Game.new(3, "x", edition=poor()).setup.edition.id == "poor"
    assert game != Game.new(players=4, seed="y")


@settings(max_examples=200 if SOAK else 25, deadline=None)
@given(new=new_games(), seed=SEEDS, cut=st.integers(0, 60))
def test_copies_never_share(new: NewGame, seed: int, cut: int) -> None:
    """Whatever is played on one leaves the other alone, and both can come to the same end."""
    game, rng = new.game, Random(seed)
    while not game.over and len(game.moves) < cut:
        game.play(rng.choice(game.legal_moves))
    before = everything(game)
    for twin in (game.copy(), copy.copy(game), copy.deepcopy(game)):
        assert twin == game
        ended = play_to_the_end(twin, Random(seed))
        assert everything(game) == before
        assert ended == play_to_the_end(game.copy(), Random(seed))
    ended = play_to_the_end(twin.copy(), Random(seed))
    assert play_to_the_end(game, Random(seed)) == ended


@settings(max_examples=200 if SOAK else 15, deadline=None)
@given(new=new_games(), seed=SEEDS)
def test_undo_is_exact_over_whole_games(new: NewGame, seed: int) -> None:
    game, rng = new.game, Random(seed)
    begun = game.copy()
    stages = [everything(game)]
    while not game.over:
        game.play(rng.choice(game.legal_moves))
        stages.append(everything(game))
    moves = list(game.moves)
    assert everything(game) == stages.pop()
    while game.moves:
        assert game.undo() == moves[len(game.moves)]
        assert everything(game) == stages.pop()
    assert stages == []
    assert game == begun
    with pytest.raises(LastSpikeError, match="no move to undo"):
        game.undo()
    # The source of randomness went back as well: another game from here is dealt alike.
    assert play_to_the_end(game, Random(-seed)) == play_to_the_end(begun, Random(-seed))


def test_what_is_taken_back_over_a_bankruptcy_is_mixed_alike_again() -> None:
    game = next(with_bankruptcies())
    ended = game.copy()
    moves = list(game.moves)
    while game.moves:
        game.undo()
    for move in moves:
        game.play(move)
    assert everything(game) == everything(ended)
    again = ended.again()
    assert (again.moves, again.remixed) == ([], [])
    for move in moves:
        again.play(move)
    assert again == ended


@settings(max_examples=200 if SOAK else 25, deadline=None)
@given(new=new_games(), seed=SEEDS)
def test_equal_games_have_equal_hashes_that_never_change(new: NewGame, seed: int) -> None:
    game = new.game
    before = hash(game)
    kept = {game}
    twin = Game.shuffled(game.setup, new.shuffle.stream())
    assert twin == game
    assert hash(twin) == before
    twin.play(Random(seed).choice(twin.legal_moves)) if not twin.over else None
    assert (twin == game) == game.over
    play_to_the_end(game, Random(seed))
    assert hash(game) == before
    assert game in kept
    read = Game.from_record(game.to_record())
    assert read == game
    assert hash(read) == before


def test_a_game_equals_nothing_else() -> None:
    game = Game.new(3, "x")
    assert game != game.position
    assert game != Game.new(3, "x", options=Options(cash="hidden"))
    assert game != Game.new(3, "x", edition="columbia-2015b")


def test_a_game_shows_its_position() -> None:
    game = Game.new(3, "x")
    game.play(game.legal_moves[0])
    assert repr(game) == f"<Game after 1 moves: {to_text(game.position)}>"


def test_everything_can_be_pickled_at_any_time() -> None:
    game = next(with_bankruptcies())
    third = game.again()
    for move in game.moves[: len(game.moves) // 3]:
        third.play(move)
    record = read_record(third.to_record())
    function = poor_game("0", lambda tiles: tiles)
    for each in (game, game.again(), third, third.again(), record.game, function):
        back = pickle.loads(pickle.dumps(each))
        assert everything(back) == everything(each)
        assert back.setup.board is each.setup.board
    back = pickle.loads(pickle.dumps(third))
    assert play_to_the_end(back, Random(1)) == play_to_the_end(third, Random(1))
    view = game.view(1)
    values = (*game.history, *game.moves, game.position, view, game.outcome, record.shuffle)
    first = third.again()
    ahead = preview(first.view(first.turn), first.legal_moves[:1])
    for value in (*values, ahead, game.setup, game.deal, Stream(b"x"), UnknownMove("L1", "x")):
        back = pickle.loads(pickle.dumps(value))
        assert type(back) is type(value)
        if not isinstance(value, Stream | UnknownMove):
            assert back == value


def test_a_function_that_mixes_is_shared_and_not_pickled() -> None:
    def backwards(tiles: list[int]) -> list[int]:
        return tiles[::-1]

    game = poor_game("0", backwards)
    rng = Random(5)
    play_to_the_end(twin := game.copy(), rng)
    assert twin.remixed
    back = pickle.loads(pickle.dumps(twin))
    assert back == twin
    assert not play_until_it_raises(pickle.loads(pickle.dumps(game)), twin.moves).over


@pytest.mark.parametrize("source", [Random(3), SystemRandom(), Stream(b"x"), lambda tiles: tiles])
def test_any_source_of_randomness_mixes(source: Randomness) -> None:
    """And a game draws from a copy, so the one given stays as it was."""
    state = source.getstate() if type(source) is Random else None
    games = (play_to_the_end(poor_game(f"{n}", source), Random(n)) for n in range(20))
    game = next(game for game in games if game.remixed)
    for order, event in zip(game.remixed, game.again().remixed, strict=False):
        assert sorted(order) == sorted(event)
    if type(source) is Random:
        assert source.getstate() == state
    assert game.copy() == game == pickle.loads(pickle.dumps(game))


def test_without_randomness_a_bankruptcy_changes_nothing() -> None:
    """Not even when one of two bankruptcies of a move has been mixed as recorded."""
    ended = next(with_bankruptcies())
    game = Game(ended.setup, ended.deal)
    play_until_it_raises(game, ended.moves)
    game.set_randomness(Random(1))
    assert play_to_the_end(game, Random(1)).remixed


@pytest.mark.soak
@pytest.mark.timeout(3600)  # 10,000 games, perhaps on a busy machine
def test_unfinished_records_are_played_on() -> None:
    """With any source of randomness, from anywhere in the game, and the moves made stay."""
    rng = Random(7)
    remixed = 0
    for number in range(RECORDS):
        whole = play_to_the_end(poor_game(f"on/{number}"), rng)
        cut = rng.randrange(len(whole.moves))
        part = whole.again()
        for move in whole.moves[:cut]:
            part.play(move)
        record = json.loads(json.dumps(part.to_record()))
        game = Game.from_record(record, Random(number))
        assert game == part
        play_to_the_end(game, rng)
        assert game.moves[:cut] == whole.moves[:cut]
        assert read_record(json.loads(json.dumps(game.to_record()))).game == game
        remixed += len(game.remixed) > len(part.remixed)
        back = game.again()
        for move in game.moves:
            back.play(move)
        assert back == game
    assert remixed > RECORDS // 10


def test_an_unfinished_record_with_its_shuffle_goes_on_as_it_would_have() -> None:
    shuffle = rules.Shuffle(seed_of_text("0"))
    game = Game.shuffled(setup(poor(), 4), shuffle.stream())
    while not game.remixed:
        game.play(game.legal_moves[-1])
    read = read_record(rules.to_record(game, shuffle)).game
    assert read == game
    while not game.over:
        read.play(game.legal_moves[0])
        game.play(game.legal_moves[0])
    assert read == game
    assert len(game.remixed) > 1
    while read.moves:
        read.undo()
    for move in game.moves:
        read.play(move)
    assert read == game


def test_a_bad_record_is_refused() -> None:
    with pytest.raises(RecordError):
        Game.from_record({})
    game = next(with_bankruptcies())
    record = game.to_record()
    del record["remixed"][-1]
    with pytest.raises(RecordError, match="remixed"):
        Game.from_record(record, Random(1))  # what has been played needs the record's own


GAME = Game.new(3, "types")
OF_OTHER_EDITION = Move(200, "Q9", "lay", 190)

WRONG: list[tuple[str, Callable[[Any], object]]] = [
    ("move", GAME.play),
    ("move", lambda bad: play(GAME.position, bad, list)),
    ("move", lambda bad: preview(GAME.view(GAME.turn), [bad])),
    ("move", GAME.setup.board.parse),
    ("seat", lambda bad: GAME.view([bad])),  # type: ignore[arg-type]
    ("players", lambda bad: Game.new([bad], "x")),  # type: ignore[arg-type]
    ("seed", lambda bad: Game.new(3, bad)),
    ("seed", Stream),
    ("seed", lambda bad: seed_of_series(bad, 1)),
    ("edition", lambda bad: Game.new(3, "x", edition=bad)),
    ("edition", shipped),
    ("edition", lambda bad: setup(bad, 3)),
    ("options", lambda bad: Game.new(3, "x", options=bad)),
    ("setup", lambda bad: Game(bad, GAME.deal)),
    ("deal", lambda bad: Game(GAME.setup, bad)),
    ("randomness", lambda bad: GAME.copy().set_randomness(bad)),
    ("text", from_text),
    ("text", from_toml),
    ("position", to_text),
    ("rng", lambda bad: resample(GAME.view(0), bad)),
]


@pytest.mark.parametrize("bad", [7, ["A1"], object()], ids=["number", "list", "object"])
@pytest.mark.parametrize(("field", "call"), WRONG)
def test_wrong_types_get_our_errors(field: str, call: Callable[[Any], object], bad: object) -> None:
    before = everything(GAME)
    with pytest.raises(WrongType, match=rf"^{field}: expected .*, found \w+$"):
        call(bad)
    assert everything(GAME) == before
    assert issubclass(WrongType, TypeError)
    assert issubclass(WrongType, LastSpikeError)


def test_a_move_of_another_edition_is_unknown() -> None:
    for call in (GAME.play, lambda move: play(GAME.position, move, list)):
        with pytest.raises(UnknownMove):
            call(OF_OTHER_EDITION)
    with pytest.raises(UnknownMove):
        preview(GAME.view(GAME.turn), [OF_OTHER_EDITION])


def test_moves_are_given_by_text_everywhere() -> None:
    text = GAME.legal_moves[0].text
    view = GAME.view(GAME.turn)
    assert preview(view, [text]) == preview(view, GAME.legal_moves[:1])
    assert play(GAME.position, text, list) == play(GAME.position, GAME.legal_moves[0], list)


def test_legal_moves_have_one_name() -> None:
    view = GAME.view(GAME.turn)
    assert view.legal_moves == GAME.legal_moves == list(preview(view, []).legal_moves)
    assert GAME.view(None).legal_moves == []
    with pytest.warns(DeprecationWarning, match="Game.legal is now Game.legal_moves"):
        assert GAME.legal == GAME.legal_moves
    with pytest.warns(DeprecationWarning, match="Preview.legal is now Preview.legal_moves"):
        assert list(preview(view, []).legal) == GAME.legal_moves
    with pytest.warns(DeprecationWarning, match="now view.legal_moves"):
        assert rules.view.legal_in(view) == GAME.legal_moves


def test_every_name_of_the_rules_is_offered_by_the_package() -> None:
    for name in rules.__all__:
        assert getattr(lastspike, name) is getattr(rules, name)
    assert set(rules.__all__) <= set(dir(lastspike))
    assert set(rules.__all__) == lastspike._FROM_RULES
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = lastspike.nothing


def test_importing_the_package_loads_nothing_of_the_rules() -> None:
    code = (
        "import lastspike, sys;"
        "assert not hasattr(lastspike, 'nothing');"
        "assert 'lastspike.rules' not in sys.modules;"
        "from lastspike import Game;"
        "assert Game is sys.modules['lastspike.rules'].Game;"
        "assert 'numpy' not in sys.modules and 'litestar' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_opening_position_starts_the_game() -> None:
    position, events = start(GAME.setup, GAME.deal, list)
    assert (position, events) == (GAME.again().position, GAME.again().history)
