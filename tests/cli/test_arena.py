"""`lastspike arena` and `lastspike bots`: the same figures however they were come by."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect
import pytest
from rich.console import Console

from lastspike.cli.lab.arena import NO_VERDICT
from lastspike.cli.lab.arena_report import ArenaReport
from lastspike.rules.editions.shipped import shipped
from lastspike.words.language import words_for

from .command import command, interrupt, on_terminal, refused, run, spawn, started

SMALL = ["clerk", "greenhorn", "--players", 2, "--deals", 10, "--seed", "cli"]


def figures(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def timeless(path: Path) -> str:
    """All figures of a file but the times, in their order."""
    found = figures(path)
    assert set(found["timings"]) == {"seconds", "turns"}
    del found["timings"]
    return json.dumps(found)


def test_the_table_is_for_people_and_ends_in_a_plain_sentence() -> None:
    code, out, err = run("arena", *SMALL)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Clerk against Greenhorn"
    assert lines[1] == "Deals: 10, each played from every seat (20 games, 2 players)"
    assert lines[2] == "Edition: columbia-2015. Double cost: forced. Cash: open. Seed: cli"
    assert lines[-1].startswith("Clerk wins ")
    assert "%" in lines[-1]
    assert " (fair share: 50%): " in lines[-1]
    for word in ("95% interval", "final cash", "1: ", "2: ", "bankrupt", "Drove the last spike"):
        assert word in out
    assert "3: " not in out


@pytest.mark.parametrize("columns", ["80", "60"])
def test_it_fits_the_screen(columns: str) -> None:
    arguments = ["surveyor", "clerk", "greenhorn", "--players", 6, "--deals", 2, "--seed", "w"]
    out = run("arena", *arguments, COLUMNS=columns).out
    assert max(map(len, out.splitlines())) <= int(columns)
    assert columns != "80" or len(out.splitlines()) <= 23
    assert out.startswith("Surveyor against Clerk, Greenhorn, Clerk, Greenhorn, Clerk\n")


def test_the_verdict_follows_the_interval(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    out = run("arena", "clerk", "greenhorn", "--deals", 12, "--seed", "v", "--json", path).out
    (duel,) = figures(path)["duels"]
    assert duel["win_share"]["low"] > duel["fair_share"] == 0.25
    assert out.rstrip().endswith("(fair share: 25%): clearly stronger.")
    share = 100 * duel["win_share"]["mean"]
    assert f"Clerk wins {share:.1f}% ± " in out
    assert not list(tmp_path.glob("*.part"))


def test_cores_do_not_change_a_byte(tmp_path: Path) -> None:
    texts = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.json"
        three = [*SMALL, "--players", 3, "--reverse"]
        done = spawn("arena", *three, "--jobs", jobs, "--json", path)
        assert (done.code, done.err) == (0, "")
        texts.append(timeless(path))
    assert texts[0] == texts[1]
    names = [(duel["player"], duel["others"]) for duel in json.loads(texts[0])["duels"]]
    assert names == [("clerk", ["greenhorn"]), ("greenhorn", ["clerk"])]


def test_options_and_editions_come_into_the_figures(tmp_path: Path) -> None:
    text = Path("src/lastspike/editions/columbia-2015.toml").read_text("utf-8")
    poor = tmp_path / "poor.toml"
    poor.write_text(
        text.replace('id = "columbia-2015"', 'id = "poor"').replace("4 = 40000", "4 = 6000"),
        encoding="utf-8",
    )
    path = tmp_path / "poor.json"
    arguments = ["clerk", "greenhorn", "--deals", 10, "--seed", "p", "--json", path]
    chosen = ["--edition", poor, "--double-cost", "open", "--cash", "hidden"]
    assert run("arena", *arguments, *chosen).code == 0
    told = figures(path)["settings"]
    assert told["options"] == {"double_cost": "open", "cash": "hidden", "hands": "hidden"}
    assert told["figures"]["starting_cash"]["4"] == 6000
    duel = figures(path)["duels"][0]
    assert duel["of_player"]["bankruptcies"] + duel["of_others"]["bankruptcies"] > 0
    run("arena", *arguments)
    assert "figures" not in figures(path)["settings"]
    assert figures(path)["settings"]["edition"] == shipped().id


LONG = ["surveyor", "clerk", "--players", 3, "--deals", 120, "--seed", "stop"]


@contextmanager
def begin(path: Path, jobs: int) -> Iterator[subprocess.Popen[bytes]]:
    """A run that has finished some deals, and not all."""
    journal = path.with_name(f"{path.name}.part")
    with started("arena", *LONG, "--json", path, "--jobs", jobs) as child:
        deadline = time.monotonic() + 60
        while not journal.exists() or journal.read_bytes().count(b"\n") < 4:
            assert time.monotonic() < deadline
            assert child.poll() is None
            time.sleep(0.01)
        yield child


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("whole") / "whole.json"
    assert run("arena", *LONG, "--jobs", 1, "--json", path).code == 0
    return timeless(path)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_was_killed_goes_on_to_the_same_figures(
    tmp_path: Path, uninterrupted: str, jobs: int
) -> None:
    path = tmp_path / "a.json"
    journal = tmp_path / "a.json.part"
    with begin(path, jobs) as child:
        child.kill()
        child.communicate(timeout=60)  # the end of the children, too: they hold the streams
    done = journal.read_bytes().count(b"\n") - 1
    assert 3 <= done < 120
    assert not path.exists()
    head, *lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(head + b"".join(lines[::-1]))  # in whatever order they were finished
    with journal.open("ab") as file:
        file.write(b'{"deal":119,"games":[')  # as if killed while writing
    assert spawn("arena", *LONG, "--jobs", jobs, "--json", path).code == 0
    assert timeless(path) == uninterrupted
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.json"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_the_deals_and_says_how_to_go_on(
    tmp_path: Path, uninterrupted: str, jobs: int
) -> None:
    path = tmp_path / "a b.json"
    path.write_text("old\n", "utf-8")
    with begin(path, jobs) as child:
        code, out, err = interrupt(child)
    assert (code, out) == (130, "")
    told, how = err.splitlines()
    assert told == "lastspike: The arena was stopped. The finished deals are saved. To resume:"
    assert how == f"  lastspike arena --json '{path}' --resume"
    assert path.read_text("utf-8") == "old\n"
    again = run("arena", "--json", path, "--resume")
    assert again.code == 0
    assert again.out.startswith("Surveyor against 2 × Clerk\nDeals: 120,")
    assert timeless(path) == uninterrupted
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a b.json"]


def test_other_settings_are_refused_and_the_seed_need_not_be_named(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with begin(path, jobs=1) as child:
        child.kill()
        child.communicate(timeout=60)
    journal = path.with_name("a.json.part")
    before = journal.read_bytes()
    for arguments in ([*LONG[:-1], "other"], [*LONG, "--reverse"], ["clerk", *LONG[1:]]):
        for more in ([], ["--resume"]):
            line = refused(run("arena", *arguments, "--json", path, *more))
            assert "a.json.part belongs to a run with different settings" in line
    assert journal.read_bytes() == before
    assert run("arena", *LONG[:-2], "--json", path).code == 0
    assert figures(path)["settings"]["seed"] == "stop"


def test_without_a_file_ctrl_c_says_that_nothing_was_kept() -> None:
    program, *rest = command()
    arguments = ["arena", "surveyor", "clerk", "--deals", "100000", "--jobs", "1"]
    child = pexpect.spawn(program, [*rest, *arguments], encoding="utf-8", timeout=60)
    child.expect("Surveyor ")  # the bar
    child.sendintr()
    child.expect("Nothing was saved")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_programs_that_play_do_not_outlive_the_arena(
    tmp_path: Path, ending: signal.Signals
) -> None:
    """A program that hears nothing, not even the end of its input, in a process of the pool."""
    player = tmp_path / "deaf.py"
    player.write_text(
        "import os, pathlib, time\n"
        f"pathlib.Path({str(tmp_path)!r}, f'{{os.getpid()}}.pid').touch()\n"
        "print('hello 1 deaf', flush=True)\n"
        "time.sleep(600)\n",
        "utf-8",
    )
    names = [f"exec:{sys.executable} {player}", "greenhorn"]
    with started("arena", *names, "--players", 2, "--deals", 8, "--jobs", 2) as child:
        until(lambda: len(programs(tmp_path)) == 2)
        child.send_signal(ending)
        child.communicate(timeout=60)
    assert child.returncode in (130, -signal.SIGKILL)
    until(lambda: not any(map(is_there, programs(tmp_path))))


def programs(folder: Path) -> list[int]:
    return [int(file.stem) for file in folder.glob("*.pid")]


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_figures_go_to_a_pipe_without_a_journal(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        assert run("arena", *SMALL, "--json", pipe).code == 0
        out, _ = reader.communicate(timeout=60)
    assert json.loads(out)["settings"]["names"] == ["clerk", "greenhorn"]
    assert [file.name for file in tmp_path.iterdir()] == ["pipe"]


def test_a_ladder_is_drawn_with_the_best_first(tmp_path: Path) -> None:
    path = tmp_path / "ladder.json"
    names = ["greenhorn", "surveyor", "clerk"]
    arguments = ["--ladder", *names, "--deals", 12, "--seed", "l", "--json", path]
    code, out, err = run("arena", *arguments, COLUMNS="80")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Ladder of 3 players"
    chart = lines[4:7]
    assert [line.split()[0] for line in chart] == ["Surveyor", "Clerk", "Greenhorn"]
    places = [line.index("●") for line in chart]
    assert places == sorted(places, reverse=True)
    assert all("├" in line and "┤" in line for line in chart)
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 24
    rungs = figures(path)["ladder"]["rungs"]
    assert [rung["name"] for rung in rungs] == ["surveyor", "clerk", "greenhorn"]


@pytest.mark.parametrize("first", [(-0.5, -0.5, -0.1), (0.5, 0.1, 0.5)])
def test_an_interval_that_is_cut_off_shows_its_longer_side(
    tmp_path: Path, first: tuple[float, float, float]
) -> None:
    path = tmp_path / "a.json"
    run("arena", *SMALL, "--json", path)
    found = figures(path)
    advantage = found["duels"][0]["first_player_advantage"]
    advantage.update(zip(("mean", "low", "high"), first, strict=True))
    console = Console(width=80)
    with console.capture() as shown:
        console.print(*ArenaReport(found, words_for("en")).parts())
    advantage = f"{100 * first[0]:+.1f} ± 40.0 points".replace("-", "−")
    assert advantage in shown.get()


@pytest.mark.parametrize("share", [(0.9, 0.6, 1.0), (0.1, 0.0, 0.4)])
def test_the_sentence_tells_the_longer_side_of_its_interval(
    tmp_path: Path, share: tuple[float, float, float]
) -> None:
    """A share ends at nothing and at all: the shorter side would claim too much."""
    path = tmp_path / "a.json"
    run("arena", *SMALL, "--json", path)
    found = figures(path)
    found["duels"][0]["win_share"].update(zip(("mean", "low", "high"), share, strict=True))
    *_, sentence = ArenaReport(found, words_for("en")).parts()
    assert f"Clerk wins {100 * share[0]:.1f}% ± 30.0 (fair share: 50%): " in str(sentence)


def test_a_program_that_fails_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    arguments = ["exec:true", "greenhorn", "--players", 2, "--deals", 2, "--json", path]
    code, out, err = run("arena", *arguments)
    assert (code, err) == (NO_VERDICT, "")
    assert (
        "exec:true made 4 errors; random moves were played instead.\nThe first, in deal 1, " in out
    )
    assert out.endswith("No verdict: exec:true never chose a move; every move was random.\n")
    assert figures(path)["faults"]["exec:true"]["count"] == 4
    (duel,) = figures(path)["duels"]
    assert (duel["verdict"], duel["why_none"]) == ("no verdict", "never ran")


def test_too_few_deals_give_no_verdict(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    few = ["clerk", "greenhorn", "--players", 2, "--deals", 9, "--seed", "cli", "--json", path]
    code, out, err = run("arena", *few)
    assert (code, err) == (NO_VERDICT, "")
    assert out.endswith("(fair share: 50%). No verdict: it takes 10 deals or more.\n")


def test_a_match_without_any_spread_gives_no_verdict() -> None:
    mirror = ["surveyor", "surveyor", "--players", 2, "--deals", 10, "--seed", "m"]
    code, out, err = run("arena", *mirror)
    assert (code, err) == (NO_VERDICT, "")
    assert "50.0% (fair share: 50%) in every deal. No verdict: " in out


def test_a_match_stops_as_soon_as_it_is_decided(tmp_path: Path) -> None:
    """On any number of cores and after any pause with the same deals, so with the same figures."""
    match = ["surveyor", "greenhorn", "--players", 2, "--deals", 300, "--seed", "d", "--decide", 20]
    texts = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.json"
        done = spawn("arena", *match, "--jobs", jobs, "--json", path)
        assert (done.code, done.err) == (0, "")
        texts.append(timeless(path))
        deals = figures(path)["duels"][0]["deals"]
        assert 10 <= deals < 60
        assert done.out.endswith(f"clearly stronger, decided after {deals} deals.\n")
    assert texts[0] == texts[1]
    mirror = ["surveyor", "surveyor", "--players", 2, "--deals", 12, "--decide", 1, "--seed", "d"]
    code, out, _ = run("arena", *mirror)
    assert code == NO_VERDICT
    assert " ".join(out.split()).endswith("No verdict: 12 deals were too few to decide.")
    even = run("arena", *mirror[:4], "--deals", 300, "--decide", 20, "--seed", "d")
    assert even.code == 0
    assert "no difference of 20.0 points or more, decided after" in " ".join(even.out.split())


def test_the_results_without_luck_stand_beside_the_others(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    mirror = ["surveyor", "surveyor", "--players", 2, "--deals", 2, "--seed", "m"]
    out = run("arena", *mirror, "--luck", "--json", path).out  # quick: their turns are no play
    assert "Without luck " in out
    (duel,) = figures(path)["duels"]
    assert duel["without_luck"]["win_share"]["mean"] == pytest.approx(0.5, abs=0.1)
    run("arena", *SMALL, "--json", path)
    found = figures(path)
    share = {"mean": 0.7, "low": 0.6, "high": 0.8}
    found["duels"][0]["without_luck"] = {"win_share": share, "games_needed": 0.314}
    console = Console(width=80)
    with console.capture() as shown:
        console.print(*ArenaReport(found, words_for("en")).parts())
    for line in ("Without luck +70.0%", "60.0–80.0%", "games needed for the same precision +31.4%"):
        assert re.search(line, shown.get())
    assert "Clerk wins 70.0% ± 10.0 (fair share: 50%): " in shown.get()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "needs two players or more"),
        (["clerk"], "needs two players or more"),
        (["clerk", "conductor"], "computer player called conductor"),
        (["clerk", "exec:"], "expected a command"),
        (["clerk", "exec:/nowhere/player"], "can’t be started: No such file or directory"),
        (["clerk", "speculator:many"], "expected a number from 1 to 1000000"),
        (["clerk", "surveyor", "greenhorn", "--players", "2"], "name fewer"),
        (["--ladder", "--luck"], "ladder can’t be combined with --luck or --decide"),
        (["clerk", "greenhorn", "--decide", "5", "--reverse"], "can’t be combined with --reverse"),
        (["--ladder", "clerk", "clerk"], "clerk is in the ladder twice; name each player once"),
        (["clerk", "greenhorn", "--seed", "\udcff"], "--seed: not valid UTF-8"),
        (["clerk", "greenhorn", "--edition", "nowhere"], "no such file"),
        (["clerk", "greenhorn", "--json", "/nowhere/a.json"], "No such file or directory"),
        (["clerk", "greenhorn", "--deals", "1", "--json", "/"], "Is a directory"),
        (["clerk", "greenhorn", "--resume"], "--resume needs --json FILE"),
        (["--resume", "--json", "/nowhere/a.json"], "there is no run to resume"),
    ],
)
def test_what_cannot_be_done_is_one_line(arguments: list[str], reason: str) -> None:
    line = refused(run("arena", *arguments))
    assert line.startswith("lastspike: ")
    assert reason in line


def test_the_bar_shows_how_it_stands_and_goes_away() -> None:
    shown = on_terminal("arena", *LONG, "--jobs", 1)
    assert "Surveyor " in shown
    assert "/360" in shown
    assert "\x1b[2K" in shown


def test_bots_lists_every_level_weakest_first() -> None:
    code, out, err = run("bots", COLUMNS="80")
    assert (code, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    names = [line[0] for line in lines if line and line[0] in LEVEL_NAMES]
    assert names == LEVEL_NAMES
    assert "No installed package offers other players." in out
    assert "exec:COMMAND" in out
    assert max(map(len, out.splitlines())) <= 80


LEVEL_NAMES = ["greenhorn", "clerk", "surveyor", "speculator"]


def test_bots_lists_what_packages_offer(tmp_path: Path) -> None:
    info = tmp_path / "prospector-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: prospector\nVersion: 1.0\n", "utf-8"
    )
    (info / "entry_points.txt").write_text(
        "[lastspike.players]\nprospector = lastspike.bots.clerk:Clerk\n", "utf-8"
    )
    with_package = f"import sys; sys.path.append({str(tmp_path)!r})"
    done = spawn("bots", before=with_package)
    assert (done.code, done.err) == (0, "")
    assert "  prospector  from prospector" in done.out
    played = spawn(
        "arena",
        "prospector",
        "greenhorn",
        "--deals",
        1,
        "--players",
        2,
        "--jobs",
        1,
        before=with_package,
    )
    assert played.code == NO_VERDICT
    assert played.out.startswith("Prospector against Greenhorn\n")
