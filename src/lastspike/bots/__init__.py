"""Computer players. They see a view, never the hidden hands."""
