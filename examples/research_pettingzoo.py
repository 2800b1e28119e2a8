"""Four agents at one table, with PettingZoo. Cells are marked for editors that run them singly."""

# %% A table: every seat is an agent, and sees what its player would.
import numpy as np

from lastspike.lab.research.pettingzoo_env import env as table

env = table(players=4)
env.reset(seed=1869)
seen, *_ = env.last()
print(
    env.agent_selection,
    "sees",
    seen["observation"].shape,
    "and may take",
    seen["action_mask"].sum(),
)

# %% Actions are numbers; the encoder knows their moves.
encoder = env.unwrapped.encoder
print("legal:", [encoder.move(action).text for action in np.flatnonzero(seen["action_mask"])])


# %% Two ways to choose: anything, or to buy land whenever one can.
def at_random(mask, rng):
    return rng.choice(np.flatnonzero(mask))


def greedy_for_land(mask, rng):
    land = [a for a in np.flatnonzero(mask) if encoder.move(a).kind == "buy"]
    return rng.choice(land) if land else at_random(mask, rng)


# %% One agent buys, three don't care. Whose share of the wins is larger?
rng = np.random.default_rng(1869)
wins = dict.fromkeys(env.possible_agents, 0.0)
games = 20
env.reset(seed=1869)
for _ in range(games):
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            wins[agent] += reward
            env.step(None)  # PettingZoo's way to leave
            continue
        choose = greedy_for_land if agent == "seat_0" else at_random
        env.step(int(choose(seen["action_mask"], rng)))
    env.reset()
print({agent: won / games for agent, won in wins.items()})
