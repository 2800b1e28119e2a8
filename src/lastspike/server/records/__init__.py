"""Recorded games in the database: list, export and import."""
