"""Lessons: games with a prepared deal, whole, as records that any reader of records can replay."""
