"""Matches between computer players: paired deals, confidence intervals, ladders."""
