"""OpenSpiel's own checks, its searches at our table, and what nobody may know."""

from __future__ import annotations

import json
import pickle
import random
from collections import Counter
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

from lastspike import batch
from lastspike.lab.research.openspiel import NAME, LastSpikeState
from lastspike.rules.errors import IllegalMove, LastSpikeError

CASES: list[dict[str, Any]] = [
    {"players": 2, "double_cost": "open"},
    {"players": 3, "cash": "hidden"},
    {"players": 4},
    {"players": 6, "hands": "open"},
]

PUBLIC = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
PUBLIC_PAST = pyspiel.IIGObservationType(
    perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE
)
OWN = pyspiel.IIGObservationType(perfect_recall=False, public_info=False)


def game_of(**parameters: Any) -> Any:
    return pyspiel.load_game(NAME, parameters)


def at_random(state: Any, rng: Random, moves: int = 10**6) -> LastSpikeState:
    """So many moves further, up to where a player is to move, or to the end."""
    while not state.is_terminal() and (moves or state.is_chance_node()):
        moves -= not state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
    found: LastSpikeState = state
    return found


def row_of(observation: Any, state: Any, player: int) -> list[float]:
    observation.set_from(state, player)
    row: list[float] = observation.tensor.tolist()
    return row


@pytest.mark.parametrize("how", CASES, ids=lambda how: "-".join(map(str, how.values())))
class TestOpenSpiel:
    """Our names for their checks."""

    def test_random_games_in_cpp(self, how: dict[str, Any]) -> None:
        game = game_of(**how)
        pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)

    def test_random_games_in_python_with_copies_and_pickles(self, how: dict[str, Any]) -> None:
        games_sim_test.GamesSimTest().sim_game(game_of(**how))

    def test_resampling(self, how: dict[str, Any]) -> None:
        """What their `ResampleInfostateTest` asks, which knows C++ games only."""
        game, rng = game_of(**how), Random(1)
        state = at_random(game.new_initial_state(), rng, 0)
        while not state.is_terminal():
            for player in range(game.num_players()):
                other = state.resample_from_infostate(player, rng.random)
                assert other.current_player() == state.current_player()
                for told in ("information_state_string", "observation_string"):
                    assert getattr(other, told)(player) == getattr(state, told)(player)
                assert other.observation_tensor(player) == state.observation_tensor(player)
                assert len(other.history()) == len(state.history())
            at_random(state, rng, 5)

    def test_nothing_hidden_is_public_or_anothers_own(self, how: dict[str, Any]) -> None:
        """What a player can't see, dealt another way, changes nothing public, whoever asks, and
        nothing of the player's own."""
        game, rng = game_of(**how), Random(11)
        public, past, own = (make_observation(game, kind) for kind in (PUBLIC, PUBLIC_PAST, OWN))
        state = at_random(game.new_initial_state(), rng, 0)
        while not state.is_terminal():
            for player in range(game.num_players()):
                other = state.resample_from_infostate(player, rng.random)
                asking = (player + 1) % game.num_players()
                for shown, viewer in ((public, asking), (past, asking), (own, player)):
                    texts = [shown.string_from(world, viewer) for world in (state, other)]
                    assert texts[0] == texts[1]
                for shown, viewer in ((public, asking), (own, player)):
                    rows = [row_of(shown, world, viewer) for world in (state, other)]
                    assert rows[0] == rows[1]
            at_random(state, rng, 5)

    def test_what_is_public_and_ones_own_is_all_that_one_sees(self, how: dict[str, Any]) -> None:
        game, rng = game_of(**how), Random(12)
        public, own = make_observation(game, PUBLIC), make_observation(game, OWN)
        state = at_random(game.new_initial_state(), rng, 0)
        while not state.is_terminal():
            for player in range(game.num_players()):
                seen = json.loads(public.string_from(state, player)) | {"seat": player}
                mine = json.loads(own.string_from(state, player) or "{}")
                if seen["hands"][player] is None:
                    seen["hands"][player] = mine.pop("hand", [])
                if seen["cash"][player] is None:
                    seen["cash"][player] = mine.pop("cash")
                assert seen == json.loads(state.observation_string(player))
                assert not mine
            at_random(state, rng, 5)


class TestTheirApi(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc] # without types
    """Their checks of the API, on the states that they sample and on every state of a random game:
    what they sample hardly gets beyond the deal. Some that they make of all states of small games
    fit ours too, on these. Hands are hidden: with hands and cash open nobody has anything private,
    which they ask of every game of imperfect information."""

    game_name = NAME
    game = game_of()

    @classmethod
    def setUpClass(cls) -> None:
        random.seed(13)
        super().setUpClass()
        rng = Random(13)
        state = cls.game.new_initial_state()
        while not state.is_terminal():
            state = state.child(rng.choice(state.legal_actions()))
            cls.some_states.append(state)
        cls.all_states = cls.some_states

    small = api_test.EnforceAPIOnFullTreeBase
    test_legal_actions_empty = small.test_legal_actions_empty
    test_current_player_returns_terminal_player_on_terminal_nodes = (
        small.test_current_player_returns_terminal_player_on_terminal_nodes
    )
    test_information_state_no_argument_raises_on_terminal_nodes = (
        small.test_information_state_no_argument_raises_on_terminal_nodes
    )
    test_information_state_functions_raises_on_chance_nodes = (
        small.test_information_state_functions_raises_on_chance_nodes
    )
    test_constant_sum = small.test_constant_sum


class TestTheirApiWithTilesAside(TestTheirApi):
    game = game_of(players=2, double_cost="open")


class TestTheirApiWithHiddenCash(TestTheirApi):
    game = game_of(players=3, cash="hidden")


def test_ones_own_in_numbers() -> None:
    game, rng = game_of(players=3, cash="hidden"), Random(14)
    whole, own = make_observation(game), make_observation(game, OWN)
    state = at_random(game.new_initial_state(), rng, 20)
    for player in range(3):
        whole.set_from(state, player)
        own.set_from(state, player)
        assert list(own.dict) == ["hand", "cash"]
        assert own.dict["hand"].any()
        assert np.array_equal(own.dict["hand"], whole.dict["hands"][0])
        assert own.dict["cash"][0] == whole.dict["cash"][0] > 0


def test_with_open_hands_and_cash_nothing_is_ones_own() -> None:
    game = game_of(players=3, hands="open")
    own = make_observation(game, OWN)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
        assert own.string_from(state, 0) == ""
        assert row_of(own, state, 0) == []


def test_resampled_worlds_differ_and_do_not_depend_on_the_real_one() -> None:
    game, rng = game_of(players=3), Random(3)
    state = at_random(game.new_initial_state(), rng, 12)
    player = state.current_player()
    other = state.resample_from_infostate(player, rng.random)
    assert str(other) != str(state)
    for drawn in (0.1, 0.2, 0.7):
        sampler = partial(float, drawn)
        worlds = [str(s.resample_from_infostate(player, sampler)) for s in (state, other)]
        assert worlds[0] == worlds[1]
    seen = {str(state.resample_from_infostate(player, rng.random)) for _ in range(10)}
    assert len(seen) == 10


def test_unseen_tiles_are_all_as_likely() -> None:
    """Before anybody has moved, nothing is known of the other's hand but what it can't be."""
    game, rng = game_of(players=2), Random(4)
    state = at_random(game.new_initial_state(), rng, 0)
    mover = state.current_player()
    assert state.node.position is not None
    own = set(state.node.position.hidden.hands[mover])
    times: Counter[int] = Counter()
    for _ in range(600):
        world = state.resample_from_infostate(mover, rng.random)
        assert world.node.position is not None
        times.update(world.node.position.hidden.hands[1 - mover])
    assert set(times) == set(range(48)) - own
    expected = 600 * 4 / 44
    assert sum((count - expected) ** 2 / expected for count in times.values()) < 80  # chi², 43 d.f.


def test_observations_are_those_of_the_batch_engine() -> None:
    game, rng = game_of(players=5, cash="hidden"), Random(5)
    state = at_random(game.new_initial_state(), rng, 20)
    position = state.node.position
    assert position is not None
    shape = batch.shape_of([position.table.setup])
    assert game.observation_tensor_size() == batch.feature_count(shape)
    for seat in range(6):
        parts = batch.observe(
            batch.board_of(position.table.setup),
            batch.from_positions([position], shape),
            np.array(seat),
            np,
        )
        row = batch.flat(parts, np)[0]
        if seat < 5:
            assert state.observation_tensor(seat) == row.tolist()
            observation = make_observation(game)
            observation.set_from(state, seat)
        else:  # a spectator
            observation = make_observation(game, PUBLIC)
            observation.set_from(state, rng.randrange(5))
        for name, values in parts._asdict().items():
            assert np.array_equal(observation.dict[name], values[0])


def test_actions_are_those_of_the_batch_engine() -> None:
    state = at_random(game_of().new_initial_state(), Random(6), 15)
    player = state.current_player()
    board = state.node.setup.board
    shape = batch.shape_of([state.node.setup])
    for action in state.legal_actions():
        text = state.action_to_string(player, action)
        assert batch.action_of(board.parse(text), shape) == action
    illegal = min({*range(94)} - {*state.legal_actions()})
    with pytest.raises(IllegalMove):
        state.apply_action(illegal)
    with pytest.raises(IndexError, match="no action 1000: they go from 0 to 93"):
        state.apply_action(1000)


def test_chance_says_what_it_brings() -> None:
    game = game_of(players=3)
    state = game.new_initial_state()
    assert state.chance_outcomes() == [(seat, 1 / 3) for seat in range(3)]
    assert state.action_to_string(2) == "first 2"
    state.apply_action(2)
    assert len(state.chance_outcomes()) == 48
    assert state.action_to_string(0) == "draw A1"
    state.apply_action(0)
    assert str(state) == "dealing first 2 A1"
    assert state.information_state_string(0) == "seat 0 first 2 0<A1"
    assert state.information_state_string(1) == "seat 1 first 2 1<"
    assert not any(state.observation_tensor(0))
    public, past, own = map(game.make_py_observer, (PUBLIC, PUBLIC_PAST, OWN))
    assert {shown.string_from(state, 0) for shown in (public, past)} == {"spectator first 2"}
    assert [own.string_from(state, seat) for seat in range(3)] == ['{"hand": ["A1"]}', "", ""]
    assert not any(row_of(public, state, 0) + row_of(own, state, 0))
    with pytest.raises(ValueError, match="nobody is to move"):
        state.resample_from_infostate(0, lambda: 0.5)
    with pytest.raises(ValueError, match="chance can't bring 0"):
        state.apply_action(0)


def test_the_winners_share_one() -> None:
    state = at_random(game_of(players=4).new_initial_state(), Random(7))
    ended = state.node.position
    assert ended is not None
    assert sum(state.returns()) == 1
    public, own = map(state.get_game().make_py_observer, (PUBLIC, OWN))
    assert None not in json.loads(public.string_from(state, 0))["hands"]
    assert {own.string_from(state, seat) for seat in range(4)} == {""}
    assert state.legal_actions() == []
    assert str(pickle.loads(pickle.dumps(state))) == str(state)


@pytest.mark.parametrize("search", ["mcts", "ismcts"])
def test_their_searches_play_our_game(search: str) -> None:
    """With small budgets, some moves of a game of three."""
    game = game_of(players=3)
    luck = np.random.RandomState(8)
    evaluator = RandomRolloutEvaluator(1, luck)
    bot = (
        MCTSBot(game, 1.4, 12, evaluator, random_state=luck)
        if search == "mcts"
        else ISMCTSBot(game, evaluator, 1.4, 12, random_state=luck)
    )
    rng = Random(8)
    state = at_random(game.new_initial_state(), rng, 0)
    for _ in range(8):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        at_random(state, rng, 0)


def test_a_search_finds_the_last_spike() -> None:
    """Given the choice, the move that ends the game and wins it is found."""
    game, rng = game_of(players=2), Random(9)
    luck = np.random.RandomState(9)
    bot = MCTSBot(game, 1.4, 60, RandomRolloutEvaluator(1, luck), random_state=luck)
    for _ in range(200):
        state = at_random(game.new_initial_state(), rng, 0)
        while not state.is_terminal():
            player = state.current_player()
            after = {action: state.child(action) for action in state.legal_actions()}
            wins = [a for a, s in after.items() if s.is_terminal() and s.returns()[player] == 1]
            if wins and len(after) > len(wins):
                assert bot.step(state) in wins
                return
            at_random(state, rng, 1)
    pytest.fail("no such position came up")


def test_their_environment_for_learners_takes_it() -> None:
    environment = rl_environment.Environment(game_of(players=3))
    step = environment.reset()
    rng = Random(10)
    while not step.last():
        player = step.observations["current_player"]
        assert (
            len(step.observations["info_state"][player])
            == environment.game.observation_tensor_size()
        )
        step = environment.step([rng.choice(step.observations["legal_actions"][player])])
    assert sum(step.rewards) == 1


def test_parameters_are_checked() -> None:
    with pytest.raises(LastSpikeError, match="no edition"):
        game_of(edition="nowhere")
    with pytest.raises(LastSpikeError, match="double_cost"):
        game_of(double_cost="never")
    private = pyspiel.PrivateInfoType
    for kind, why in (
        ((True, False, private.ALL_PLAYERS), "each player's own"),
        ((False, True, private.SINGLE_PLAYER), "without what is public"),
        ((False, False, private.NONE), "without what is public"),
    ):
        with pytest.raises(ValueError, match=why):
            game_of().make_py_observer(pyspiel.IIGObservationType(*kind))
    with pytest.raises(ValueError, match="no parameters"):
        game_of().make_py_observer(None, {"more": 1})
