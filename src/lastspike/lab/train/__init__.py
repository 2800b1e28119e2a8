"""Training: games that nets play with themselves, and what they learn from them. Needs JAX."""
