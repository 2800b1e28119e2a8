"""The Last Spike: a railway game, its rules, players and tables."""

from ._moved import install as _install

__version__ = "0.1.0"

_install()
