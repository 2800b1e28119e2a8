"""`Storage`: the interface to the database for the rest of the server."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from sqlalchemy import literal, select

from lastspike.rules.errors import LastSpikeError

from .database import Database
from .errors import StorageDown
from .models import quick_review
from .queries.alerts import Alerts, Holidays, Webhooks
from .queries.audit import Audit
from .queries.daily import Daily
from .queries.hidden_chat import HiddenChat
from .queries.logs import Logs
from .queries.moderation import Moderation
from .queries.overview import Overview
from .queries.packed_logs import PackedLogs
from .queries.personal_data import PersonalData
from .queries.persons import Persons
from .queries.presence import Presence
from .queries.reviews import Reviews
from .upkeep.revision import current_revision, newest_revision
from .writing.committer import PATIENCE_SECONDS, Committer, Writer
from .writing.sqlite import SqliteWriter


class Storage:
    """An SQLite or PostgreSQL database. All methods of its parts raise `StorageDown` when the
    database can't be used.

    `on_commit` is called after each transaction of the log with its seconds and number of steps. A
    step that can't be stored is retried for `patience` seconds.
    """

    def __init__(
        self,
        url: str,
        worker_id: str = "",
        *,
        on_commit: Callable[[float, int], None] | None = None,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self._database = database = Database(url)
        self.shared = database.shared
        """Whether several workers may use this database at the same time."""
        self._committer = Committer(self._writer(), on_commit, patience)
        self.logs = Logs(database, self._committer)
        self.packed_logs = PackedLogs(database)
        self.persons = Persons(database)
        self.audit = Audit(database)
        self.moderation = Moderation(database)
        self.overview = Overview(database)
        self.daily = Daily(database)
        self.hidden_chat = HiddenChat(database)
        self.webhooks = Webhooks(database)
        self.alerts = Alerts(database)
        self.holidays = Holidays(database)
        self.presence = Presence(database, worker_id or secrets.token_hex(8))
        self.personal_data = PersonalData(database)
        self.reviews = Reviews(database)
        self.quick_reviews = Reviews(database, quick_review)

    async def open(self) -> None:
        """Create or upgrade the tables of an SQLite file. Those of a PostgreSQL database, which
        others may be using, must be current: `LastSpikeError` otherwise."""
        engine = self._database.engine
        try:
            self._database.prepare()
            current, newest = await current_revision(engine), newest_revision()
            if current != newest:
                if self.shared:
                    raise LastSpikeError(
                        "the database is not ready for this version; run: lastspike db upgrade"
                    )
                from .upkeep.upgrade import upgrade_engine  # with Alembic

                await upgrade_engine(engine)
        except StorageDown as down:
            await engine.dispose()
            cause = down.__cause__
            raise StorageDown(
                "the database can’t be reached: {reason}", reason=getattr(cause, "orig", cause)
            ) from down
        except BaseException:
            await engine.dispose()
            raise
        self._committer.start()

    async def close(self) -> None:
        """Finish open commits and disconnect."""
        await self._committer.close()
        await self._database.close()

    async def ping(self) -> None:
        await self._database.rows(select(literal(1)))

    def _writer(self) -> Writer:
        if self.shared:
            from .writing.postgres import PostgresWriter

            return PostgresWriter(self._database.url)
        return SqliteWriter(self._database.open_file)
