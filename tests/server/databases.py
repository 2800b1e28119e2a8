"""Real databases to test with: an SQLite file, and a PostgreSQL server of our own.

Nothing is skipped: where there is no PostgreSQL the tests fail and say what to install. Its folder
is thrown away with the server at the end of the session; it syncs to disk as it would in earnest.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pwd
import shutil
import subprocess
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


class PostgresServer:
    """A PostgreSQL server that listens on a socket in its own folder only."""

    def __init__(self) -> None:
        # In the system's folder for such things: the path of a socket must be short.
        self.folder = Path(tempfile.mkdtemp(prefix="lastspike-pg-"))
        self._as = _harmless_user(self.folder)
        self.programs = _programs(self.folder, self._as)
        self._guard = self._set_guard()
        self._run(
            "initdb", "-D", "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"
        )

    def start(self) -> None:
        options = f"-k {self.folder} -h '' -c max_connections=60 -c shared_buffers=16MB"
        self._run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-D", "data", "-w", "-m", mode, "stop")

    def crash(self) -> None:
        """Stops at once, without finishing anything, and starts again."""
        self.stop("immediate")
        self.start()

    def url(self, database: str) -> str:
        return f"postgresql+asyncpg://postgres@/{database}?host={self.folder}"

    def command(self, statement: str) -> None:
        """Runs one statement as the administrator."""

        async def run() -> None:
            connection = await asyncpg.connect(
                host=str(self.folder), user="postgres", database="postgres"
            )
            try:
                await connection.execute(statement)
            finally:
                await connection.close()

        _run_apart(run())

    def remove(self) -> None:
        """Stops the server and throws its folder away."""
        assert self._guard.stdin is not None
        self._guard.stdin.close()
        self._guard.wait(60)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _set_guard(self) -> subprocess.Popen[bytes]:
        """A process that stops the server as soon as its input is closed: by us, or because the
        tests were killed. The server is no child of ours and would go on for ever."""
        stop = '"$0" -D data -m immediate -w stop'
        return subprocess.Popen(
            ["/bin/sh", "-c", f'cat; {stop}; rm -rf "$PWD"', self.programs / "pg_ctl"],
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **self._as,
        )

    def _run(self, program: str, *arguments: str) -> None:
        said = self.folder / "said"
        # Into a file and not a pipe, which the server would keep open.
        with said.open("wb") as output:
            done = subprocess.run(
                [self.programs / program, *arguments],
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


def _programs(folder: Path, run_as: dict[str, Any]) -> Path:
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
def postgres_server() -> Iterator[PostgresServer]:
    """The server itself, for tests that stop it or let it crash."""
    server = PostgresServer()
    try:
        server.start()
        server.command(f"CREATE DATABASE {MIGRATED}")
        _run_apart(upgrade(server.url(MIGRATED)))
        yield server
    finally:
        server.remove()


@contextlib.contextmanager
def _new_database(server: PostgresServer, template: str) -> Iterator[str]:
    name = f"test_{uuid.uuid4().hex}"
    server.command(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield server.url(name)
    server.command(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """A PostgreSQL database of this test only, with all tables and no rows."""
    with _new_database(postgres_server, MIGRATED) as url:
        yield url


@pytest.fixture
def bare_postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """A PostgreSQL database of this test only, without any table."""
    with _new_database(postgres_server, "template0") as url:
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
