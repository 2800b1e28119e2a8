"""Recorded games in the database: listed, exported, imported."""
