"""The server's settings, and where it keeps its files."""
