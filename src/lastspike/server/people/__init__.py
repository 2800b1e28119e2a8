"""Persons: sessions, history, personal data and its erasure."""
