"""`--cluster`: the same results by Ray's workers, though some die, and nothing that stays."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest

from lastspike import __version__
from lastspike.cli.workers import with_addresses
from lastspike.lab.arena.cluster import _do
from lastspike.rules.errors import LastSpikeError
from tests.sizes import full_size

from .command import Result, command, refused, run, spawn
from .two_nodes import Nodes, two_nodes

WAITING = """
import os, pathlib
from lastspike.bots.clerk import Clerk

class Waiting(Clerk):
    '''A Clerk who says where it plays, and goes on when somebody writes to the pipe.'''

    def turn(self, view):
        folder = pathlib.Path(os.environ["WAITING"])
        (folder / f"{os.getpid()}.pid").touch()
        (folder / "pipe").open("rb").close()
        return super().turn(view)
"""

ARENA = ["arena", "waiting", "greenhorn", "--players", 2, "--deals", 10, "--seed", "c"]


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def runs(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def waiting(folder: Path) -> dict[str, str]:
    """A package that offers the player, for the environment of a command."""
    info = folder / "waiting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: waiting\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(
        "[lastspike.players]\nwaiting = waiting:Waiting\n", "utf-8"
    )
    (folder / "waiting.py").write_text(WAITING, "utf-8")
    os.mkfifo(folder / "pipe")
    return {"PYTHONPATH": str(folder), "WAITING": str(folder)}


def begun(environment: dict[str, str], *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*command(), *map(str, arguments)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )


def on(nodes: Nodes, *arguments: object) -> Result:
    """The command on these nodes, which it finds by itself."""
    environment = {**nodes.environment, "RAY_ADDRESS": nodes.address}
    with begun(environment, *arguments, "--cluster", "auto") as child:
        out, err = child.communicate(timeout=120)
    return Result(child.returncode, out, err)


def timeless(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    del found["timings"]
    return found


@full_size
def test_two_nodes_give_the_same_figures_and_survive_the_killing_of_a_worker(
    tmp_path: Path,
) -> None:
    alone, together = tmp_path / "alone.json", tmp_path / "together.json"
    environment = waiting(tmp_path)
    with two_nodes(**environment) as nodes:
        arguments = [*ARENA, "--json", together, "--cluster", nodes.address]
        with begun(nodes.environment, *arguments) as child:

            def workers() -> dict[int, int]:
                """By node, a worker in the middle of a deal."""
                at_work = [int(file.stem) for file in tmp_path.glob("*.pid")]
                return {nodes.node_of(worker): worker for worker in at_work}

            until(lambda: child.poll() is not None or len(workers()) == 2)
            assert child.poll() is None
            dead = min(workers().values())
            os.kill(dead, signal.SIGKILL)
            until(lambda: not psutil.pid_exists(dead))
            with (tmp_path / "pipe").open("wb"):
                out, err = child.communicate(timeout=120)
        assert child.returncode == 0, err
        assert out.startswith("Waiting against Greenhorn\nDeals: 10,")

        with os.fdopen(os.open(tmp_path / "pipe", os.O_RDWR)):  # nobody waits any more
            done = spawn(*ARENA, "--json", alone, "--jobs", 1, **environment)
        assert done.code == 0, done.err
        assert timeless(together) == timeless(alone)

        simulate = ["simulate", "--json", "--games", 601, "--seed", "c", "--records"]
        study = ["study", "--players", "2,3", "--games", 9, "--seed", "c", "--json"]
        dataset = ["dataset", "--games", 41, "--seed", "c", "--columns"]
        # They go the same way to the workers; each takes Ray three seconds of the processor.
        for arguments in (simulate, study, dataset):
            assert on(nodes, *arguments, together) == run(*arguments, alone)
            assert together.read_bytes() == alone.read_bytes()


def test_a_ray_of_its_own_is_alone_and_leaves_with_the_command(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("old\n", "utf-8")
    endless = ["simulate", "--games", 1_000_000, "--records", path, "--jobs", 1, "--cluster"]
    home = {"HOME": str(tmp_path), "PATH": "", "RAY_ADDRESS": "127.0.0.1:1"}
    with begun(home, *endless) as child:
        until(lambda: any(part.stat().st_size for part in tmp_path.glob(".*.part")))
        started = psutil.Process(child.pid).children(recursive=True)
        folders = {
            Path(argument.partition("=")[2])
            for process in started
            for argument in process.cmdline()
            if argument.startswith("--temp-dir=")
        }
        listening = {
            socket.laddr.ip.removeprefix("::ffff:")
            for process in started
            for socket in process.net_connections()
            if socket.status == psutil.CONN_LISTEN
        }
        os.killpg(child.pid, signal.SIGINT)  # as a terminal does, to the command and its children
        out, err = child.communicate(timeout=60)
    assert listening == {"127.0.0.1"}
    assert child.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    until(lambda: not any(map(runs, started)))
    assert len(folders) == 1
    assert not folders.pop().exists()
    assert [file.name for file in tmp_path.iterdir()] == ["games.jsonl"]
    assert path.read_text("utf-8") == "old\n"


@pytest.mark.parametrize(
    ("arguments", "addressed"),
    [
        ("study --cluster", "study --cluster local"),
        ("study --cluster --games 5", "study --cluster local --games 5"),
        ("arena --cluster clerk surveyor", "arena --cluster local clerk surveyor"),
        ("arena --cluster speculator:60 clerk", "arena --cluster local speculator:60 clerk"),
        ("study --cluster auto mine.toml", "study --cluster auto mine.toml"),
        ("study --cluster head.example:6379", "study --cluster head.example:6379"),
        ("arena --cluster tycoon:1000 clerk", "arena --cluster local tycoon:1000 clerk"),
        ("study --cluster localhost:1 a.toml", "study --cluster localhost:1 a.toml"),
        ("study --cluster 127.0.0.1:9", "study --cluster 127.0.0.1:9"),
        ("study --cluster ray://10.0.0.1:10001", "study --cluster ray://10.0.0.1:10001"),
        ("study --cluster=auto", "study --cluster=auto"),
        ("arena -- --cluster", "arena -- --cluster"),
    ],
)
def test_an_address_may_be_left_out(arguments: str, addressed: str) -> None:
    assert with_addresses(arguments.split()) == addressed.split()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            ["--cluster=somewhere"],
            "an address such as 10.0.0.1:6379, found 'somewhere'",
        ),
        (["--cluster", "head:6379", "--jobs", 2], "--jobs is for this machine"),
    ],
)
def test_what_is_no_cluster_is_one_line(arguments: list[object], reason: str) -> None:
    assert reason in refused(run("simulate", "--games", 1, *arguments))


def test_a_cluster_that_does_not_answer_is_told_of_at_once(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens there
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        path = tmp_path / "games.jsonl"
        environment = {"RAY_ADDRESS": address, "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
        arguments = ["--games", 1, "--records", path, "--cluster", "auto"]
        line = refused(spawn("simulate", *arguments, **environment))
    assert line == f"lastspike: Can’t join a cluster at {address}: Connection refused"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", ["localhost:{}", "ray://127.0.0.1:{}"])
def test_an_address_that_does_not_answer_is_told_as_it_was_typed(form: str) -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        address = form.format(taken.getsockname()[1])
        line = refused(spawn("simulate", "--games", 1, "--cluster", address))
    assert line == f"lastspike: Can’t join a cluster at {address}: Connection refused"


def test_a_machine_with_another_version_of_the_game_is_refused() -> None:
    assert _do(__version__, abs, -1) == 1
    with pytest.raises(LastSpikeError, match=r"runs version .*, this one runs 0\.0\.1"):
        _do("0.0.1", abs, -1)


@pytest.mark.parametrize("name", ["simulate", "arena clerk greenhorn", "study"])
def test_without_ray_the_extra_is_named(name: str) -> None:
    without = "import sys; sys.modules['ray'] = None"
    line = refused(spawn(*name.split(), "--cluster", before=without))
    assert line == "lastspike: A cluster needs Ray: pip install 'lastspike[cluster]'"
