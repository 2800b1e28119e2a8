"""Tycoon: a player with a value net trained on millions of games.

It needs NumPy. `train` makes its nets; see `docs/tycoon.md`.
"""

import os

# The matrices are small, so threads cost more than they gain, especially with one player per core.
# NumPy reads this variable when it is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
