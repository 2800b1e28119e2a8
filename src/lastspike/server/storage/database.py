"""The connection to the database: its URL, engine and errors."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from sqlite3 import OperationalError
from typing import Any, TypeVar

from sqlalchemy import URL, Executable, event, make_url, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    ProgrammingError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.util import await_only

from lastspike.rules.errors import LastSpikeError

from .errors import down
from .models import person
from .open_file import OpenFile

T = TypeVar("T")

VERSION_TABLE = "schema_version"
CONNECT_SECONDS = 10
BUSY_SECONDS = 10
"""How long a writer waits while another process has locked the SQLite file."""
BUSY_RETRY_SECONDS = 0.01


def normalised(url: str) -> URL:
    """The URL with our driver, from `sqlite:///…` or `postgresql://…`.

    `LastSpikeError` for any other database.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise LastSpikeError("this isn’t a database URL: {url}", url=url) from None
    match parsed.get_backend_name():
        case "sqlite" if parsed.database and parsed.database != ":memory:":
            return parsed.set(drivername="sqlite+aiosqlite")
        case "sqlite":
            raise LastSpikeError("a SQLite URL must name a file: {url}", url=url)
        case "postgresql" | "postgres":
            return parsed.set(drivername="postgresql+asyncpg")
        case _:
            safe = parsed.render_as_string()
            raise LastSpikeError("only SQLite and PostgreSQL can be used, not {url}", url=safe)


def is_shared(url: URL) -> bool:
    """Whether several workers may use this database at the same time."""
    return url.get_backend_name() == "postgresql"


def dsn(url: URL) -> str:
    """The URL of a PostgreSQL database for asyncpg and PostgreSQL's own tools."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def make_engine(url: URL) -> AsyncEngine:
    if is_shared(url):
        return create_async_engine(
            url, async_creator=postgres_creator(url), pool_pre_ping=True, pool_size=5
        )
    engine = create_async_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine.sync_engine, "connect", _set_pragmas)
    return engine


def postgres_creator(url: URL, **options: Any) -> Callable[[], Any]:
    # Connects by the whole URL, so that libpq's options (`sslmode`, a socket's folder) work.
    try:
        import asyncpg  # type: ignore[import-untyped]
    except ImportError:
        raise LastSpikeError(
            "PostgreSQL needs one more package: pip install 'lastspike[postgres]'"
        ) from None

    address = dsn(url)

    def connect() -> Any:
        return asyncpg.connect(address, timeout=CONNECT_SECONDS, **options)

    return connect


SQLITE_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    # Overwrite deleted data, so that it can't be recovered from the file.
    "PRAGMA secure_delete = ON",
)


def _set_pragmas(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in SQLITE_PRAGMAS:
        _execute_when_unlocked(cursor, pragma)
    cursor.close()


def _execute_when_unlocked(cursor: Any, pragma: str) -> None:
    # SQLite doesn't wait for the lock by itself while another connection turns a new file to WAL.
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            cursor.execute(pragma)
            return
        except OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
        await_only(asyncio.sleep(BUSY_RETRY_SECONDS))


class Database:
    """An open database. Its methods raise `StorageDown` when it can't be used."""

    def __init__(self, url: str) -> None:
        self.url = normalised(url)
        self.shared = is_shared(self.url)
        self.engine = make_engine(self.url)
        # Each statement is its own transaction, without BEGIN and COMMIT.
        self._single = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self.insert = postgresql.insert if self.shared else sqlite.insert
        self.open_file = OpenFile("" if self.shared else self.file)
        self._running: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Finish the statements that are being run, and disconnect."""
        await asyncio.gather(*self._running, return_exceptions=True)
        await self.engine.dispose()

    @property
    def file(self) -> str:
        """The path of an SQLite database."""
        assert self.url.database is not None
        return self.url.database

    def prepare(self, create: bool = True) -> None:
        """Check that the SQLite file exists, or create it, readable only by its owner because it
        holds secrets. `LastSpikeError` if that fails."""
        if self.shared:
            return
        try:
            file = os.open(self.file, os.O_RDWR | (os.O_CREAT if create else 0), 0o600)
            self.open_file.opened(file)
            os.close(file)
        except FileNotFoundError as error:
            raise LastSpikeError("there is no database at {path}", path=self.file) from error
        except OSError as error:
            raise LastSpikeError(
                "the database {path} can’t be opened: {reason}",
                path=self.file,
                reason=error.strerror,
            ) from error

    @asynccontextmanager
    async def single(self) -> AsyncIterator[AsyncConnection]:
        """A connection on which each statement is its own transaction."""
        self.open_file.check()
        with reporting_down():
            async with self._single.connect() as connection:
                yield connection

    async def rows(self, query: Executable, **parameters: object) -> list[Any]:
        """The rows of a query, or those that a statement returns, in its own transaction."""

        async def work() -> list[Any]:
            async with self.single() as connection:
                return list((await connection.execute(query, parameters)).all())

        return await self._to_the_end(work())

    async def column(self, query: Executable) -> list[Any]:
        """The first column of a query."""
        return [row[0] for row in await self.rows(query)]

    async def execute(self, statement: Executable) -> int:
        """Run a statement in its own transaction; returns how many rows it changed."""

        async def work() -> int:
            async with self.single() as connection:
                return (await connection.execute(statement)).rowcount

        return await self._to_the_end(work())

    async def _to_the_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Do this even if the caller is cancelled: a connection that is cancelled amid a statement
        never comes back to the pool."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, so that nothing is logged where nobody waits any longer

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """One transaction of several statements. The first must write: SQLite can't turn a reading
        transaction into a writing one after another process wrote."""
        self.open_file.check()
        with reporting_down():
            async with self.engine.begin() as connection:
                yield connection
                self.open_file.check()

    @asynccontextmanager
    async def writing_for(self, person_id: str | None) -> AsyncIterator[AsyncConnection]:
        """One transaction that no other one for this person runs beside, in any worker: what it
        reads of them stays true until it has written."""
        async with self.writing() as connection:
            await connection.execute(
                update(person).where(person.c.id == person_id).values(name=person.c.name)
            )
            yield connection


@contextmanager
def reporting_down() -> Iterator[None]:
    """Turn connection errors into `StorageDown`."""
    try:
        yield
    except (IntegrityError, DataError, ProgrammingError):
        raise
    except (DBAPIError, PoolTimeout, OSError, TimeoutError) as error:
        raise down() from error
    except Exception as error:
        # While connecting, SQLAlchemy does not wrap asyncpg's errors.
        if type(error).__module__.startswith("asyncpg."):
            raise down() from error
        raise
