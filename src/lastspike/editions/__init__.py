"""The shipped editions: every figure of the game, as data, with where each comes from."""
