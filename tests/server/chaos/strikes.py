"""What may happen to a server in an hour of chaos, one strike after the other."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sqlite3
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import psutil  # type: ignore[import-untyped]

from tests.server.databases import OwnPostgresServer
from tests.server.players import kill
from tests.server.running import RunningServer
from tests.server.wiretap import Tap

DISK_BYTES = 64 << 20
FULL_S = 4.0
"""How long the disk stays full, the database away, a process stopped or a reader slow, at most."""
DAY = 86_400

Strike = Callable[[], Awaitable[None]]


class Disk:
    """A folder whose disk can be filled: a small file system of its own, if we may mount one.
    Otherwise the server may write no file any longer, which fails in the same place."""

    def __init__(self, folder: Path, *, mounted: bool) -> None:
        self.folder = folder
        self._mounted = mounted

    @contextmanager
    def full(self, pid: int) -> Iterator[None]:
        if self._mounted:
            filler = self.folder / "filler"
            with filler.open("wb", buffering=0) as file, suppress(OSError):
                while True:
                    file.write(bytes(4096))
            try:
                yield
            finally:
                filler.unlink()
            return
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, before[1]))
        try:
            yield
        finally:
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def small_disk(folder: Path) -> Iterator[Disk]:
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)]
    mounted = not subprocess.run(mount, capture_output=True, check=False).returncode
    try:
        yield Disk(folder, mounted=mounted)
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)


class Strikes:
    """All that can happen to this server. `shift` is a file that says by how many seconds its clock
    is wrong; `taps` are the doors of the people who play now."""

    def __init__(self, server: RunningServer, rng: Random, shift: Path) -> None:
        self._server = server
        self._rng = rng
        self._shift = shift
        self.taps: list[Tap] = []

    def on_sqlite(self, disk: Disk) -> dict[str, Strike]:
        return self._common() | {
            "disk full": lambda: self._disk_full(disk),
            "database locked": self._locked,
            "database file away": self._file_away,
        }

    def on_postgres(self, postgres: OwnPostgresServer) -> dict[str, Strike]:
        return self._common() | {
            "worker killed": self._worker_killed,
            "database crashes": lambda: asyncio.to_thread(postgres.crash),
            "database away": lambda: self._database_away(postgres),
        }

    def _common(self) -> dict[str, Strike]:
        return {
            "server killed": self._killed,
            "server restarted": self._restarted,
            "server stopped for a while": self._paused,
            "player process killed": self._thinker_killed,
            "slow readers": self._slow_readers,
            "clock jumps": self._clock_jumps,
        }

    # ---- processes --------------------------------------------------------------------------

    async def _killed(self) -> None:
        kill(self._server)
        await asyncio.to_thread(self._server.restart)

    async def _restarted(self) -> None:
        await asyncio.to_thread(self._server.stop)
        await asyncio.to_thread(self._server.start)

    async def _worker_killed(self) -> None:
        with suppress(ProcessLookupError, IndexError):
            os.kill(self._rng.choice(self._server.workers), signal.SIGKILL)

    async def _paused(self) -> None:
        victim = self._rng.choice(self._server.workers or [self._server.pid])
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGSTOP)
            try:
                await self._a_while()
            finally:
                os.kill(victim, signal.SIGCONT)

    async def _thinker_killed(self) -> None:
        for worker in self._server.workers:
            with suppress(psutil.Error, IndexError):
                self._rng.choice(psutil.Process(worker).children()).kill()

    # ---- the database -----------------------------------------------------------------------

    async def _disk_full(self, disk: Disk) -> None:
        with disk.full(self._server.pid):
            await self._a_while()

    async def _locked(self) -> None:
        file = sqlite3.connect(self._file, isolation_level=None)
        try:
            with suppress(sqlite3.OperationalError):
                file.execute("BEGIN IMMEDIATE")
            await self._a_while()
        finally:
            file.close()

    async def _file_away(self) -> None:
        away = self._file.with_name("away")
        self._file.rename(away)
        try:
            await self._a_while()
        finally:
            away.rename(self._file)

    async def _database_away(self, postgres: OwnPostgresServer) -> None:
        mode = self._rng.choice(["fast", "immediate"])
        await asyncio.to_thread(postgres.stop, mode)
        try:
            await self._a_while()
        finally:
            await asyncio.to_thread(postgres.start)

    @property
    def _file(self) -> Path:
        return Path(self._server.database_url.partition("///")[2])

    # ---- lines and clocks -------------------------------------------------------------------

    async def _slow_readers(self) -> None:
        held = self._rng.sample(self.taps, min(len(self.taps), 4))
        for tap in held:
            tap.reads.clear()
        try:
            await self._a_while()
        finally:
            for tap in held:
                tap.reads.set()

    async def _clock_jumps(self) -> None:
        size = self._rng.choice([1, 60, 3600, DAY])
        self._shift.write_text(str(self._rng.uniform(-size, size)))

    async def _a_while(self) -> None:
        await asyncio.sleep(self._rng.uniform(0.2, FULL_S))
