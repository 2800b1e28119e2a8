"""Gymnasium's own checks, and what they can't know: that it is our game with computer players."""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from lastspike.bots.levels import make_player
from lastspike.lab.arena.series import player_seed
from lastspike.lab.research.gymnasium_env import ID, LastSpikeEnv
from lastspike.lab.research.observations import ILLEGAL_REWARD
from lastspike.rules.editions import figures
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.game import Game
from lastspike.rules.records.shuffle import Stream, seed_of_series
from lastspike.rules.table import Options, setup

from .test_pettingzoo_env import poor


@pytest.mark.parametrize(
    "how",
    [
        {"players": 2},
        {"players": 4, "seat": 2, "opponents": ["surveyor", "greenhorn"]},
        {"players": 5, "seat": 4, "edition": poor(), "options": Options("open", "hidden", "open")},
    ],
    ids=["two", "four", "poor"],
)
def test_gymnasium_checks(how: dict[str, Any]) -> None:
    check_env(gymnasium.make(ID, render_mode="ansi", **how).unwrapped)


def test_it_is_the_game_of_the_rules_with_those_players() -> None:
    """The same as a series plays where the seat's choices are ours."""
    env = LastSpikeEnv(players=4, seat=2, opponents=["clerk", "surveyor", "greenhorn"])
    for number in range(2):
        seen, info = env.reset(seed=7 if number == 0 else None)
        assert info == {}
        game = Game.shuffled(setup(shipped(), 4), Stream(seed_of_series("7", number)))
        names = {0: "clerk", 1: "surveyor", 3: "greenhorn"}
        bots = {s: make_player(name, player_seed("7", number, s)) for s, name in names.items()}
        rng = Random(number)
        over, reward = False, 0.0
        while not over:
            while (turn := game.turn) != 2:
                assert turn is not None
                for move in bots[turn].turn(game.view(turn)):
                    game.play(move)
            assert env.game.position == game.position
            legal = [env.encoder.action(move) for move in game.legal_moves]
            assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(legal)
            action = rng.choice(legal)
            game.play(env.encoder.move(action))
            seen, reward, over, truncated, info = env.step(action)
            assert (truncated, info) == (False, {})
            assert over or reward == 0
        outcome = env.game.outcome
        assert outcome is not None
        assert reward == (1 / len(outcome.winners) if 2 in outcome.winners else 0)
        assert not seen["action_mask"].any()
        with pytest.raises(RuntimeError):
            env.step(0)


def test_an_illegal_action_ends_the_episode_and_says_why() -> None:
    env = LastSpikeEnv(players=2)
    seen, _ = env.reset(seed=1)
    action = int(np.flatnonzero(seen["action_mask"] == 0)[-1])
    _, reward, over, _, info = env.step(action)
    assert (reward, over) == (ILLEGAL_REWARD, True)
    assert env.encoder.move(action).text == "pass"
    assert info["illegal"] == "lay a tile first (T1)"
    with pytest.raises(RuntimeError):
        env.step(action)


def test_faults_of_opponents_are_told_until_the_episode_is_over() -> None:
    env = LastSpikeEnv(players=3, seat=1, opponents=["exec:false", "clerk"])
    seen, info = env.reset(seed=3)
    over = False
    while not over:
        seen, _, over, _, info = env.step(np.flatnonzero(seen["action_mask"])[0])
    ((seat, what),) = info["faults"]
    assert (seat, what.partition(" ")[0]) == (0, "exec:false")
    env.close()


def test_a_bankrupts_episode_ends_before_the_game() -> None:
    env = LastSpikeEnv(players=4, edition=poor(), opponents="greenhorn")
    rng = Random(2)
    early = 0
    for number in range(30):
        seen, _ = env.reset(seed=5 if number == 0 else None)
        over, reward = False, 0.0
        while not over:
            seen, reward, over, _, _ = env.step(rng.choice(np.flatnonzero(seen["action_mask"])))
        if not env.game.over:
            early += 1
            assert reward == 0
            assert not env.game.position.table.in_game(0)
    assert early > 0


def test_where_nobody_can_move_there_is_no_episode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastspike.lab.research.gymnasium_env.MOST_DEALS", 3)
    raw = poor().to_figures()
    raw["starting_cash"] = dict.fromkeys(raw["starting_cash"], 0)
    for route in raw["routes"]:
        route["costs"] = [5000] * 4
    with pytest.raises(LastSpikeError, match="never gets to move"):
        LastSpikeEnv(edition=figures.read(raw)).reset(seed=1)


def test_what_it_is_made_with_is_checked() -> None:
    with pytest.raises(LastSpikeError, match="no such seat"):
        LastSpikeEnv(players=3, seat=3)
    with pytest.raises(LastSpikeError):
        LastSpikeEnv(players=7)
    with pytest.raises(LastSpikeError, match="conductor"):
        LastSpikeEnv(opponents=["conductor"])
    with pytest.raises(LastSpikeError, match="3 for 1"):
        LastSpikeEnv(players=2, opponents=["clerk", "surveyor", "greenhorn"])
    with pytest.raises(LastSpikeError, match="can’t be started"):
        LastSpikeEnv(players=3, opponents=["exec:no-such-program"])
    with pytest.raises(ValueError, match="opponents"):
        LastSpikeEnv(opponents=[])
    with pytest.raises(RuntimeError):
        LastSpikeEnv().step(0)
