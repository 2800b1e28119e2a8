"""Many games at once for learners: pure functions for NumPy and JAX, and Gymnasium's vectors."""
