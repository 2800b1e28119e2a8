"""Tycoon: a player that learned from millions of games what positions are worth.

It needs NumPy. `train` makes its nets; `docs/tycoon.md` tells how.
"""

import os

# Its matrices are small: sharing one among the cores costs more than it gains, most of all where
# every core has a player of its own already. Read when NumPy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
