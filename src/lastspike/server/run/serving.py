"""Runs the server: uvicorn with one or several processes, from start to graceful shutdown."""

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
from contextlib import ExitStack, closing, contextmanager, suppress
from multiprocessing.connection import wait
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
from lastspike.server.http.costs.messages import MESSAGE_BYTES
from lastspike.server.monitoring import logs

from .listening import http_address, listen_at, local_place
from .lockfile import DatabaseLock, locked
from .worker import uncollected

APP = "lastspike.server.run.worker:app_from_environment"
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
GRACE = 10
"""Seconds for open requests and sockets to finish at shutdown."""
HEARTBEAT = 20.0
"""Seconds between pings of a socket, and the timeout of the pong."""
PATIENCE = 60
"""Seconds in which a worker has to answer the supervisor. Uvicorn's five kill workers that still
import on a busy machine."""

log = logging.getLogger(__name__)


def serve(
    config: Config,
    *,
    ready: Callable[[str], None] | None = None,
    any_port: bool = False,
    factory: str = APP,
    check: Callable[[Config], None] | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM.

    `ready` is called once, from a thread, with the local address when the server answers.
    `any_port` allows a free port if the configured one is taken. `factory` names a function that
    makes the ASGI app from the environment; `check` reports what would keep the app from starting,
    once instead of once per worker. `LastSpikeError` if the server can't listen or the app can't be
    made, `DatabaseInUse` if another server has the database file.
    """
    if config.log_format == "json":
        logs.set_up(config)  # now, so that nothing is written in another format before uvicorn's
    with ExitStack() as stack:
        stack.enter_context(_exit_on_sigterm())
        file = config.database_file
        lock = DatabaseLock(None) if file is None else stack.enter_context(locked(file))
        with uncollected():
            (check_database if check is None else check)(config)
        listening = stack.enter_context(listen_at(config.host, config.port, or_any=any_port))
        place = local_place(listening)
        config = msgspec.structs.replace(config, port=place[1])  # 0 and `any_port` chose one
        stack.enter_context(_environment(CONFIG_JSON, config.to_env_json()))
        if config.workers > 1:
            stack.enter_context(_shared_metrics())
            _check_app(factory)
        serving = Event()
        waiting = (place, lock, serving, ready)
        Thread(target=_report_ready, args=waiting, daemon=True).start()
        _run(config, listening, factory, serving)


def check_database(config: Config) -> None:
    """Open the database once, which creates or upgrades the tables of an SQLite file.

    `LastSpikeError` if it can't be reached or is not ready for this version.
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
    """Make the app once before the workers do: uvicorn would restart a failing worker forever."""
    try:
        import_from_string(factory)()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise LastSpikeError("the server can’t start: {reason}", reason=reason) from error


def uvicorn_config(config: Config, factory: str = APP) -> uvicorn.Config:
    """Uvicorn's settings, without the sub-path: the app removes it, so that a proxy may pass it on
    or not."""
    return uvicorn.Config(
        factory,
        factory=True,
        workers=config.workers,
        http="lastspike.server.run.limited_http:LimitedHttp",
        ws="lastspike.server.run.websocket:LimitedSocket",
        ws_max_size=MESSAGE_BYTES,
        ws_per_message_deflate=False,  # memory per socket, for short messages
        ws_ping_interval=HEARTBEAT,
        ws_ping_timeout=HEARTBEAT,
        lifespan="on",
        log_config=logs.log_config(config),
        access_log=False,
        server_header=False,
        proxy_headers=bool(config.trusted_proxies),
        forwarded_allow_ips=list(config.trusted_proxies),
        timeout_graceful_shutdown=GRACE,
        timeout_worker_healthcheck=PATIENCE,
    )


class Worker(Process):
    def is_alive(self, timeout: float = PATIENCE) -> bool:
        """Uvicorn's waits the whole time for a worker that ends before it answers."""
        if not self.process.is_alive():
            return False
        with suppress(OSError, EOFError):
            self.parent_conn.send(b"ping")
            if self.parent_conn in wait([self.parent_conn, self.process.sentinel], timeout):
                self.parent_conn.recv()
                return True
        return False


class Workers(Multiprocess):
    """Restarts workers that can't start once the server is serving, because then the database is
    down. Uvicorn would take the app for broken and shut down."""

    def __init__(
        self, settings: uvicorn.Config, sockets: list[socket.socket], serving: Event
    ) -> None:
        super().__init__(settings, sockets)
        self._serving = serving

    def init_processes(self) -> None:
        self.processes += [self._started() for _ in range(self.processes_num)]

    def keep_subprocess_alive(self) -> None:
        for number, worker in enumerate(self.processes):
            if self.should_exit.is_set():
                return
            if worker.is_alive(timeout=self.config.timeout_worker_healthcheck):
                continue
            worker.kill()
            worker.join()
            if worker.exitcode == STARTUP_FAILURE and not self._serving.is_set():
                self.should_exit.set()
                return
            log.warning("worker [%s] is gone, another takes its place", worker.pid)
            self.processes[number] = self._started()

    def _started(self) -> Worker:
        worker = Worker(self.config, self.sockets)
        worker.start()
        return worker


def _run(config: Config, listening: socket.socket, factory: str, serving: Event) -> None:
    settings = uvicorn_config(config, factory)
    if config.workers > 1:
        workers = Workers(settings, [listening], serving)
        workers.run()
        failed = any(worker.exitcode == STARTUP_FAILURE for worker in workers.processes)
        if failed and not serving.is_set():
            sys.exit(1)  # a worker could not start
        return
    server = uvicorn.Server(settings)
    with suppress(KeyboardInterrupt):  # uvicorn raises it again after its shutdown
        server.run([listening])
    if not server.started:
        sys.exit(1)


def _report_ready(
    place: tuple[str, int], lock: DatabaseLock, serving: Event, ready: Callable[[str], None] | None
) -> None:
    """Wait for any response, which means that the app has started."""
    with closing(http.client.HTTPConnection(*place)) as connection:
        try:
            connection.request("GET", "/healthz")
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            return  # the server ended before it was ready
    serving.set()
    address = http_address(*place)
    lock.listens_at(address)
    if ready is not None:
        ready(address)


@contextmanager
def _exit_on_sigterm() -> Iterator[None]:
    """Uvicorn raises the signal again after its shutdown; exit normally, so that we clean up."""

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
    """The folder in which workers share their metrics, emptied at the start."""
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
