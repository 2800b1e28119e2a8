"""Reaching the database: its address, the engine, and what counts as the database being down."""

from __future__ import annotations

import os
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    ProgrammingError,
    SADeprecationWarning,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from lastspike.rules.errors import LastSpikeError

from . import models
from .errors import down

with warnings.catch_warnings():
    # advanced-alchemy marks its mixins in a way that SQLAlchemy 2.1 has no more use for.
    warnings.simplefilter("ignore", SADeprecationWarning)
    from advanced_alchemy.alembic.commands import AlembicCommands
    from advanced_alchemy.config import AlembicAsyncConfig, SQLAlchemyAsyncConfig

MIGRATIONS = Path(__file__).parent / "migrations"
VERSION_TABLE = "schema_version"
CONNECT_SECONDS = 10
# How long a writer waits while another process has the SQLite file locked.
BUSY_SECONDS = 10


def normalised(url: str) -> URL:
    """The address with the driver that we use; `sqlite:///…` and `postgresql://…` will do.

    Raises LastSpikeError for an address of anything else.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise LastSpikeError("this is not the address of a database: {url}", url=url) from None
    match parsed.get_backend_name():
        case "sqlite" if parsed.database and parsed.database != ":memory:":
            return parsed.set(drivername="sqlite+aiosqlite")
        case "sqlite":
            raise LastSpikeError(
                "the address of a SQLite database must name a file: {url}", url=url
            )
        case "postgresql" | "postgres":
            return parsed.set(drivername="postgresql+asyncpg")
        case _:
            safe = parsed.render_as_string()
            raise LastSpikeError("only SQLite and PostgreSQL can be used, not {url}", url=safe)


def is_shared(url: URL) -> bool:
    """Whether several workers may use this database at the same time."""
    return url.get_backend_name() == "postgresql"


def dsn(url: URL) -> str:
    """The address of a PostgreSQL database as its own tools and asyncpg understand it."""
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
    # Through the address as a whole, so that what libpq knows (a socket's folder as `host`,
    # `sslmode`) works here as well.
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


def alembic_commands(engine: AsyncEngine) -> AlembicCommands:
    """What Alembic can do with the database, by the migrations of this package."""
    return AlembicCommands(
        SQLAlchemyAsyncConfig(
            engine_instance=engine,
            metadata=models.metadata,
            alembic_config=AlembicAsyncConfig(
                script_location=str(MIGRATIONS), version_table_name=VERSION_TABLE
            ),
        )
    )


SQLITE_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    # What is deleted is overwritten, so that whoever gets the file can't read it there.
    "PRAGMA secure_delete = ON",
)


def _set_pragmas(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in SQLITE_PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


class Database:
    """An open database. `reading` and `writing` raise StorageDown when it can't be used."""

    def __init__(self, url: str) -> None:
        self.url = normalised(url)
        self.shared = is_shared(self.url)
        self.engine = make_engine(self.url)
        # A single statement is its own transaction: no BEGIN and no COMMIT around it.
        self._single = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self.insert = postgresql.insert if self.shared else sqlite.insert

    @property
    def file(self) -> str:
        """Where an SQLite database lies."""
        assert self.url.database is not None
        return self.url.database

    def prepare(self, create: bool = True) -> None:
        """Makes sure that the file of an SQLite database is there, and, when it is made here, that
        nobody else may read it: it holds secrets. Raises LastSpikeError if that can't be."""
        if self.shared:
            return
        try:
            os.close(os.open(self.file, os.O_RDWR | (os.O_CREAT if create else 0), 0o600))
        except FileNotFoundError as error:
            raise LastSpikeError("there is no database {path}", path=self.file) from error
        except OSError as error:
            raise LastSpikeError(
                "the database {path} can't be opened: {reason}",
                path=self.file,
                reason=error.strerror,
            ) from error

    @asynccontextmanager
    async def single(self) -> AsyncIterator[AsyncConnection]:
        """For single statements, each a transaction of its own."""
        with telling_if_down():
            async with self._single.connect() as connection:
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """For one transaction of several statements. The first must be one that writes: SQLite
        refuses to make a writer of a transaction that read before somebody else wrote."""
        with telling_if_down():
            async with self.engine.begin() as connection:
                yield connection


@contextmanager
def telling_if_down() -> Iterator[None]:
    try:
        yield
    except (IntegrityError, DataError, ProgrammingError):
        raise
    except (DBAPIError, PoolTimeout, OSError, TimeoutError) as error:
        raise down() from error
    except Exception as error:
        # What asyncpg says while it connects reaches us as it is, without SQLAlchemy's wrapping.
        if type(error).__module__.startswith("asyncpg."):
            raise down() from error
        raise
