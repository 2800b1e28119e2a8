"""Search with OpenSpiel: what a player knows, worlds that fit it, and a move found among them."""

# %% The game.
import random

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from lastspike.lab.research.openspiel import NAME  # importing it makes it known to OpenSpiel

game = pyspiel.load_game(NAME, {"players": 2})
print(game.num_distinct_actions(), "actions,", game.observation_tensor_size(), "features")

# %% Chance deals, then somebody is to move.
rng = random.Random(1869)


def to_a_decision(state):
    while state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(actions, chances)[0])


state = game.new_initial_state()
to_a_decision(state)
player = state.current_player()
print(state.information_state_string(player))
print("legal:", [state.action_to_string(player, action) for action in state.legal_actions()])

# %% Worlds that the player can't tell apart: the same knowledge, other hands for the other.
for _ in range(3):
    world = state.resample_from_infostate(player, rng.random)
    assert world.information_state_string(player) == state.information_state_string(player)
    print("the other might have:", world.information_state_string(1 - player).split()[4])

# %% One game: a search over such worlds against moves at random.
luck = np.random.RandomState(1869)
searcher = ISMCTSBot(game, RandomRolloutEvaluator(1, luck), 1.4, 6, random_state=luck)
while not state.is_terminal():
    if state.current_player() == 0:
        state.apply_action(searcher.step(state))
    else:
        state.apply_action(rng.choice(state.legal_actions()))
    to_a_decision(state)
print("shares of the win:", state.returns())
