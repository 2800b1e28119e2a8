"""Editions: their figures, read, checked and written."""
