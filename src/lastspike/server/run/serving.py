"""Runs the server: uvicorn with one process or several, told when it is ready, ended in peace."""

from __future__ import annotations

import asyncio
import http.client
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import msgspec
import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.importer import import_from_string
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from lastspike.rules.errors import LastSpikeError
from lastspike.server.config.settings import CONFIG_JSON, Config, without_password
from lastspike.server.monitoring import logs

from .listening import http_address, listen_at, local_place
from .lockfile import DatabaseLock, locked

APP = "lastspike.server.http.app:app_from_environment"
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
GRACE = 10
"""Seconds that open requests and sockets have to end when the server does."""
HEARTBEAT = 20.0
"""Seconds between two pings of a socket, and how long its answer may take."""
MESSAGE_BYTES = 16 * 1024
"""The longest message through a socket; a longer one closes it."""

log = logging.getLogger(__name__)


def serve(
    config: Config,
    *,
    ready: Callable[[str], None] | None = None,
    any_port: bool = False,
    factory: str = APP,
    check: Callable[[Config], None] | None = None,
) -> None:
    """Serve until the process is told to end by SIGINT or SIGTERM.

    `ready` is called once, from a thread, with the address on this machine, when requests are
    answered. `any_port` takes a free port if that of the settings is taken. `LastSpikeError` if
    the address can't be had or the app of several workers can't be made, `DatabaseInUse` if
    another server has the database file.
    `factory` names a function that makes the ASGI app from the environment; `check` finds what
    would keep it from starting, so that it is told in one line and not by every worker.
    """
    with ExitStack() as stack:
        stack.enter_context(_ended_by_sigterm())
        file = config.database_file
        claim = DatabaseLock(None) if file is None else stack.enter_context(locked(file))
        (check_database if check is None else check)(config)
        listening = stack.enter_context(listen_at(config.host, config.port, or_any=any_port))
        place = local_place(listening)
        config = msgspec.structs.replace(config, port=place[1])  # which 0 or `any_port` left open
        stack.enter_context(_environment(CONFIG_JSON, config.to_env_json()))
        if config.workers > 1:
            stack.enter_context(_shared_metrics())
            _check_app(factory)
        serves = Event()
        telling = (place, claim, serves, ready)
        Thread(target=_tell_when_ready, args=telling, daemon=True).start()
        _run(config, listening, factory, serves)


def check_database(config: Config) -> None:
    """Open the database once, which makes or changes the tables of an SQLite file.

    `LastSpikeError` if it can't be reached, or is not ready for this version.
    """
    from lastspike.server.storage import Storage
    from lastspike.server.storage.errors import StorageDown, unreachable

    async def open_once() -> None:
        storage = Storage(config.database)
        await storage.open()
        await storage.close()

    try:
        asyncio.run(open_once())
    except StorageDown as error:
        raise unreachable(without_password(config.database), error) from None


def _check_app(factory: str) -> None:
    """Make the app once, before any worker does: uvicorn would start a worker that dies of it anew,
    for ever."""
    try:
        import_from_string(factory)()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise LastSpikeError("the server can't be started: {reason}", reason=reason) from error


def uvicorn_config(config: Config, factory: str = APP) -> uvicorn.Config:
    """How uvicorn is set. The sub-path is not among it: `entrance` takes it off, so that a proxy
    may pass it on or not."""
    return uvicorn.Config(
        factory,
        factory=True,
        workers=config.workers,
        http="httptools",
        ws="websockets-sansio",
        ws_max_size=MESSAGE_BYTES,
        ws_per_message_deflate=False,  # costs memory for every socket, and messages are short
        ws_ping_interval=HEARTBEAT,
        ws_ping_timeout=HEARTBEAT,
        lifespan="on",
        log_config=logs.log_config(config),
        access_log=False,
        server_header=False,
        proxy_headers=bool(config.trusted_proxies),
        forwarded_allow_ips=list(config.trusted_proxies),
        timeout_graceful_shutdown=GRACE,
    )


class Workers(Multiprocess):
    """Once the server serves, a worker that can't start is started again. uvicorn would end the
    server, since the app must be broken: but it is the database that is away."""

    def __init__(
        self, settings: uvicorn.Config, sockets: list[socket.socket], serves: Event
    ) -> None:
        super().__init__(settings, sockets)
        self._serves = serves

    def keep_subprocess_alive(self) -> None:
        if not self._serves.is_set():
            super().keep_subprocess_alive()
            return
        for number, worker in enumerate(self.processes):
            if self.should_exit.is_set():
                return
            if not worker.is_alive(timeout=self.config.timeout_worker_healthcheck):
                worker.kill()
                worker.join()
                log.warning("worker [%s] is gone, another takes its place", worker.pid)
                self.processes[number] = Process(self.config, self.sockets)
                self.processes[number].start()


def _run(config: Config, listening: socket.socket, factory: str, serves: Event) -> None:
    settings = uvicorn_config(config, factory)
    if config.workers > 1:
        workers = Workers(settings, [listening], serves)
        workers.run()
        failed = any(worker.exitcode == STARTUP_FAILURE for worker in workers.processes)
        if failed and not serves.is_set():
            sys.exit(1)  # it ended because a worker could not start, which is no peaceful end
        return
    server = uvicorn.Server(settings)
    with suppress(KeyboardInterrupt):  # which uvicorn raises again after a peaceful end
        server.run([listening])
    if not server.started:
        sys.exit(1)


def _tell_when_ready(
    place: tuple[str, int], claim: DatabaseLock, serves: Event, ready: Callable[[str], None] | None
) -> None:
    """Any answer at all means that the app has started: before that, connections are queued."""
    asking = http.client.HTTPConnection(*place)
    try:
        asking.request("GET", "/healthz")
        asking.getresponse().read()
    except (OSError, http.client.HTTPException):
        return  # it ended before it was ready
    finally:
        asking.close()
    serves.set()
    address = http_address(*place)
    claim.listens_at(address)
    if ready is not None:
        ready(address)


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """When uvicorn has ended in peace it raises the signal again; there is tidying up to do."""

    def leave(_signal: int, _frame: object) -> None:
        sys.exit(0)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


@contextmanager
def _shared_metrics() -> Iterator[None]:
    """A folder in which workers count together, empty at the start."""
    given = os.environ.get(METRICS_FOLDER)
    folder = Path(given or tempfile.mkdtemp(prefix="lastspike-metrics-"))
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob("*.db"):
        left.unlink(missing_ok=True)
    try:
        with _environment(METRICS_FOLDER, str(folder)):
            yield
    finally:
        if given is None:
            shutil.rmtree(folder, ignore_errors=True)
