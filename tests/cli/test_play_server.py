"""`lastspike play`: a server for this machine, which opens the browser and is there once."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest

from lastspike.cli.play.browser import can_show
from lastspike.server.run.listening import lan_host, listen_at

from .command import command, refused, run

WAIT = 60.0


@contextmanager
def playing(home: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and what it prints up to being ready; `opened` in the home is what it opened."""
    browser = home / "browser.sh"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {home}/opened\n', "utf-8")
    browser.chmod(0o755)
    with subprocess.Popen(
        [*command(), "play", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            "PATH": os.environ["PATH"],
            "LASTSPIKE_HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "BROWSER": str(browser),
        },
    ) as process:
        try:
            assert process.stdout
            told = ""
            while line := process.stdout.readline():
                told += line
                if line.startswith("Ctrl-C"):
                    break
            yield process, told
        finally:
            process.kill()
            process.communicate(timeout=WAIT)


def end(process: subprocess.Popen[str]) -> None:
    """Press Ctrl-C; it has to end in peace and without a word."""
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=WAIT) == ("", "")
    assert process.returncode == 0


def address_in(told: str) -> str:
    found = re.search(r"http://\S+", told)
    assert found, told
    return found[0]


def test_it_serves_this_machine_and_opens_the_browser(tmp_path: Path) -> None:
    with playing(tmp_path) as (process, told):
        address = address_in(told)
        assert "Every game is saved." in told
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address + "healthz", timeout=WAIT) as answer:
            assert answer.status == 200
        assert (tmp_path / "last-spike.db").exists()
        with playing(tmp_path) as (second, told):
            assert told == f"The Last Spike is already running at {address}\n"
            assert second.wait(WAIT) == 0
        end(process)
    assert (tmp_path / "opened").read_text("utf-8").splitlines() == [address, address]


def test_the_database_and_the_port_can_be_chosen_and_the_browser_left_out(tmp_path: Path) -> None:
    database = tmp_path / "games" / "mine.db"
    with listen_at("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
        line = refused(run("play", "--no-browser", "--port", port, "--database", database))
        assert line.startswith(f"lastspike: 127.0.0.1:{port}: can’t listen on this address: ")
    arguments = ("--no-browser", "--port", str(port), "--database", str(database))
    with playing(tmp_path, *arguments) as (process, told):
        assert address_in(told) == f"http://127.0.0.1:{port}/"
        end(process)
    assert database.exists()
    assert not (tmp_path / "opened").exists()


def test_the_local_network_is_let_in_when_asked(tmp_path: Path) -> None:
    with playing(tmp_path, "--lan", "--no-browser", "--port", "0") as (process, told):
        port = address_in(told).rstrip("/").rpartition(":")[2]
        host = lan_host()
        if host is not None:
            with urllib.request.urlopen(f"http://{host}:{port}/healthz", timeout=WAIT) as answer:
                assert answer.status == 200
        end(process)
    assert (f"Others on your network can join at http://{host}:{port}/" in told) == bool(host)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--plain"], "--plain works only in the terminal: lastspike play --terminal --plain"),
        (["--people", 2], "--people works only in the terminal"),
        (["--cash", "open"], "--cash works only in the terminal"),
        (["--lan", "--save", "x"], "--save works only in the terminal"),
        (["--terminal", "--lan"], "--lan works only in the browser"),
        (["--port", 1, "--terminal"], "--port works only in the browser"),
    ],
)
def test_an_option_of_the_other_way_to_play_is_one_clear_line(
    arguments: list[object], told: str
) -> None:
    assert refused(run("play", *arguments)).startswith(f"lastspike: {told}")


def test_a_browser_needs_a_screen() -> None:
    with mock.patch.object(sys, "platform", "darwin"), mock.patch.dict(os.environ, clear=True):
        assert can_show()
    with mock.patch.object(sys, "platform", "linux"), mock.patch.dict(os.environ, clear=True):
        assert not can_show()
        os.environ["WAYLAND_DISPLAY"] = "wayland-0"
        assert can_show()
