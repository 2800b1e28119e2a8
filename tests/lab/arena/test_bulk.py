"""Random games in bulk: the sums are those of the rules, and a game follows from its number."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from lastspike import batch
from lastspike.lab.arena import bulk
from lastspike.lab.arena.bulk import count_games, first_of, play_block, play_in_bulk
from lastspike.lab.arena.series import WIN, Ending, Series, Tally, play_chunk, play_game
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.figures import read
from lastspike.rules.editions.shipped import parse_toml, shipped
from lastspike.rules.game import Game
from lastspike.rules.outcome import outcome
from lastspike.rules.table import BANK, Options

FIGURES = Path("src/lastspike/editions/columbia-2015.toml").read_text("utf-8")


def with_cash(thousands: int) -> Edition:
    """The edition in which four players begin with so much: little, and many go bankrupt."""
    return read(parse_toml(FIGURES.replace("4 = 40000", f"4 = {1000 * thousands}")))


def ending_of(game: Game) -> Ending:
    table = game.position.table
    result = outcome(table)
    assert result
    return Ending(result, game.deal.first, len(game.moves), table.turns)


def share_the_win(game: Game) -> None:
    """Nobody has any land, and who is not bankrupt has as much cash as the others."""
    table = game.position.table
    table.land = [BANK] * len(table.land)
    table.cash = [5000 * table.in_game(seat) for seat in range(table.setup.players)]


@pytest.mark.parametrize(
    ("edition", "players"),
    [(shipped(), 2), (shipped(), 6), (with_cash(12), 4)],
    ids=["two", "six", "poor"],
)
def test_the_sums_are_those_of_the_rules(edition: Edition, players: int) -> None:
    table = Series(edition, players, Options(), "sums").setup()
    games = [play_game(table, "sums", number)[0] for number in range(40)]
    for game in games[::5]:
        share_the_win(game)
    tally = Tally(players)
    for game in games:
        tally.count(ending_of(game))
    board = batch.board_of(table)
    state = batch.from_positions([game.position for game in games], board.shape)
    first = np.array([game.deal.first for game in games])
    moves = np.array([len(game.moves) for game in games])
    assert vars(count_games(board, state, first, moves)) == vars(tally)
    assert tally.shared_wins or tally.ended["last player"] > 30
    assert tally.bankruptcies
    assert tally.ended["last spike"]


@pytest.mark.parametrize("thousands", [0, 6, 40])
def test_who_is_first_is_known_even_if_bankrupt_at_once(thousands: int) -> None:
    table = Series(with_cash(thousands), 4, Options(), "first").setup()
    deals = [play_game(table, "first", number)[0].deal for number in range(30)]
    board = batch.board_of(table)
    remix = batch.random_remix(np.random.default_rng(1), len(deals), board.shape)
    begun = batch.from_deals(board, deals, remix, np)
    assert first_of(begun).tolist() == [deal.first for deal in deals]
    assert (begun.bankrupt >= 0).any() == (thousands == 0)


def test_the_games_are_like_those_of_the_rules() -> None:
    series = Series(shipped(), 3, Options(), "like")
    found = play_block(series, 1000, range(1000)).tally
    other = play_chunk(series, range(1000)).tally
    assert found.games == other.games == 1000
    assert found.moves / 1000 == pytest.approx(other.moves / 1000, abs=0.7)
    assert found.turns / 1000 == pytest.approx(other.turns / 1000, abs=0.4)
    assert found.cash / 1000 == pytest.approx(other.cash / 1000, rel=0.02)
    assert found.winners_cash / 1000 == pytest.approx(other.winners_cash / 1000, rel=0.02)
    for own, theirs in zip(found.wins_in_order, other.wins_in_order, strict=True):
        assert own / WIN == pytest.approx(theirs / WIN, abs=50)
    assert vars(found) != vars(other)


def test_a_game_is_the_same_however_many_are_played() -> None:
    series = Series(shipped(), 2, Options(), "number")
    sums = [play_block(series, 8, range(8, 8 + games)).tally for games in range(1, 9)]
    for fewer, more in pairwise(sums):
        won = [b - a for a, b in zip(fewer.wins_by_seat, more.wins_by_seat, strict=True)]
        assert min(won) >= 0
        assert sum(won) == WIN
        assert 30 < more.moves - fewer.moves < 150


def test_blocks_and_seeds_differ_and_cores_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "BLOCK", 16)
    series = Series(shipped(), 2, Options(), "cores")
    one, two = ([vars(c.tally) for c in play_in_bulk(series, 150, jobs)] for jobs in (1, 2))
    assert one == two
    assert [tally["games"] for tally in one] == [16] * 9 + [6]
    assert len({tally["moves"] for tally in one}) == len(one)
    (other,) = play_in_bulk(series._replace(seed="other"), 16)
    assert vars(other.tally) != one[0]
