"""One server for each database file: who has it, and where that one listens."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from lastspike.rules.errors import LastSpikeError

_PATIENCE = 15.0
"""How many seconds a server may take from claiming its database to listening."""


class DatabaseInUse(LastSpikeError):
    """Another server has the database, whose file is the fact `path`."""

    def address(self, patience: float = _PATIENCE) -> str | None:
        """Where the other one listens. One that is just starting is waited for."""
        lock = _lock_of(Path(str(self.facts["path"])))
        until = time.monotonic() + patience
        while True:
            try:
                found = json.loads(lock.read_text("utf-8"))["address"]
                return found if isinstance(found, str) else None
            except (OSError, ValueError, LookupError, TypeError):
                if time.monotonic() >= until:
                    return None
            time.sleep(0.1)


class DatabaseLock:
    """The database is ours until we end, however we end."""

    def __init__(self, file: IO[str] | None) -> None:
        self._file = file

    def listens_at(self, address: str) -> None:
        """Tell those who find the database taken where to go."""
        self._write(json.dumps({"address": address}))

    def _write(self, text: str) -> None:
        if self._file is not None:
            self._file.seek(0)
            self._file.truncate()
            self._file.write(text)
            self._file.flush()


@contextmanager
def locked(database: Path) -> Iterator[DatabaseLock]:
    """Keep other servers from the same file. `DatabaseInUse` if one has it.

    Where the system has no such locks, nothing is kept. The lock file stays behind: removing it
    would let two servers hold locks on two files of one name.
    """
    if database.is_dir():
        raise LastSpikeError("{path}: not a file that a database can be kept in", path=database)
    database.parent.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield DatabaseLock(None)
        return
    database = database.resolve()
    with _lock_of(database).open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DatabaseInUse(
                "{path}: another server has this database open", path=database
            ) from None
        claim = DatabaseLock(file)
        claim._write("")
        try:
            yield claim
        finally:
            claim._write("")


def _lock_of(database: Path) -> Path:
    return database.with_name(f".{database.name}.server")
