"""Training of Tycoon's nets by self-play. Needs JAX."""
