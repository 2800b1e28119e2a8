"""The steps of a turn over arrays, each beside its namesake in `rules.steps`."""
