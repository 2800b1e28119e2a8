"""Libraries that come with the extra `research`, and the error where one is not installed."""

from __future__ import annotations

from lastspike.rules.errors import LastSpikeError

PACKAGE = "'lastspike[research]'"


class MissingLibrary(LastSpikeError, ImportError):
    """A module was imported whose library is not installed."""


def missing(library: str) -> MissingLibrary:
    """The error that says what to install."""
    return MissingLibrary(
        "{library} is needed for this: pip install {package}", library=library, package=PACKAGE
    )
