"""Logs: readable, one line for each thing, and without secrets whoever writes them."""

from __future__ import annotations

import json
import logging
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator

import pytest
from litestar.testing import TestClient

from lastspike.server.config.settings import Config
from lastspike.server.monitoring import logs
from lastspike.server.storage.database import reporting_down
from lastspike.server.storage.errors import StorageDown
from tests.server.run.tiny_app import make_app

TABLE = "aB3_xY-9kLmN0pQrStUv12"
TEXT = Config("sqlite:///x")
JSON = Config("sqlite:///x", log_format="json")


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """The loggers of this process are as they were afterwards."""
    names = [None, "lastspike", "uvicorn", "uvicorn.error", "uvicorn.asgi", "uvicorn.access"]
    names += ["litestar", "httpx", "httpcore", "sqlalchemy", "alembic", "asyncio"]
    loggers = [logging.getLogger(name) for name in names]
    before = [(list(one.handlers), one.level, one.propagate) for one in loggers]
    yield
    for one, (handlers, level, propagate) in zip(loggers, before, strict=True):
        one.handlers[:], one.propagate = handlers, propagate
        one.setLevel(level)


def written(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.splitlines()


def test_a_request_is_one_line_without_its_query(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up(TEXT)
    with TestClient(make_app(TEXT)) as client:
        client.get(f"/api/tables/{TABLE}/steps?token=hunter2", headers={"cookie": "s=hunter3"})
    (line,) = written(capsys)
    assert " info    GET /api/tables/aB3_xY…/steps 404 " in line
    assert line.endswith(" ms")
    assert "hunter" not in line


def test_as_json_every_line_is_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up(JSON)
    with TestClient(make_app(JSON)) as client:
        client.get("/api/who")
        with client.websocket_connect("/api/socket"):
            pass
        client.get("/api/refused/foreign")
    lines = [json.loads(line) for line in written(capsys)]
    assert [(line.get("method"), line.get("path"), line.get("status")) for line in lines] == [
        ("GET", "/api/who", 200),
        ("SOCKET", "/api/socket", 101),
        (None, None, None),
        ("GET", "/api/refused/foreign", 500),
    ]
    assert lines[0]["level"] == "info"
    assert lines[0]["logger"] == "lastspike.access"
    assert lines[0]["ms"] >= 0
    assert "RuntimeError" in lines[2]["error"]


def test_a_path_can_not_forge_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up(TEXT)
    with TestClient(make_app(TEXT)) as client:
        client.get("/x%0A2026-01-01 info forged%1b[31m")
    (line,) = written(capsys)
    assert "\x1b" not in line


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/api/who", "/api/who"),
        (f"/t/{TABLE}", "/t/aB3_xY…"),
        ("/static/a-long-name-of-a-file.js", "/static/a-long-name-of-a-file.js"),
        ("/a?b=c", "/a"),
        ("/" + "a/" * 1000, ("/" + "a/" * 1000)[:200]),
    ],
)
def test_a_path_is_shown_without_what_is_long_and_random(path: str, shown: str) -> None:
    assert logs.shown_path(path) == shown


def test_what_looks_like_a_secret_is_cut_whoever_writes_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hidden = [secrets.token_hex(32), secrets.token_urlsafe(16), secrets.token_urlsafe(32)]
    for config in (TEXT, JSON):
        logs.set_up(config)
        log = logging.getLogger("somebody.else")
        for secret in hidden:
            log.warning("it was %s, or so", secret, extra={"also": secret})
        log.warning("at postgresql://ada:hunter2@db/games")
        log.warning("POST https://chat.example/hook?key=hunter3 failed")
        try:
            raise ValueError(f"INSERT failed\n[SQL: …]\n[parameters: ('hunter4', '{hidden[0]}')]")
        except ValueError:
            log.exception("no luck")
        text = capsys.readouterr().err
        assert "ada" in text
        assert "no luck" in text
        assert "hunter" not in text
        for secret in hidden:
            assert secret[8:] not in text


def test_a_database_that_is_away_is_two_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """And not a traceback, since every worker writes them every other second."""
    for config in (TEXT, JSON):
        logs.set_up(config)
        try:
            with reporting_down():
                raise ConnectionRefusedError(111, "refused")
        except StorageDown:
            logging.getLogger("lastspike.scheduler").warning("no heartbeat", exc_info=True)
        text = capsys.readouterr().err
        assert "no heartbeat" in text
        assert "[Errno 111] refused" in text
        assert "Traceback" not in text


def test_plain_words_are_left_alone() -> None:
    for text in (
        "Started server process [12345]",
        'File "/srv/lastspike/websockets_sansio_impl.py", line 17, in test_of_something_long',
        "http://127.0.0.1:8869/",
    ):
        assert logs.scrubbed(text) == text


def test_nobody_writes_down_frames_or_addresses_of_webhooks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.set_up(Config("sqlite:///x", log_level="debug"))
    for name in ("uvicorn.error", "uvicorn.access", "httpx", "httpcore.http11", "sqlalchemy"):
        logging.getLogger(name).debug("< TEXT hunter2")
    for name in ("uvicorn.access", "httpx", "sqlalchemy.engine"):
        logging.getLogger(name).info("hunter2")
    logging.getLogger("lastspike.scheduler").debug("thinking")
    logging.getLogger("uvicorn.error").info("Started")
    lines = written(capsys)
    assert [line.split()[-1] for line in lines] == ["thinking", "Started"]


def test_less_can_be_logged(capsys: pytest.CaptureFixture[str]) -> None:
    config = Config("sqlite:///x", log_level="error")
    logs.set_up(config)
    with TestClient(make_app(config)) as client:
        client.get("/api/who")
    logging.getLogger("uvicorn.error").info("Started")
    logging.getLogger("httpx").warning("hm")
    assert not written(capsys)


# ---- whatever Python and other processes write ----------------------------------------------

EVERYTHING = """
import asyncio, sys, threading, warnings
from lastspike.server.config.settings import Config
from lastspike.server.jobs.child_process import start_child
from lastspike.server.monitoring import logs

async def child():
    process = await start_child("tests.server.monitoring.test_logs")
    await process.wait()

logs.set_up(Config("sqlite:///x", log_format="json"))
asyncio.run(child())
warnings.warn("beware", stacklevel=1)
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()
raise LookupError("hunter2 postgresql://user:hunter3@here/x")
"""


def main() -> None:
    """The child process."""
    raise RuntimeError("in the child")


def test_as_json_nothing_is_written_in_another_format() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVERYTHING],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert done.returncode == 1
    assert done.stdout == ""
    assert "hunter3" not in done.stderr
    text = [f"{line['message']} {line.get('error', '')}" for line in lines]
    for said in "RuntimeError: in the child", "beware", "ZeroDivisionError", "LookupError: hunter2":
        assert any(said in each for each in text), said
