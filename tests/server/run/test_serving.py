"""How the server is run: sockets, workers, proxies, the claim on its database, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import websockets.sync.client as ws
from websockets.exceptions import ConnectionClosed, InvalidStatus

from lastspike.rules.errors import LastSpikeError
from lastspike.server.config.settings import Config
from lastspike.server.http.costs.messages import MESSAGE_BYTES
from lastspike.server.run import serving as serving_module
from lastspike.server.run.listening import http_address, lan_host, listen_at, local_place
from lastspike.server.run.lockfile import DatabaseInUse, locked
from lastspike.server.run.serving import serve, uvicorn_config

from .tiny_app import CLOSED

ROOT = Path(__file__).parents[3]
WAIT = 60.0


class Server:
    """The tiny app, served by a process of its own."""

    def __init__(self, folder: Path, **settings: object) -> None:
        chosen: dict[str, object] = {"port": 0, "database": folder / "x.db", **settings}
        self.log = folder / "log"
        named = (f"{name}={value}" for name, value in chosen.items())
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.server.run.tiny_server", *named],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()

    def get(self, path: str, **headers: str) -> tuple[int, Any]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.address + path, headers=named)
        try:
            with urllib.request.urlopen(request, timeout=WAIT) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    def socket(self, path: str = "api/socket", **options: Any) -> ws.ClientConnection:
        connected: ws.ClientConnection = ws.connect(
            self.address.replace("http", "ws") + path, **options
        )
        return connected

    def end(self, how: signal.Signals = signal.SIGTERM) -> str:
        """Its log, when it has ended in peace."""
        self.process.send_signal(how)
        self.process.wait(WAIT)
        log = self.log.read_text("utf-8")
        assert self.process.returncode == 0, log
        assert "Traceback" not in log
        return log


@contextmanager
def serving(folder: Path, **settings: object) -> Iterator[Server]:
    server = Server(folder, **settings)
    try:
        assert server.address, server.log.read_text("utf-8")
        yield server
    finally:
        with suppress(ProcessLookupError):
            os.killpg(server.process.pid, signal.SIGKILL)
        server.process.communicate(timeout=WAIT)


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def until_two_answer(server: Server, pids: set[int]) -> None:
    """Until there are two processes among these and those that answer, who are added."""

    def two() -> bool:
        pids.add(server.get("api/who")[1]["pid"])
        return len(pids) == 2

    until(two)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_answers_when_it_says_so_and_ends_in_peace(tmp_path: Path, how: signal.Signals) -> None:
    with serving(tmp_path) as server:
        status, who = server.get("api/who")
        assert (status, who["pid"]) == (200, server.process.pid)
        with server.socket() as connection:
            connection.send("hello")
            assert connection.recv() == "hello"
            log = server.end(how)
            with pytest.raises(ConnectionClosed):
                connection.recv(timeout=WAIT)
        assert "GET /api/who 200" in log
        assert "SOCKET /api/socket 101" in log


def test_a_refused_socket_is_told_why(tmp_path: Path) -> None:
    with serving(tmp_path, limits_sockets_per_address=1) as server:
        with pytest.raises(InvalidStatus) as refused:
            server.socket(additional_headers={"Origin": "https://evil.net"})
        response = refused.value.response
        assert response.status_code == 403
        assert json.loads(response.body)["message"] == (
            "This request isn’t allowed from another site’s page"
        )
        assert "content-security-policy" in response.headers
        with server.socket():
            with pytest.raises(InvalidStatus) as refused:
                server.socket()
            assert refused.value.response.status_code == 429


def test_a_socket_is_one_line_of_the_log_without_who_it_is(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        with server.socket(additional_headers={"X-Forwarded-For": "203.0.113.7"}):
            pass
        with pytest.raises(InvalidStatus):
            server.socket(additional_headers={"Origin": "https://evil.net"})
        log = server.end()
    lines = [line for line in log.splitlines() if "ocket" in line or "connection" in line]
    assert [line.split()[2:6] for line in lines] == [
        ["info", "SOCKET", "/api/socket", "101"],
        ["info", "SOCKET", "/api/socket", "403"],
    ]
    assert "203.0.113.7" not in log
    assert " error " not in log


def test_a_message_that_is_too_large_ends_its_socket_only(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.socket() as other:
        with server.socket() as connection:
            connection.send("x" * MESSAGE_BYTES)
            assert connection.recv() == "x" * MESSAGE_BYTES
            connection.send("x" * (MESSAGE_BYTES + 1))
            with pytest.raises(ConnectionClosed) as closed:
                connection.recv(timeout=WAIT)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009
        other.send("still here")
        assert other.recv() == "still here"


def test_messages_are_not_compressed_and_the_server_is_not_named(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        with server.socket() as connection:
            assert connection.response
            assert "Sec-WebSocket-Extensions" not in connection.response.headers
        with urllib.request.urlopen(server.address + "api/who", timeout=WAIT) as answer:
            assert "server" not in answer.headers


def test_only_a_trusted_proxy_says_who_asks(tmp_path: Path) -> None:
    limits = {"limits_requests_per_minute": 2}
    with serving(tmp_path, **limits) as server:
        callers = ["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.1"]
        answers = [server.get("api/who", X_Forwarded_For=caller)[0] for caller in callers]
        assert answers == [200, 200, 200, 429]
    with serving(tmp_path, trusted_proxies="198.51.100.1", **limits) as server:
        answers = [server.get("api/who", X_Forwarded_For=caller)[0] for caller in callers]
        assert answers == [200, 200, 429, 429]


def test_one_server_for_each_database_file(tmp_path: Path) -> None:
    database = tmp_path / "deep" / "x.db"
    with serving(tmp_path, database=database) as server:
        with pytest.raises(DatabaseInUse, match="another server has this database open") as taken:
            locked(database).__enter__()
        assert taken.value.address() == server.address
        server.process.kill()
        server.process.wait(WAIT)
        with locked(database) as claim:  # a server that was killed holds nothing
            with pytest.raises(DatabaseInUse) as taken:
                locked(database).__enter__()
            assert taken.value.address(patience=0.2) is None
            threading.Timer(0.3, claim.listens_at, ["http://there/"]).start()
            assert taken.value.address() == "http://there/"
        with locked(database):
            pass
    with pytest.raises(LastSpikeError, match="expected a database file, found a folder"):
        locked(tmp_path).__enter__()


def test_several_workers_share_the_door_and_a_dead_one_is_replaced(tmp_path: Path) -> None:
    with serving(tmp_path, workers=2, database="postgresql://db/x") as server:
        pids: set[int] = set()
        until_two_answer(server, pids)
        assert server.process.pid not in pids
        killed = pids.pop()
        (other,) = pids
        os.kill(killed, signal.SIGKILL)
        until_two_answer(server, pids)
        assert other in pids
        assert killed not in pids
        assert "GET /api/who 200" in server.end()


def test_while_one_serves_a_worker_that_can_not_start_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when one is replaced while the database is away."""
    closed = tmp_path / "closed"
    monkeypatch.setenv(CLOSED, str(closed))
    with serving(tmp_path, workers=2, database="postgresql://db/x") as server:
        pids: set[int] = set()
        until_two_answer(server, pids)
        closed.touch()
        os.kill(pids.pop(), signal.SIGKILL)
        until(lambda: server.log.read_text("utf-8").count("another takes its place") >= 2)
        assert {server.get("api/who")[1]["pid"] for _ in range(5)} == pids
        closed.unlink()
        until_two_answer(server, pids)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(WAIT) == 0


def test_if_none_can_start_the_server_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CLOSED, __file__)
    server = Server(tmp_path, workers=2, database="postgresql://db/x")
    assert server.process.wait(WAIT) == 1
    assert not server.address
    server.process.communicate()


@pytest.mark.parametrize(
    "text",
    ["raise RuntimeError('no steam')", "def app():\n    raise RuntimeError('no steam')"],
    ids=["imported", "made"],
)
def test_an_app_that_breaks_is_told_once_and_no_worker_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """A worker would die of it, be replaced, and die again."""
    (tmp_path / "broken_app.py").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken_app", raising=False)
    monkeypatch.setattr(serving_module, "_run", lambda *_: pytest.fail("workers were started"))
    config = Config("postgresql://db/x", port=0, workers=2)
    with pytest.raises(LastSpikeError, match="can’t start: RuntimeError: no steam"):
        serve(config, factory="broken_app:app", check=lambda _config: None)


def test_a_port_that_is_taken() -> None:
    with listen_at("127.0.0.1", 0) as first:
        host, port = local_place(first)
        assert host == "127.0.0.1"
        with pytest.raises(
            LastSpikeError, match=rf"127.0.0.1:{port}: can’t listen on this address: "
        ) as told:
            listen_at("127.0.0.1", port)
        assert "in use" in str(told.value)
        with listen_at("127.0.0.1", port, or_any=True) as second:
            assert local_place(second)[1] not in (0, port)
    with pytest.raises(LastSpikeError, match="can’t listen on this address"):
        listen_at("nowhere.invalid", 0)
    with pytest.raises(LastSpikeError, match="can’t listen on this address"):
        listen_at("192.0.2.1", 0, or_any=True)


def test_addresses_as_people_type_them() -> None:
    with listen_at("0.0.0.0", 0) as everywhere:
        assert local_place(everywhere)[0] == "127.0.0.1"
    assert http_address("127.0.0.1", 8869) == "http://127.0.0.1:8869/"
    assert http_address("::1", 80) == "http://[::1]:80/"
    found = lan_host()
    assert found is None or socket.inet_aton(found)


def test_uvicorn_is_set_as_sockets_need_it() -> None:
    settings = uvicorn_config(Config("sqlite:///x", trusted_proxies=()))
    assert settings.ws_max_size == 16 * 1024
    assert (settings.ws_ping_interval, settings.ws_ping_timeout) == (20, 20)
    assert not settings.ws_per_message_deflate
    assert not settings.proxy_headers
    assert not settings.access_log
    assert settings.timeout_graceful_shutdown == 10
    assert settings.root_path == ""
