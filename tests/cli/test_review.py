"""`lastspike review`: an account for people, everything as JSON, and one line when it can't."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.review.helpers import quick_game

from .command import on_terminal, refused, run


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(quick_game("surveyor clerk", "two").raw), encoding="utf-8")
    return path


def test_it_tells_the_game_in_tables_and_charts(record: Path) -> None:
    result = run("review", record, "--playouts", 300, "--turns", "--language", "en")
    assert (result.code, result.err) == (0, "")
    for part in (
        "Chance to win",
        "Payouts by route",
        "What land cost",
        "Luck and play",
        "Every turn",
    ):
        assert part in result.out
    assert "█" in result.out


def test_json_depends_on_the_seed(record: Path) -> None:
    told = [
        json.loads(run("review", record, "--json", "--playouts", 200, "--seed", seed).out)
        for seed in ("a", "b")
    ]
    assert told[0]["facts"] == told[1]["facts"]
    assert told[0]["chances"] != told[1]["chances"]


def test_a_bar_is_shown_to_who_watches(record: Path) -> None:
    assert "Reviewing" in on_terminal("review", record, "--playouts", 300)


def test_one_game_of_many_is_chosen(record: Path, tmp_path: Path) -> None:
    line = record.read_text("utf-8")
    other = json.dumps(quick_game("clerk clerk", "another").raw)
    many = tmp_path / "many.jsonl"
    many.write_text(f"{line}\n{other}\n", encoding="utf-8")
    assert "choose one with --game" in refused(run("review", many))
    assert "there is no game 3" in refused(run("review", many, "--game", 3))
    second = run("review", many, "--game", 2, "--json", "--playouts", 100).out
    assert json.loads(second)["result"] == json.loads(other)["result"]
    piped = run("review", "-", "--json", "--playouts", 100, stdin=other.encode()).out
    assert json.loads(piped) == json.loads(second)


def test_a_game_that_is_not_over_is_one_line(record: Path) -> None:
    raw = json.loads(record.read_text("utf-8"))
    raw["moves"] = raw["moves"][:5]
    del raw["result"]
    record.write_text(json.dumps(raw), encoding="utf-8")
    assert "nly a game that is over can be reviewed" in refused(run("review", record))
