"""Programs as players: every bad kind is survived in whole games, and none is left behind."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from lastspike.bots.external.guard import own_seed
from lastspike.bots.external.program import Program
from lastspike.bots.greenhorn import Greenhorn
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.view import view_to_json
from tests.bots.helpers import (
    BRIEF,
    SOON,
    Leash,
    faults_of,
    game_against,
    gone,
    new_game,
    one_view,
    play_to_the_end,
)

SLOW_TURN = {"turn_limit": BRIEF}
SLOW_START = {"start_limit": BRIEF}

BAD_ONCE = [
    ("crash_at_start", {}, r"NAME exited with status 1: RuntimeError: no coal"),
    ("crash_in_game", {}, r"NAME exited with status 1: RuntimeError: boiler \[2J burst"),
    ("exit_after_hello", {}, r"NAME exited with status 0"),
    ("flood_without_newlines", {}, r"NAME sent too much output"),
    ("flood_at_start", {}, r"NAME (sent too much output|answered “hello 1” with '')"),
    ("slow_start", SLOW_START, r"NAME did not say hello in time \(limit: 0.15 s\)"),
    ("wrong_hello", {}, r"NAME answered “hello 1” with 'id name Stockfish'"),
    ("other_version", {}, r"NAME answered “hello 1” with 'hello 2 Newer'"),
    ("close_output", {}, r"NAME closed its output"),
    ("leave_children", {}, r"NAME exited with status 0"),
]
"""What is the end of a program: the kind, its limits, and the one fault."""

BAD_EVERY_TIME = [
    ("hang_in_game", SLOW_TURN, r"NAME did not answer in time \(limit: 0.15 s\)"),
    ("hang_without_reading", SLOW_TURN, r"NAME did not answer in time \(limit: 0.15 s\)"),
    (
        "garbage",
        {},
        r"NAME answered 'Traceback \[31m\(most recent call last\):' instead of a move",
    ),
    ("empty_answer", {}, r"NAME answered 'move' instead of a move"),
    ("illegal", {}, r"NAME chose [AB]\d, which can’t be played: .*"),
    ("unknown_move", {}, r"NAME chose Q9999+\.\.\., which .*: 'Q99999+\.\.\. isn’t a move in .*"),
    (
        "good_tile_then_nonsense",
        {},
        r"NAME chose \+NOWHERE, which can’t be played: '\+NOWHERE' isn’t a move in this edition",
    ),
    ("not_utf8", {}, r"NAME sent an answer that isn’t UTF-8"),
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
    assert str(told[-1]).endswith("is replaced by a Greenhorn for the rest of the game")
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
        "NAME sent too much output",
        "NAME answered 'spam' instead of a move",
    }
    assert gone(program.pid)
    assert leash.nobody_left()


@pytest.mark.parametrize("command", ["no-such-program-anywhere", "/", "\0"])
def test_a_missing_program_is_survived(command: str) -> None:
    program = Program(command, "seed")
    game_against(program)
    assert len(program.faults) == 1
    assert str(program.faults[0]).startswith(f"the player exec:{command} can’t be started: ")
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
    assert moves[0] == game.legal_moves[0]
    assert len(program.faults) == 1
    program.close()


def test_a_late_answer_is_not_taken_for_the_next(leash: Leash) -> None:
    game, seat = one_view()
    program = Program(leash.command("late_once"), "seed", turn_limit=BRIEF)
    program.choose(game.view(seat))
    assert faults_of(program) == ["NAME did not answer in time (limit: 0.15 s)"]
    program.player._turn_limit = SOON
    for _ in range(3):
        assert program.choose(game.view(seat)) == game.legal_moves[0]
    assert len(program.faults) == 1
    assert not program.given_up
    program.close()


def test_what_nobody_asked_for_is_not_taken_for_an_answer(leash: Leash) -> None:
    game, seat = one_view()
    program = Program(leash.command("answer_twice"), "seed")
    for _ in range(5):
        assert program.choose(game.view(seat)) == game.legal_moves[0]
    assert program.faults == []
    program.close()


def test_a_last_line_needs_no_end(leash: Leash) -> None:
    game, seat = one_view()
    program = Program(leash.command("end_without_newline"), "seed")
    assert program.choose(game.view(seat)) == game.legal_moves[0]
    assert program.faults == []
    program.choose(game.view(seat))
    assert faults_of(program) == ["NAME exited with status 0"]
    program.close()


def test_who_is_given_up_is_ended_at_once(leash: Leash) -> None:
    game, seat = one_view()
    program = Program(leash.command("garbage"), "seed", patience=2)
    program.choose(game.view(seat))
    assert not gone(program.pid)
    program.choose(game.view(seat))
    assert program.given_up
    assert gone(program.pid)


def test_the_fallback_is_the_same_at_the_same_seed() -> None:
    def game(seed: str) -> list[str]:
        played = new_game(2)
        play_to_the_end(played, [Program("no-such-program", seed), Greenhorn("one")])
        return [move.text for move in played.moves]

    assert game("a") == game("a") != game("b")


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
