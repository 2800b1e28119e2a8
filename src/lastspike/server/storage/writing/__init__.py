"""Appending to the log: many steps in one synced transaction."""
