"""Research interfaces: PettingZoo, Gymnasium, OpenSpiel and datasets.

They use `rules`, with the action numbers and observations of `batch`, and need the extra
`research`; see `docs/research.md`.
"""
