"""The libraries behind the doors, which come with an extra and may not be there."""

from __future__ import annotations

from lastspike.rules.errors import LastSpikeError

PACKAGE = "'lastspike[research]'"


class MissingLibrary(LastSpikeError, ImportError):
    """A door was opened whose library is not installed."""


def missing(library: str) -> MissingLibrary:
    """The error that says what to install."""
    return MissingLibrary(
        "{library} is needed for this: pip install {package}", library=library, package=PACKAGE
    )
