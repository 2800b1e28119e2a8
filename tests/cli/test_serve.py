"""`lastspike serve` and `lastspike db`: refused in one line, or run for real."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import urllib.request
from pathlib import Path

import pytest

from lastspike.server.run.lockfile import locked

from .command import command, refused, run, spawn

HEAVY = ("litestar", "sqlalchemy", "uvicorn", "msgspec", "prometheus_client", "httpx")
TELL_HEAVY = f"""
import atexit, sys
atexit.register(lambda: sys.stderr.write(repr([n for n in {HEAVY!r} if n in sys.modules])))
"""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--workers", 2], "--workers: more than one worker needs PostgreSQL"),
        (["--base-url", "games.example.org"], "--base-url: expected an address such as https://"),
        (["--port", 99_999], "--port: expected a whole number from 0 to 65535, found 99999"),
        (["--create-token", "hunter2"], "--create-token: too short to be safe"),
        (["--log-format", "xml"], "--log-format: expected one of json, text, found 'xml'"),
        (["--retention-days", -1], "--retention-days: expected a whole number from 0 to"),
        (["--database", "mysql://db/x"], "--database: expected sqlite:///FILE or postgresql://"),
        (["--config", "missing.toml"], "missing.toml: can’t be read: No such file"),
    ],
)
def test_a_bad_configuration_is_one_clear_line(arguments: list[object], told: str) -> None:
    line = refused(run("serve", *arguments))
    assert line.startswith(f"lastspike: {told}")
    assert "hunter2" not in line


def test_the_environment_and_the_file_are_read(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text("port = 'x'\nworkers = 0\n", "utf-8")
    line = refused(run("serve", "--config", file, LASTSPIKE_PORT="1"))
    assert line.startswith(f"lastspike: {file}: workers: expected a whole number")
    assert "LASTSPIKE_HOTS: there is no such setting; did you mean LASTSPIKE_HOST?" in refused(
        run("serve", LASTSPIKE_HOTS="x")
    )


def test_a_port_that_is_taken_is_one_clear_line(tmp_path: Path) -> None:
    from lastspike.server.run.listening import listen_at, local_place

    with listen_at("127.0.0.1", 0) as taken:
        port = local_place(taken)[1]
        line = refused(spawn("serve", "--database", tmp_path / "x.db", "--port", port))
    assert line.startswith(f"lastspike: 127.0.0.1:{port}: can’t listen on this address: ")


def test_a_database_that_can_not_be_had_is_one_clear_line(tmp_path: Path) -> None:
    url = "postgresql://ada:hunter2@127.0.0.1:1/x"
    line = refused(spawn("serve", "--database", url))
    assert line.startswith(
        "lastspike: postgresql://ada:***@127.0.0.1:1/x: the database can’t be reached: "
    )
    assert "Connect call failed" in line
    for arguments in (["upgrade"], ["backup", tmp_path / "b"], ["restore", tmp_path / "b"]):
        assert refused(run("db", *arguments, "--database", url)) == line
    before = "import sys; sys.modules['asyncpg'] = None"
    line = refused(spawn("serve", "--database", url, before=before))
    assert line.endswith("PostgreSQL needs one more package: pip install 'lastspike[postgres]'")
    database = tmp_path / "x.db"
    with locked(database):
        line = refused(spawn("serve", "--database", database))
    assert line == f"lastspike: {database}: another server has this database open"


def test_it_serves_until_it_is_told_to_end(tmp_path: Path) -> None:
    with subprocess.Popen(
        [
            *command(),
            *("serve", "--port", "0", "--database", str(tmp_path / "x.db")),
            *("--base-url", "https://games.example.org/spike", "--log-format", "json"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": ""},
    ) as process:
        assert process.stderr
        said = (json.loads(line)["message"] for line in process.stderr)  # as every line of its log
        first = next(line for line in said if line.startswith("Serving at http://127.0.0.1:"))
        assert next(said) == "Players can reach it at https://games.example.org/spike/"
        address = first.split()[-1]
        for path in ("healthz", "spike/healthz"):
            with urllib.request.urlopen(address + path, timeout=60) as answer:
                assert json.loads(answer.read())["status"] == "ok"
                assert answer.headers["strict-transport-security"]
        process.send_signal(signal.SIGTERM)
        out, log = process.communicate(timeout=60)
    assert process.returncode == 0
    assert out == ""
    assert all(json.loads(line)["level"] == "info" for line in log.splitlines())


def test_a_database_is_made_saved_and_restored(tmp_path: Path) -> None:
    first, second, saved = tmp_path / "a.db", tmp_path / "b.db", tmp_path / "saved"
    assert run("db", "upgrade", "--database", first).code == 0
    assert run("db", "backup", saved, "--database", first).out == f"Saved: {saved}\n"
    assert run("db", "upgrade", "--database", second).code == 0
    done = run("db", "restore", saved, "--database", second)
    assert (done.code, done.out) == (0, f"Restored: {saved}\n"), done.err
    config = tmp_path / "server.toml"
    config.write_text(f"database = '{second}'\n", "utf-8")
    assert "ready for this version" in run("db", "upgrade", "--config", config).out


def test_a_database_in_use_is_not_restored_over(tmp_path: Path) -> None:
    database = tmp_path / "x.db"
    with locked(database):
        for arguments in (("upgrade",), ("restore", tmp_path / "saved")):
            line = refused(run("db", *arguments, "--database", database))
            assert line == f"lastspike: {database}: another server has this database open"


@pytest.mark.parametrize("arguments", [("--help",), ("play", "--terminal", "--help"), ("bots",)])
def test_commands_that_serve_nothing_load_nothing_of_the_server(arguments: tuple[str, ...]) -> None:
    assert spawn(*arguments, before=TELL_HEAVY).err == "[]"
