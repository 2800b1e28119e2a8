"""Gymnasium's vector API: the same game as the single environment, in many games at once."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from lastspike import batch
from lastspike.gym import ID
from lastspike.lab.arena.statistics import interval
from lastspike.lab.research.environments.gymnasium_vector import LastSpikeVectorEnv
from lastspike.lab.research.gymnasium_env import LastSpikeEnv
from lastspike.rules.editions import figures
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.position import legal_moves
from tests.lab.research.test_pettingzoo_env import poor

GAMES = 32


def vectors(**how: Any) -> Any:
    return gymnasium.make_vec(ID, num_envs=GAMES, **how)


def chosen(seen: dict[str, Any], rng: np.random.Generator) -> Any:
    return batch.random_actions(seen["action_mask"].astype(bool), rng, np)


def test_the_id_is_known_by_its_module_alone() -> None:
    code = "import gymnasium; e = gymnasium.make('lastspike.gym:LastSpike-v1'); e.reset(seed=1)"
    code += "; print(type(e.unwrapped).__name__, e.spec.id)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "LastSpikeEnv LastSpike-v1\n"


@pytest.mark.parametrize(
    "how",
    [
        {"players": 2, "opponents": ["surveyor"]},
        {"players": 4, "seat": 2, "opponents": ["surveyor", "greenhorn"]},
        {"players": 5, "seat": 4, "edition": poor(), "options": {"cash": "hidden"}},
    ],
    ids=["two", "four", "poor"],
)
def test_every_game_is_one_of_the_rules(how: dict[str, Any]) -> None:
    """It is the seat’s turn in each, it sees what the rules show it, and new games follow."""
    env = vectors(**how)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    seen, infos = env.reset(seed=7)
    assert infos == {}
    own = env.unwrapped
    rng = np.random.default_rng(1)
    episodes = early = 0
    for turn in range(60):
        assert seen["observation"].dtype == np.float32
        assert env.observation_space.contains(seen)
        assert seen["action_mask"].any(axis=1).all()
        state = own._games
        if turn % 10 == 0:
            setups = [own.encoder.setup] * GAMES
            for game, position in enumerate(batch.to_positions(setups, state)):
                assert position.table.turn == own.seat
                expected = own.encoder.observation(position, own.seat)
                assert np.array_equal(seen["observation"][game], expected)
                moves = sorted(own.encoder.action(move) for move in legal_moves(position))
                assert np.flatnonzero(seen["action_mask"][game]).tolist() == moves
        seen, rewards, over, truncated, infos = env.step(chosen(seen, rng))
        assert not truncated.any()
        assert not rewards[~over].any()
        assert ((rewards >= 0) & (rewards <= 1)).all()
        assert np.array_equal(over, infos.get("_final_obs", np.zeros(GAMES, bool)))
        for number in np.flatnonzero(over):
            final = infos["final_obs"][number]
            assert env.single_observation_space.contains(final)
            assert final["action_mask"].any()
            early += int(final["observation"][own.encoder.features - 4] == 0)  # the phase "over"
        episodes += int(over.sum())
    assert episodes >= GAMES
    assert early > 0 or "edition" not in how
    env.close()


def test_the_same_seed_gives_the_same_games() -> None:
    def play() -> list[Any]:
        env = vectors(players=3)
        seen, _ = env.reset(seed=3)
        rng, told = np.random.default_rng(2), []
        for _ in range(40):
            seen, rewards, _, _, _ = env.step(chosen(seen, rng))
            told += [seen["observation"].copy(), rewards]
        return told

    assert all(map(np.array_equal, play(), play()))


def test_a_random_seat_wins_its_fair_share_among_greenhorns() -> None:
    env = LastSpikeVectorEnv(256, players=4, seat=1)
    seen, _ = env.reset(seed=5)
    rng = np.random.default_rng(3)
    shares: list[float] = []
    while len(shares) < 600:
        seen, rewards, over, _, _ = env.step(chosen(seen, rng))
        shares += rewards[over].tolist()
    found = interval(shares)
    assert found.low - 0.02 < 0.25 < found.high + 0.02


def test_surveyors_in_arrays_move_as_surveyors_do() -> None:
    """Nearly always: equal scores may be ordered differently."""
    from lastspike.bots.surveyor import Surveyor
    from lastspike.lab.research.environments.opponents import moves_of
    from lastspike.rules import Game

    games = [Game.new(3, f"{number}") for number in range(12)]
    move = moves_of("surveyor", games[0].setup)
    remix = np.zeros((1, 3, 48), np.int32)
    same = total = 0
    for game in games:
        for _ in range(12):
            state = batch.from_positions([game.position], batch.shape_of([game.setup]))
            after = move(state, remix, np.random.default_rng(0))
            for own in Surveyor("").turn(game.view(game.position.table.turn)):
                game.play(own)
            (found,) = batch.to_positions([game.setup], after)
            same += found.table == game.position.table
            total += 1
    assert same >= 0.95 * total


def test_an_illegal_action_ends_its_game_and_no_other() -> None:
    env = LastSpikeVectorEnv(4, players=2)
    seen, _ = env.reset(seed=1)
    actions = seen["action_mask"].argmax(axis=1)
    actions[2] = env.encoder.actions - 1
    assert not seen["action_mask"][2, actions[2]]
    _, rewards, over, _, infos = env.step(actions)
    assert rewards.tolist() == [0, 0, -1, 0]
    assert over.tolist() == [False, False, True, False] == infos["_final_obs"].tolist()


def test_what_it_is_made_with_is_checked() -> None:
    with pytest.raises(LastSpikeError, match="no such seat"):
        LastSpikeVectorEnv(players=3, seat=3)
    with pytest.raises(ValueError, match="single games"):
        LastSpikeVectorEnv(opponents=["clerk"])
    with pytest.raises(ValueError, match="opponents"):
        LastSpikeVectorEnv(opponents=[])
    with pytest.raises(RuntimeError):
        LastSpikeVectorEnv().step(np.zeros(1))
    env: Any = gymnasium.make_vec(ID, num_envs=2, vectorization_mode="sync", opponents=["clerk"])
    assert isinstance(env.envs[0].unwrapped, LastSpikeEnv)
    env.close()


def test_where_nobody_can_move_there_is_no_episode(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "lastspike.lab.research.environments.gymnasium_vector.MOST_DEALS"
    monkeypatch.setattr(module, 3)
    raw = shipped().to_figures() | {"id": "nobody"}
    raw["starting_cash"] = dict.fromkeys(raw["starting_cash"], 0)
    for route in raw["routes"]:
        route["costs"] = [5000] * 4
    with pytest.raises(LastSpikeError, match="never gets to move"):
        LastSpikeVectorEnv(edition=figures.read(raw)).reset(seed=1)
