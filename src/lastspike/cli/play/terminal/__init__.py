"""A whole game in the terminal: the map in text, one screen for all who sit round it."""
