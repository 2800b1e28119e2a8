"""The cost budget: what a route or a message may take in at most, and what it may cost."""
