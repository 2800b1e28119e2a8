"""Doors for researchers: the game as PettingZoo, Gymnasium and OpenSpiel know games, and as data.

Every door stands on `rules` and shows what `batch` documents: its action numbers, its observations.
`docs/research.md` tells how to use them. All need the extra `research`.
"""
