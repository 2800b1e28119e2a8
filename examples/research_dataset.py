"""Learning from games that were written down: what a position is worth, from a Parquet file."""

# %% Games of Clerks, one row for each decision. In a shell:
# lastspike dataset --bots clerk --games 40 --seed a --columns games.parquet
import subprocess
import sys
import tempfile
from pathlib import Path

folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "games.parquet"
options = ["--bots", "clerk", "--games", "40", "--seed", "a", "--jobs", "1", "--columns", str(path)]
subprocess.run([sys.executable, "-m", "lastspike", "dataset", *options], check=True)

# %% What the file says of itself.
import json

import pyarrow.parquet as pq

table = pq.read_table(path)
about = json.loads(table.schema.metadata[b"lastspike"])
print(table.num_rows, "rows;", about["format"], "actions", about["actions"])

# %% As arrays.
import numpy as np


def matrix(name):
    column = table.column(name).combine_chunks()
    return column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1)


observations, legal = matrix("observation"), matrix("legal")
action, won, game = (table.column(name).to_numpy() for name in ("action", "win", "game"))
assert legal[np.arange(len(action)), action].all(), "every action was legal"

# %% A linear guess at the share of the win, by ridge regression on most games, tried on the rest.
known = game % 5 != 0
features = np.c_[observations, np.ones(len(observations))].astype(np.float64)
left = features[known].T @ features[known] + 100 * np.eye(features.shape[1])
weights = np.linalg.solve(left, features[known].T @ won[known])
guess = features[~known] @ weights
print(
    "guess where won:", guess[won[~known] > 0].mean(), "elsewhere:", guess[won[~known] == 0].mean()
)
folder.cleanup()
