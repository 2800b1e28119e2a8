"""Programs as players: every bad kind is survived in whole games, and none is left behind."""

from __future__ import annotations

import gc
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from lastspike.bots.greenhorn import Greenhorn
from lastspike.bots.guarded import own_seed
from lastspike.bots.process import CHUNK, LAST_WORDS, LONGEST_LINE, MOST_LINES, Lines
from lastspike.bots.program import Program
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.view import view_to_json

from .helpers import ROOT, SOON, Leash, new_game, one_view, play_to_the_end

BRIEF = 0.15
"""Seconds to wait for what will not come."""


@pytest.fixture
def leash(tmp_path: Path) -> Iterator[Leash]:
    made = Leash(tmp_path)
    yield made
    made.close()


def game_against(program: Program, seed: str = "plug-ins") -> int:
    """A whole game of the program and two Greenhorns; how many turns the program had."""
    return play_to_the_end(new_game(3, seed), [program, Greenhorn("one"), Greenhorn("two")])


def faults_of(program: Program) -> list[str]:
    """What the faults say, the program's name left out."""
    return [str(fault).replace(program.level, "NAME") for fault in program.faults]


def gone(pid: int | None) -> bool:
    assert pid is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


SLOW_TURN = {"turn_limit": BRIEF}
SLOW_START = {"start_limit": BRIEF}

BAD_ONCE = [
    ("crash_at_start", {}, r"NAME ended with status 1: RuntimeError: no coal"),
    ("crash_in_game", {}, r"NAME ended with status 1: RuntimeError: boiler \[2J burst"),
    ("exit_after_hello", {}, r"NAME ended with status 0"),
    ("flood_without_newlines", {}, r"NAME writes more than it was asked for"),
    ("flood_at_start", {}, r"NAME (writes more than it was asked for|answered '' to hello 1)"),
    ("slow_start", SLOW_START, r"NAME did not say hello within 0.15 seconds"),
    ("wrong_hello", {}, r"NAME answered 'id name Stockfish' to hello 1"),
    ("other_version", {}, r"NAME answered 'hello 2 Newer' to hello 1"),
    ("close_output", {}, r"NAME closed its output"),
    ("leave_children", {}, r"NAME ended with status 0"),
]
"""What is the end of a program: the kind, its limits, and the one fault."""

BAD_EVERY_TIME = [
    ("hang_in_game", SLOW_TURN, r"NAME did not answer within 0.15 seconds"),
    ("hang_without_reading", SLOW_TURN, r"NAME did not answer within 0.15 seconds"),
    (
        "garbage",
        {},
        r"NAME answered 'Traceback \[31m\(most recent call last\):' instead of a move",
    ),
    ("empty_answer", {}, r"NAME answered 'move' instead of a move"),
    ("illegal", {}, r"NAME chose [AB]\d, which can't be played: .*"),
    ("unknown_move", {}, r"NAME chose Q9999+\.\.\., which .*: 'Q99999+\.\.\. is no move of .*"),
    (
        "good_tile_then_nonsense",
        {},
        r"NAME chose \+NOWHERE, which can't be played: '\+NOWHERE' is no move of this edition",
    ),
    ("not_utf8", {}, r"NAME answered in something else than UTF-8"),
]
"""What a program may do three times."""


@pytest.mark.parametrize(
    ("kind", "limits", "message"), BAD_ONCE, ids=[kind for kind, _, _ in BAD_ONCE]
)
def test_what_ends_a_program_is_told_once_and_the_game_goes_on(
    leash: Leash, kind: str, limits: dict[str, Any], message: str
) -> None:
    program = Program(leash.command(kind), "seed", **limits)
    told: list[LastSpikeError] = []
    program.tell = told.append
    assert game_against(program) > 6
    assert len(program.faults) == 1
    assert re.fullmatch(message, faults_of(program)[0]), faults_of(program)
    assert program.given_up
    assert told[:-1] == program.faults
    assert str(told[-1]).endswith("is not asked any more; a greenhorn plays on in its place")
    assert gone(program.pid)
    assert leash.nobody_left()


@pytest.mark.parametrize(
    ("kind", "limits", "message"), BAD_EVERY_TIME, ids=[kind for kind, _, _ in BAD_EVERY_TIME]
)
def test_who_fails_three_times_is_not_asked_again(
    leash: Leash, kind: str, limits: dict[str, Any], message: str
) -> None:
    program = Program(leash.command(kind), "seed", **limits)
    asked = game_against(program)
    assert asked > 6
    assert len(program.faults) == 3
    for fault in faults_of(program):
        assert re.fullmatch(message, fault), fault
    assert program.given_up
    assert gone(program.pid)
    assert leash.nobody_left()


def test_a_flood_of_lines_is_survived(leash: Leash) -> None:
    """Whether its first line is taken for an answer before the rest has come is up to luck."""
    program = Program(leash.command("flood_with_newlines"), "seed")
    game_against(program)
    assert program.given_up
    assert set(faults_of(program)) <= {
        "NAME writes more than it was asked for",
        "NAME answered 'spam' instead of a move",
    }
    assert gone(program.pid)
    assert leash.nobody_left()


@pytest.mark.parametrize("command", ["no-such-program-anywhere", "/", "\0"])
def test_a_missing_program_is_survived(command: str) -> None:
    program = Program(command, "seed")
    game_against(program)
    assert len(program.faults) == 1
    assert str(program.faults[0]).startswith(f"the player exec:{command} can't be started: ")
    assert program.pid is None


def test_a_good_program_plays_without_a_fault_and_ends(leash: Leash) -> None:
    program = Program(leash.command("good"), "seed")
    assert program.name == program.level
    game_against(program)
    assert program.faults == []
    assert not program.given_up
    assert program.name == "Bad player"
    assert gone(program.pid)
    assert leash.nobody_left()


def test_move_by_move_as_well_as_by_turns(leash: Leash) -> None:
    program = Program(leash.command("good"), "seed")
    game = new_game(2)
    play_to_the_end(game, [program, Greenhorn("one")], by_turns=False)
    assert program.faults == []
    bad = Program(leash.command("illegal"), "seed")
    play_to_the_end(new_game(2), [bad, Greenhorn("one")], by_turns=False)
    assert len(bad.faults) == 3


def test_a_pass_that_is_not_needed_is_no_fault(leash: Leash) -> None:
    program = Program(leash.command("spare_pass"), "seed")
    game, seat = one_view()
    assert [move.kind for move in program.turn(game.view(seat))] == ["lay"]
    assert program.faults == []
    program.close()
    again = Program(leash.command("spare_pass"), "seed")
    game_against(again)
    assert again.faults == []


def test_what_is_legal_of_an_answer_stands(leash: Leash) -> None:
    game, seat = one_view()
    program = Program(leash.command("good_tile_then_nonsense"), "seed")
    moves = program.turn(game.view(seat))
    assert moves[0] == game.legal[0]
    assert len(program.faults) == 1
    program.close()


def test_a_late_answer_is_not_taken_for_the_next(leash: Leash) -> None:
    game, seat = one_view()
    program = Program(leash.command("late_once"), "seed", turn_limit=BRIEF)
    program.choose(game.view(seat))
    assert faults_of(program) == ["NAME did not answer within 0.15 seconds"]
    program.player._turn_limit = SOON
    for _ in range(3):
        assert program.choose(game.view(seat)) == game.legal[0]
    assert len(program.faults) == 1
    assert not program.given_up
    program.close()


def test_the_fallback_is_the_same_at_the_same_seed() -> None:
    def game(seed: str) -> list[str]:
        played = new_game(2)
        play_to_the_end(played, [Program("no-such-program", seed), Greenhorn("one")])
        return [move.text for move in played.moves]

    assert game("a") == game("a") != game("b")


def test_a_program_that_ignores_quit_is_ended(leash: Leash) -> None:
    game, seat = one_view()
    program = Program(leash.command("ignore_quit"), "seed", end_limit=BRIEF)
    program.turn(game.view(seat))
    assert not gone(program.pid)
    program.close()
    program.close()
    assert gone(program.pid)
    assert leash.nobody_left()
    assert program.faults == []
    assert program.turn(game.view(seat)), "after its end a Greenhorn moves"
    assert program.faults == []


def test_a_child_that_leaves_the_group_holds_nobody_up(leash: Leash) -> None:
    game, seat = one_view()
    program = Program(leash.command("leave_runaway"), "seed")
    program.turn(game.view(seat))
    began = monotonic()
    while not program.given_up:
        program.turn(game.view(seat))
    program.close()
    assert monotonic() - began < 5
    assert re.fullmatch(r"NAME ended with status 0: \d+", faults_of(program)[-1])
    os.kill(int(str(program.faults[-1]).rpartition(" ")[2]), signal.SIGKILL)
    assert leash.nobody_left()


def test_an_unclosed_program_ends_when_it_is_forgotten(leash: Leash) -> None:
    game, seat = one_view()
    program = Program(leash.command("ignore_quit"), "seed")
    program.turn(game.view(seat))
    del program
    gc.collect()
    assert leash.nobody_left()


UNCLOSED = """
import multiprocessing, sys
from lastspike.bots.program import Program
from tests.bots.helpers import one_view

def play(command):
    global program
    game, seat = one_view()
    program = Program(command, "seed")
    program.turn(game.view(seat))
    assert not program.faults, program.faults

def nothing():
    pass

if sys.argv[1] == "process":
    play(sys.argv[2])
elif sys.argv[1] == "worker":
    worker = multiprocessing.get_context("fork").Process(target=play, args=sys.argv[2:])
    worker.start()
    worker.join()
    assert worker.exitcode == 0
else:
    play(sys.argv[2])
    worker = multiprocessing.get_context("fork").Process(target=nothing)
    worker.start()
    worker.join()
    game, seat = one_view()
    program.turn(game.view(seat))
    assert not program.faults, "a fork has ended the program"
"""


@pytest.mark.parametrize("where", ["process", "worker", "fork"])
def test_an_unclosed_program_ends_with_the_interpreter(leash: Leash, where: str) -> None:
    subprocess.run(
        [sys.executable, "-c", UNCLOSED, where, leash.command("ignore_quit")],
        cwd=ROOT,
        check=True,
        timeout=SOON,
    )
    assert leash.nobody_left()


class Endless:
    """A pipe from which the same comes for ever."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.reads = 0

    def read(self, most: int) -> bytes:
        self.reads += 1
        assert self.reads < 1000, "nobody should read that much"
        return (self.text * most)[:most]

    def __enter__(self) -> Endless:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("text", [b"x", b"\n", b"spam\n", b"x" * 500 + b"\n"])
def test_of_a_flood_little_is_read_and_nothing_kept(text: bytes) -> None:
    lines, pipe = Lines(), Endless(text)
    lines.read(pipe)  # type: ignore[arg-type]
    assert lines.flooded
    assert lines.ended
    assert pipe.reads <= 1 + MOST_LINES * LONGEST_LINE // CHUNK
    assert lines.take(monotonic()) is None


@pytest.mark.parametrize(
    "kind", ["flood_with_newlines", "flood_without_newlines", "flood_at_start", "flood_of_errors"]
)
def test_floods_take_little_memory(leash: Leash, kind: str) -> None:
    """Each `flood_of_errors` is 1.8 MB a turn."""
    game, seat = one_view()
    program = Program(leash.command(kind), "seed")
    tracemalloc.start()
    for _ in range(3):
        program.turn(game.view(seat))
    program.close()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_500_000
    if kind == "flood_of_errors":
        assert program.faults == []
        process = program.player._process
        assert process is not None
        assert 0 < len(process.last_words) <= LAST_WORDS


def test_the_seed_that_a_program_gets_does_not_tell_the_table_s() -> None:
    assert own_seed("table/7/2") == own_seed("table/7/2") != own_seed("table/7/3")
    assert "table" not in own_seed("table/7/2")


ECHO = """
import sys
for line in sys.stdin:
    print(line, end="", file=open(sys.argv[1], "a"))
    if line.startswith("hello"):
        print("hello 1 \\x1b[1mEcho \\u00e9" + "o" * 99, flush=True)
    if line.startswith("go"):
        print("move", flush=True)
"""


def test_what_is_sent_line_by_line(tmp_path: Path) -> None:
    game, seat = one_view(cash="hidden")
    heard = tmp_path / "heard"
    command = shlex.join([sys.executable, "-X", "utf8", "-c", ECHO, str(heard)])
    program = Program(command, "table/7/2", turn_limit=SOON)
    for _ in range(2):
        program.turn(game.view(seat))
    assert program.name == "[1mEcho é" + "o" * 28 + "..."
    program.close()
    lines = heard.read_text("ascii").splitlines()
    words = [line.partition(" ")[0] for line in lines]
    assert words == ["hello", "options", "view", "go", "view", "go", "quit"]
    options = json.loads(lines[1].partition(" ")[2])
    assert options == {
        "players": 3,
        "seat": seat,
        "options": {"double_cost": "forced", "cash": "hidden", "hands": "hidden"},
        "edition": game.setup.edition.to_figures(),
        "seed": own_seed("table/7/2"),
        "milliseconds": 20_000,
    }
    sent = json.loads(lines[2].partition(" ")[2])
    assert sent == json.loads(json.dumps(view_to_json(game.view(seat))))
    assert sent["cash"].count(None) == 2
    assert sent["hands"].count(None) == 2
    assert 19_000 < int(lines[3].partition(" ")[2]) <= 20_000
