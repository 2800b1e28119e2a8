"""The translations, one gettext catalogue a language."""
