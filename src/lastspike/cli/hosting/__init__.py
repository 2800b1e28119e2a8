"""Commands for hosts: serve, db, games."""
