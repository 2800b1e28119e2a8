"""The Last Spike: a railway game, its rules, players and tables."""

from ._moved import install as _install
from .release import VERSION

__version__ = VERSION

_install()
