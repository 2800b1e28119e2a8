"""`Storage`: all that the rest of the server knows of the database."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable

from sqlalchemy import literal, select

from lastspike.rules.errors import LastSpikeError

from .committer import PATIENCE_SECONDS, Committer, Writer
from .database import Database
from .errors import WrongSchema
from .persons import Persons
from .presence import Presence
from .sqlite_writer import SqliteWriter
from .tables import Tables
from .upgrading import current_revision, newest_revision, upgrade_engine
from .wishes import Wishes


class Storage(Tables, Persons, Wishes, Presence):
    """A database, SQLite or PostgreSQL. Every method raises StorageDown when it can't be used.

    `on_commit` is told of each transaction of the log: how many seconds it took, and how many
    steps it stored. A step that can't be stored is tried again for `patience` seconds.
    """

    def __init__(
        self,
        url: str,
        worker_id: str = "",
        *,
        on_commit: Callable[[float, int], None] | None = None,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self.worker_id = worker_id or secrets.token_hex(8)
        self._database = Database(url)
        self.shared = self._database.shared
        """Whether several workers may use this database at the same time."""
        self._committer = Committer(self._writer(), on_commit, patience)

    async def open(self) -> None:
        """Makes or changes the tables of an SQLite file by itself; those of a PostgreSQL database,
        which others may be using, must be current, or WrongSchema is raised."""
        engine = self._database.engine
        try:
            if not self.shared:
                _prepare_file(self._database.file)
            current, newest = await current_revision(engine), newest_revision(engine)
            if current != newest:
                if self.shared:
                    raise WrongSchema(
                        "the database is not ready for this version; run: lastspike db upgrade"
                    )
                await upgrade_engine(engine)
        except BaseException:
            await engine.dispose()
            raise
        self._committer.start()

    async def close(self) -> None:
        """Waits for what is being committed."""
        await self._committer.close()
        await self._database.engine.dispose()

    async def ping(self) -> None:
        async with self._database.single() as connection:
            await connection.execute(select(literal(1)))

    def _writer(self) -> Writer:
        if self.shared:
            from .postgres_writer import PostgresWriter

            return PostgresWriter(self._database.url)
        return SqliteWriter(self._database.file)


def _prepare_file(file: str) -> None:
    """Makes sure that the file is there, and that nobody else may read it: it holds secrets."""
    try:
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise LastSpikeError(
            "the database {path} can't be opened: {reason}", path=file, reason=error.strerror
        ) from error
