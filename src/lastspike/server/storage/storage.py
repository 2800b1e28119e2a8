"""`Storage`: all that the rest of the server knows of the database."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from sqlalchemy import literal, select

from lastspike.rules.errors import LastSpikeError

from .database import Database
from .errors import StorageDown
from .queries.logs import Tables
from .queries.personal_data import Dossier
from .queries.persons import Sessions
from .queries.presence import Presence
from .queries.reviews import Reviews
from .queries.wishes import Wishes
from .upkeep.upgrade import current_revision, newest_revision, upgrade_engine
from .writing.committer import PATIENCE_SECONDS, Committer, Writer
from .writing.sqlite import SqliteWriter


class Storage(Tables, Sessions, Wishes, Presence, Dossier, Reviews):
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
        which others may be using, must be current, or LastSpikeError is raised."""
        engine = self._database.engine
        try:
            self._database.prepare()
            current, newest = await current_revision(engine), newest_revision(engine)
            if current != newest:
                if self.shared:
                    raise LastSpikeError(
                        "the database is not ready for this version; run: lastspike db upgrade"
                    )
                await upgrade_engine(engine)
        except StorageDown as down:
            await engine.dispose()
            cause = down.__cause__
            raise StorageDown(
                "the database can't be reached: {reason}", reason=getattr(cause, "orig", cause)
            ) from down
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
            from .writing.postgres import PostgresWriter

            return PostgresWriter(self._database.url)
        return SqliteWriter(self._database.file)
