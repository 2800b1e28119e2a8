"""The game in words: gettext catalogues, and what happened told in each language."""
