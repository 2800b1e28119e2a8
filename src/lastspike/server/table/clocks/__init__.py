"""Clocks of games that go on for days: holidays, and reminders by other players."""
