"""The operator's routes, all behind the operator's key."""
