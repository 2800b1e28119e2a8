"""How the database came to have its tables, version by version."""
