"""The error for a missing library of the extra `research`."""

from __future__ import annotations

from lastspike.rules.errors import LastSpikeError

PACKAGE = "'lastspike[research]'"


class MissingLibrary(LastSpikeError, ImportError):
    """The library that a module needs is not installed."""


def missing(library: str) -> MissingLibrary:
    """The error that says what to install."""
    return MissingLibrary(
        "{library} is needed for this: pip install {package}", library=library, package=PACKAGE
    )
