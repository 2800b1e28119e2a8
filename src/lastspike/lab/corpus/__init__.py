"""A corpus: games of all levels and numbers of players, with a manifest of digests."""
