"""Computer players: they choose from a view and never see hidden hands."""
