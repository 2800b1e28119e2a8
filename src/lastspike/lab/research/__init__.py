"""The game for researchers: in PettingZoo, Gymnasium and OpenSpiel, and as data.

All play by `rules` and use the action numbers and observations of `batch`; see `docs/research.md`.
They need the extra `research`.
"""
