"""PettingZoo's own checks, and what they can't know: that it is our game, bankrupts included."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from lastspike.lab.arena.series import play_game
from lastspike.lab.research.observations import ILLEGAL_REWARD
from lastspike.lab.research.pettingzoo_env import LastSpikeAEC, env, parallel_env
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import IllegalMove, LastSpikeError
from lastspike.rules.table import Options, setup

TOLD_ANYWAY = (
    # PettingZoo's check would rather see plain arrays, and spares its own games by their names;
    # a dictionary with the mask beside the observation is its own way all the same.
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    # Who is out, and is asked to leave, has nothing to choose from.
    "ignore:Action mask numpy array is all zeros",
)


def poor() -> Edition:
    """An edition in which players go bankrupt."""
    raw = shipped().to_figures()
    raw["id"] = "poor"
    raw["starting_cash"] = dict.fromkeys(raw["starting_cash"], 6000)
    return figures.read(raw)


CASES: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 6, "options": Options(cash="hidden", hands="open")},
    {"players": 4, "edition": poor()},
]


@pytest.mark.filterwarnings(*TOLD_ANYWAY)
@pytest.mark.parametrize("how", CASES, ids=["two", "six", "poor"])
class TestPettingZoo:
    """Our names for their checks."""

    def test_the_interface(self, how: dict[str, Any]) -> None:
        for made in (env(**how, render_mode="ansi"), LastSpikeAEC(**how)):
            api_test(made, num_cycles=150)

    def test_a_seed_settles_everything(self, how: dict[str, Any]) -> None:
        seed_test(lambda: env(**how), num_cycles=100)

    def test_the_parallel_interface(self, how: dict[str, Any]) -> None:
        parallel_api_test(parallel_env(**how), num_cycles=200)

    def test_a_seed_settles_everything_in_parallel(self, how: dict[str, Any]) -> None:
        """It acts without looking at masks: the first illegal action ends the game."""
        parallel_seed_test(lambda: parallel_env(**how), num_cycles=20)


def test_a_seed_deals_the_games_of_its_series_one_after_the_other() -> None:
    """The same as `lastspike simulate --seed 7` plays."""
    table = LastSpikeAEC(players=3)
    for number in range(3):
        table.reset(seed=7 if number == 0 else None)
        game, _ = play_game(setup(shipped(), 3), "7", number)
        assert table.game.deal == game.deal
        for move in game.moves:
            assert table.agent_selection == f"seat_{table.game.turn}"
            assert table.observe(table.agent_selection)["action_mask"][table.encoder.action(move)]
            table.step(table.encoder.action(move))
        assert table.game.position == game.position
        outcome = game.outcome
        assert outcome is not None
        assert list(table.terminations.values()) == [True] * 3
        assert table.rewards == {
            f"seat_{seat}": 1 / len(outcome.winners) if seat in outcome.winners else 0
            for seat in range(3)
        }


def test_without_a_seed_games_differ() -> None:
    deals = []
    for _ in range(2):
        table = LastSpikeAEC()
        for _ in range(2):
            table.reset()
            deals.append(table.game.deal)
    assert len(set(deals)) == 4


def test_a_bankrupt_leaves_and_the_others_play_on() -> None:
    rng = Random(1)
    table = env(players=4, edition=poor())
    left_early = 0
    for seed in range(5):
        table.reset(seed=seed)
        won = {}
        for agent in table.agent_iter():
            seen, reward, terminated, _, _ = table.last()
            if terminated:
                won[agent] = reward
                left_early += not table.unwrapped.game.over
                table.step(None)
            else:
                table.step(rng.choice(np.flatnonzero(seen["action_mask"])))
        assert sorted(won) == table.possible_agents
        assert sum(won.values()) == 1
        bankrupt = table.unwrapped.game.outcome.bankrupt
        assert all(won[f"seat_{seat}"] == 0 for seat in bankrupt)
    assert left_early > 0


def test_an_illegal_action_is_an_error_that_changes_nothing() -> None:
    table = LastSpikeAEC(players=2)
    table.reset(seed=1)
    agent, before = table.agent_selection, table.game.position
    mask = table.observe(agent)["action_mask"]
    with pytest.raises(IllegalMove):
        table.step(int(np.flatnonzero(mask == 0)[0]))
    with pytest.raises(IndexError, match="no action 94: they go from 0 to 93"):
        table.step(94)
    with pytest.raises(ValueError, match="agents that are out"):
        table.step(None)
    assert (table.agent_selection, table.game.position) == (agent, before)
    assert table.game.moves == []


def test_options_may_be_given_by_name() -> None:
    assert LastSpikeAEC(options={"cash": "hidden"}).encoder.setup.options == Options(cash="hidden")
    with pytest.raises(LastSpikeError, match="option cash: expected open or hidden"):
        LastSpikeAEC(options={"cash": "secret"})
    with pytest.raises(TypeError, match="csh"):
        LastSpikeAEC(options={"csh": "hidden"})


def test_with_guards_an_illegal_action_ends_the_game() -> None:
    table = env(players=2)
    table.reset(seed=1)
    agent = table.agent_selection
    table.step(int(np.flatnonzero(table.observe(agent)["action_mask"] == 0)[0]))
    assert table.rewards[agent] == ILLEGAL_REWARD
    assert all(table.terminations.values())


def test_it_is_drawn_as_a_line_for_people() -> None:
    table = LastSpikeAEC(players=2, render_mode="ansi")
    with pytest.raises(RuntimeError):
        table.render()
    table.reset(seed=1)
    told = table.render()
    assert told is not None
    assert told.endswith(" to lay | cash $60,000 $60,000 | track none")
