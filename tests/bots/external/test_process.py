"""Processes of programs: they end whatever they do, and what they write takes little memory."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
import tracemalloc
from time import monotonic

import pytest

from lastspike.bots.external.process import (
    CHUNK,
    LAST_WORDS,
    LONGEST_LINE,
    MOST_LINES,
    Lines,
    Process,
    end_all,
)
from lastspike.bots.external.program import Program
from tests.bots.helpers import BRIEF, ROOT, SOON, Leash, faults_of, gone, one_view


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
    assert re.fullmatch(r"NAME exited with status 0: \d+", faults_of(program)[-1])
    os.kill(int(str(program.faults[-1]).rpartition(" ")[2]), signal.SIGKILL)
    assert leash.nobody_left()


def test_an_unclosed_program_ends_when_it_is_forgotten(leash: Leash) -> None:
    game, seat = one_view()
    program = Program(leash.command("ignore_quit"), "seed")
    program.turn(game.view(seat))
    del program
    gc.collect()
    assert leash.nobody_left()


def test_who_leaves_in_a_hurry_ends_them_all(leash: Leash) -> None:
    """Also one that was only just started, which nobody could close yet."""
    game, seat = one_view()
    program = Program(leash.command("ignore_quit"), "seed")
    program.turn(game.view(seat))
    just_started = Process(leash.command("ignore_quit").split())
    end_all()
    assert leash.nobody_left()
    just_started.kill()
    program.close()


UNCLOSED = """
import multiprocessing, sys
from lastspike.bots.external.program import Program
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
