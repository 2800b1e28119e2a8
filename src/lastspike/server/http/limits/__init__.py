"""Limits for each caller: how much, how often, and in which order."""
