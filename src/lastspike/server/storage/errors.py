"""What can go wrong with the database."""

from __future__ import annotations

from lastspike.rules.errors import LastSpikeError


class StorageDown(LastSpikeError):
    """The database can't be reached or can't write. Whether what was being written is stored after
    all is not known; reading again tells."""


def down() -> StorageDown:
    return StorageDown("the server can't store anything just now; try again in a moment")
