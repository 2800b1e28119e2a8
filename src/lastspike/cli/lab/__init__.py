"""Commands that play many games: simulate, arena, study, dataset, train."""
