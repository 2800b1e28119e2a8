"""Real databases to test with: SQLite files and PostgreSQL servers of our own.

All tests of a run share one PostgreSQL server, whatever number of workers pytest has, and each test
gets a database of its own in it. It does not sync to disk, as its folder is deleted in the end.
Tests that stop a server or let it crash use another one, which nobody shares and which syncs as in
production.

Nothing is skipped: without PostgreSQL the tests fail and say what to install.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest

from lastspike.server.storage.upkeep.upgrade import upgrade

MIGRATED = "lastspike_migrated"

GUARD = """
import fcntl, os, shutil, subprocess, sys
users, note, folder, stop, user, detached = sys.argv[1:]
if detached and os.fork():
    os._exit(0)
with open(users, "a") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    if os.path.exists(note):
        os.remove(note)
    group = os.stat(folder).st_gid
    run_as = {"user": int(user), "group": group, "extra_groups": []} if user else {}
    subprocess.run([stop, "-D", "data", "-m", "immediate", "-w", "stop"], cwd=folder, **run_as)
    shutil.rmtree(folder, ignore_errors=True)
"""
"""Waits until nobody holds a shared lock of the file `users` any longer, even if they were killed.
Then it removes the note that says where the server is, stops the server and deletes its folder.
PostgreSQL is no child of the tests: without a guard it would run for ever."""


class PostgresServer:
    """A PostgreSQL server that listens on a socket in its own folder only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def url(self, database: str) -> str:
        return f"postgresql+asyncpg://postgres@/{database}?host={self.folder}"

    def command(self, statement: str) -> None:
        """Run one statement as the administrator."""

        async def run() -> None:
            connection = await asyncpg.connect(
                host=str(self.folder), user="postgres", database="postgres"
            )
            try:
                await connection.execute(statement)
            finally:
                await connection.close()

        _run_apart(run())

    @contextlib.contextmanager
    def new_database(self, template: str = MIGRATED) -> Iterator[str]:
        """The URL of a new database; usually with all tables and no rows."""
        name = f"test_{uuid.uuid4().hex}"
        self.command(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        yield self.url(name)
        self.command(f"DROP DATABASE {name} WITH (FORCE)")


class OwnPostgresServer(PostgresServer):
    """A server that we start, and may stop. It runs until everybody who holds a shared lock of the
    file `users` is gone. With `sync`, it survives a crash of the machine as in production."""

    def __init__(self, users: Path, note: Path, *, sync: bool, detached: bool = False) -> None:
        # In the system's folder for temporary files: the path of a socket must be short.
        super().__init__(Path(tempfile.mkdtemp(prefix="lastspike-pg-")))
        self._sync = "on" if sync else "off"
        self._as = _harmless_user(self.folder)
        self._programs = postgres_programs(self.folder, self._as)
        user = str(self._as.get("user", ""))
        facts = [users, note, self.folder, self._programs / "pg_ctl", user]
        self.guard = subprocess.Popen(
            [sys.executable, "-c", GUARD, *map(str, facts), "detached" if detached else ""],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        if detached:
            self.guard.wait(60)
        self._run(
            "initdb", "-D", "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"
        )
        self.start()
        self.command(f"CREATE DATABASE {MIGRATED}")
        _run_apart(upgrade(self.url(MIGRATED)))

    def start(self) -> None:
        options = (
            f"-k {self.folder} -h '' -c max_connections=200 -c shared_buffers=32MB"
            f" -c fsync={self._sync} -c full_page_writes={self._sync}"
        )
        self._run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-D", "data", "-w", "-m", mode, "stop")

    def crash(self) -> None:
        """Stop at once, without finishing anything, and start again."""
        self.stop("immediate")
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        said = self.folder / "said"
        # Into a file and not a pipe, which the server would keep open.
        with said.open("wb") as output:
            done = subprocess.run(
                [self._programs / program, *arguments],
                cwd=self.folder,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(self.folder)},
                stdout=output,
                stderr=output,
                check=False,
                timeout=60,
                **self._as,
            )
        if done.returncode != 0:
            raise RuntimeError(f"{program} failed: {said.read_text()}")


def _run_apart(work: Coroutine[Any, Any, None]) -> None:
    """In a thread, since a test that asks for a database may be running in an event loop."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def _harmless_user(folder: Path) -> dict[str, Any]:
    """PostgreSQL refuses to be run by root, as tests in a container often are."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def postgres_programs(folder: Path, run_as: dict[str, Any]) -> Path:
    """The folder with `initdb` and `pg_ctl`: those of the package pgserver, or those installed."""
    package = find_spec("pgserver")
    if package is not None and package.submodule_search_locations:
        installed = Path(package.submodule_search_locations[0]) / "pginstall"
        try:
            subprocess.run(
                [installed / "bin" / "postgres", "--version"],
                check=True,
                capture_output=True,
                cwd=folder,
                **run_as,
            )
        except PermissionError:
            # Our user may not look into the folder where the packages are.
            installed = Path(shutil.copytree(installed, folder / "pginstall", symlinks=True))
        return installed / "bin"
    found = shutil.which("initdb")
    if found is None:
        pytest.fail(
            "These tests need a PostgreSQL server: pip install pgserver (up to Python 3.12), or put"
            " PostgreSQL's initdb, postgres and pg_ctl on the PATH.",
            pytrace=False,
        )
    return Path(found).resolve().parent


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """The server that all tests of this run share. The first worker that needs it starts it."""
    base = tmp_path_factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    note, users = run / "postgres", run / "postgres.users"
    with users.open("a") as using, (run / "postgres.starting").open("a") as starting:
        fcntl.flock(starting, fcntl.LOCK_EX)
        fcntl.flock(using, fcntl.LOCK_SH)  # waits for a guard that is stopping the server
        if not note.exists():
            started = OwnPostgresServer(users, note, sync=False, detached=True)
            note.write_text(str(started.folder))
        fcntl.flock(starting, fcntl.LOCK_UN)
        yield PostgresServer(Path(note.read_text()))


@pytest.fixture(scope="session")
def own_postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnPostgresServer]:
    """A server for tests that stop it or let it crash."""
    folder = tmp_path_factory.mktemp("postgres")
    with (folder / "users").open("a") as using:
        fcntl.flock(using, fcntl.LOCK_SH)
        server = OwnPostgresServer(folder / "users", folder / "note", sync=True)
        yield server
    server.guard.wait(60)


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """A PostgreSQL database of this test only, with all tables and no rows."""
    with postgres_server.new_database() as url:
        yield url


@pytest.fixture
def own_postgres_url(own_postgres_server: OwnPostgresServer) -> Iterator[str]:
    """The same, on the server that this test may stop."""
    with own_postgres_server.new_database() as url:
        yield url


@pytest.fixture
def bare_postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """A PostgreSQL database of this test only, without any table."""
    with postgres_server.new_database("template0") as url:
        yield url


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """An SQLite file that is not there yet; `Storage.open` makes it with all its tables."""
    return f"sqlite+aiosqlite:///{tmp_path / 'lastspike.sqlite'}"


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """Each kind of database in turn."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(params=["sqlite", "bare_postgres"])
def bare_database_url(request: pytest.FixtureRequest) -> str:
    """Each kind of database in turn, without any table."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url
