"""Hypothesis strategies: editions with maps, figures and purses of all kinds, and new games."""

from __future__ import annotations

import string
from typing import Any, NamedTuple

from hypothesis import strategies as st

from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import SPACES_A_ROUTE, Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.records.record import Shuffle
from lastspike.rules.records.shuffle import seed_of_text
from lastspike.rules.table import Options, setup

CODES = ("STL", "A", "A1", "B", "ZZ", "DEN", "K9")
"""Some begin with others, so that sorting by code is not sorting by anything else."""

Draw = st.DrawFn

OPTIONS = st.builds(
    Options,
    double_cost=st.sampled_from(["forced", "open"]),
    cash=st.sampled_from(["open", "hidden"]),
    hands=st.sampled_from(["hidden", "open"]),
)


class NewGame(NamedTuple):
    game: Game
    shuffle: Shuffle


def thousands(least: int, most: int) -> st.SearchStrategy[int]:
    return st.integers(least, most).map(lambda amount: 1000 * amount)


@st.composite
def standard_maps(draw: Draw) -> Edition:
    """The standard map, with the purses of the box or others."""
    cash = draw(st.none() | thousands(0, 9) | thousands(10, 25) | thousands(100, 200))
    if cash is None:
        return shipped()
    raw = shipped().to_figures()
    raw["id"] = "other-purses"
    raw["starting_cash"] = dict.fromkeys(raw["starting_cash"], cash)
    return figures.read(raw)


@st.composite
def other_maps(draw: Draw) -> Edition:
    """Two to six cities, joined somehow; more routes between any two; odd figures."""
    codes = draw(st.permutations(CODES))[: draw(st.integers(2, 6))]
    ends = [(draw(st.sampled_from(codes[:n])), codes[n]) for n in range(1, len(codes))]
    pairs = st.lists(st.sampled_from(codes), min_size=2, max_size=2, unique=True)
    ends += [(pair[0], pair[1]) for pair in draw(st.lists(pairs, max_size=3))]
    letters = draw(st.permutations(string.ascii_uppercase))
    tiles = SPACES_A_ROUTE * len(ends)
    hand_size = draw(st.integers(1, min(4, tiles // 2)))
    most_players = min(6, tiles // hand_size)
    players = range(2, most_players + 1)
    spare = {n: tiles - n * hand_size for n in players}
    start, finish = draw(st.permutations(codes))[:2]
    purses = thousands(0, 5) | thousands(6, 15) | thousands(20, 60)
    dear = draw(st.sampled_from([1, 3, 8]))
    raw: dict[str, Any] = {
        "id": "other",
        "name": "Other",
        "start": start,
        "finish": finish,
        "last_spike_bonus": draw(thousands(0, 20)),
        "hand_size": hand_size,
        "set_aside": {str(n): draw(st.integers(0, min(2, spare[n]))) for n in players},
        "starting_cash": {str(n): draw(purses) for n in players},
        "cities": [
            {
                "code": code,
                "name": code,
                "land": [0, *sorted(draw(st.tuples(*[thousands(1, 3 * dear)] * 4)))],
                "payouts": list(draw(st.tuples(*[thousands(0, 9)] * 5))),
            }
            for code in codes
        ],
        "routes": [
            {
                "letter": letter,
                "ends": list(pair),
                "costs": list(draw(st.tuples(*[thousands(0, dear)] * 4))),
            }
            for letter, pair in zip(letters, ends, strict=False)
        ],
    }
    return figures.read(raw)


@st.composite
def new_games(draw: Draw) -> NewGame:
    """A game just dealt, of any edition, number of players and options."""
    edition = draw(standard_maps() | other_maps())
    players = draw(st.sampled_from(edition.player_counts))
    shuffle = Shuffle(seed_of_text(str(draw(st.integers(0, 10**6)))))
    table = setup(edition, players, draw(OPTIONS))
    return NewGame(Game.shuffled(table, shuffle.stream()), shuffle)
