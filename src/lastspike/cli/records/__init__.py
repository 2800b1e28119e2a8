"""Commands for recorded games: replay, verify, review."""
