"""One seat against another player, with Gymnasium: a small policy that gets better by trying."""

# %% The environment: seat 0 is ours, computer players have the others.
import gymnasium
import numpy as np

from lastspike.gym import ID  # importing it makes it known to Gymnasium

env = gymnasium.make(ID, players=2, opponents=["greenhorn"])
seen, _ = env.reset(seed=1869)
print(env.observation_space["observation"].shape, env.action_space, seen["action_mask"].sum())

# %% What an action is about, in three numbers: its cost, whether it buys, whether it passes.
encoder = env.unwrapped.encoder
spaces = encoder.shape.spaces
kinds = [encoder.move(action).kind for action in range(encoder.actions)]


def about(seen):
    """A row of features for every action."""
    costs = np.zeros(encoder.actions)
    costs[:spaces] = seen["observation"][spaces : 2 * spaces] / 10  # the part `costs`
    buys = [kind == "buy" for kind in kinds]
    passes = [kind == "pass" for kind in kinds]
    return np.stack([costs, buys, passes], axis=1)


def choose(weights, seen, rng):
    """An action at random, the likelier the better it seems; and how the weights led to it."""
    features = about(seen)
    legal = np.flatnonzero(seen["action_mask"])
    scores = features[legal] @ weights
    chances = np.exp(scores - scores.max())
    chances /= chances.sum()
    action = rng.choice(legal, p=chances)
    return int(action), features[action] - chances @ features[legal]


# %% Policy gradient, the shortest there is.
rng = np.random.default_rng(1869)
weights = np.zeros(3)
won = []
for _ in range(30):
    seen, _ = env.reset()
    steps, over = [], False
    while not over:
        action, step = choose(weights, seen, rng)
        steps.append(step)
        seen, reward, over, _, _ = env.step(action)
    weights += 0.1 * (reward - 0.5) * np.sum(steps, axis=0)
    won.append(reward)
print("won", np.mean(won), "weights for cost, buying, passing:", weights.round(2))
env.close()
