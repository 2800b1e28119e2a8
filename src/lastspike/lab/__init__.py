"""Many games, and what can be said of them: arena, study, training, research."""
