"""`lastspike dataset`: every decision of every game, the same on any number of cores."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from lastspike.batch import ACTIONS_VERSION, OBSERVATION_VERSION
from lastspike.lab.research.encoding import Encoder
from lastspike.rules.editions.toml import to_toml
from lastspike.rules.game import Game
from lastspike.rules.records.record import read_record
from tests.cli.command import interrupt, refused, run, started

from .test_pettingzoo_env import poor

DOCUMENTED = Path(__file__).parents[3] / "docs" / "research.md"


def written(tmp_path: Path, *arguments: object) -> tuple[Path, Path, str]:
    """The two files, and what was told."""
    columns, records = tmp_path / "games.parquet", tmp_path / "games.jsonl"
    done = run("dataset", "--columns", columns, "--records", records, *arguments, LC_ALL="C")
    assert (done.code, done.err) == (0, "")
    return columns, records, done.out


def matrix(table: Any, name: str) -> Any:
    column = table.column(name).combine_chunks()
    values = column.flatten().to_numpy(zero_copy_only=False)
    return values.reshape(len(column), -1)


@pytest.mark.parametrize(
    "how",
    [
        ["--players", 2, "--bots", "clerk,surveyor", "--cash", "hidden"],
        ["--players", 4, "--double-cost", "open", "--hands", "open"],
        ["--players", 5, "--edition"],
    ],
    ids=["bots", "random", "poor"],
)
def test_every_row_is_a_decision_of_the_recorded_games(tmp_path: Path, how: list[object]) -> None:
    if how[-1] == "--edition":
        (tmp_path / "poor.toml").write_text(to_toml(poor()), "utf-8")
        how = [*how, tmp_path / "poor.toml"]
    columns, records, _ = written(tmp_path, "--games", 5, "--seed", "d", *how)
    table = pq.read_table(columns)
    observations, legal = matrix(table, "observation"), matrix(table, "legal")
    rows = iter(table.drop_columns(["observation", "legal"]).to_pylist())
    count = 0
    for number, line in enumerate(records.read_text("utf-8").splitlines()):
        game = read_record(json.loads(line)).game
        encoder = Encoder(game.setup)
        ended = game.outcome
        assert ended is not None
        remixes = iter(game.remixed)
        again = Game(game.setup, game.deal, lambda _tiles, left=remixes: next(left))
        for step, move in enumerate(game.moves):
            seat = again.turn
            assert seat is not None
            laid_before = again.position.table.turns - (move.kind in ("buy", "pass"))
            assert next(rows) == {
                "game": number,
                "step": step,
                "turn": laid_before,
                "seat": seat,
                "action": encoder.action(move),
                "win": 1 / len(ended.winners) if seat in ended.winners else 0,
                "rank": ended.ranks[seat],
                "cash": ended.cash[seat] // 1000,
            }
            seen = encoder.observation(again.position, seat)
            assert np.array_equal(observations[count], seen)
            assert np.flatnonzero(legal[count]).tolist() == encoder.legal(again.position)
            again.play(move)
            count += 1
    assert count == table.num_rows
    assert number == 4


def test_the_file_says_what_it_holds(tmp_path: Path) -> None:
    columns, _, told = written(tmp_path, "--games", 3, "--seed", "m", "--bots", "clerk")
    schema = pq.read_schema(columns)
    assert json.loads(schema.metadata[b"lastspike"]) == {
        "format": "lastspike/columns/1",
        "actions": ACTIONS_VERSION,
        "observations": OBSERVATION_VERSION,
        "shape": {"routes": 12, "cities": 9, "seats": 4},
        "edition": "columbia-2015",
        "players": 4,
        "options": {"double_cost": "forced", "cash": "open", "hands": "hidden"},
        "bots": ["clerk"] * 4,
        "seed": "m",
    }
    page = DOCUMENTED.read_text("utf-8")
    for name, kind in zip(schema.names, schema.types, strict=True):
        shown = str(getattr(kind, "value_type", kind)).replace("float", "float32")
        assert f"| `{name}` | {shown} |" in page.replace("list of ", "")
    rows = pq.read_metadata(columns).num_rows
    assert told == f"3 games were written.\n{rows} decisions were made.\nThe seed was m.\n"


def test_one_core_and_two_write_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lastspike.lab.research.dataset.CHUNK", 4)  # so that both have a part in it
    found = []
    for jobs in (1, 2):
        arguments = ["--games", 38, "--players", 3, "--seed", "s", "--jobs", jobs]
        columns, records, told = written(tmp_path, *arguments)
        found.append((told, columns.read_bytes(), records.read_bytes()))
    assert found[0] == found[1]


def test_the_records_are_those_of_simulate(tmp_path: Path) -> None:
    arguments = ["--games", 4, "--seed", "r", "--bots", "clerk,greenhorn"]
    _, records, _ = written(tmp_path, *arguments)
    assert run("simulate", *arguments, "--records", tmp_path / "same.jsonl").code == 0
    assert records.read_bytes() == (tmp_path / "same.jsonl").read_bytes()


def test_rows_come_in_groups_of_one_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastspike.lab.research.columns.ROWS_A_GROUP", 100)
    columns, _, _ = written(tmp_path, "--games", 6, "--seed", "g")
    about = pq.read_metadata(columns)
    sizes = [about.row_group(place).num_rows for place in range(about.num_row_groups)]
    assert set(sizes[:-1]) == {100}
    assert sum(sizes) == about.num_rows
    games = pq.read_table(columns).column("game").to_pylist()
    assert games == sorted(games)


def test_an_interrupt_leaves_the_old_files_and_no_others(tmp_path: Path) -> None:
    names = ["games.jsonl", "games.parquet"]
    for name in names:
        (tmp_path / name).write_text("old", encoding="utf-8")
    files = ["--records", str(tmp_path / names[0]), "--columns", str(tmp_path / names[1])]
    small = "import lastspike.lab.research.columns as c; c.ROWS_A_GROUP = 200"
    with started("dataset", "--games", 1_000_000, "--jobs", 2, *files, before=small) as child:
        deadline = time.monotonic() + 60
        while sum(file.stat().st_size > 100 for file in tmp_path.glob(".*.part")) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        code, out, _ = interrupt(child)
    assert (code, out) == (130, "")
    assert sorted(file.name for file in tmp_path.iterdir()) == names
    assert {(tmp_path / name).read_text("utf-8") for name in names} == {"old"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "Nothing to write"),
        (["--records", "/"], "/: Is a directory"),
        (["--columns", "/nowhere/games.parquet"], "lastspike: /nowhere: No such file or directory"),
        (["--records", "/dev/null/games.jsonl"], "lastspike: /dev/null: Not a directory"),
        (["--columns", "x", "--records", "./x"], "both point to x; give each its own file"),
        (["--columns", "x", "--bots", "clerk,,"], "computer player called ''; choose from"),
        (["--columns", "x.parquet", "--edition", "nowhere"], "nowhere: no such file"),
        (["--columns", "x.parquet", "--bots", "conductor"], "player called conductor"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert reason in refused(run("dataset", "--games", 1, *arguments))
    assert list(tmp_path.iterdir()) == []


def test_faults_of_players_are_told(tmp_path: Path) -> None:
    _, _, told = written(tmp_path, "--games", 1, "--players", 2, "--bots", "clerk,exec:false")
    there_was, first = told.splitlines()[-2:]
    assert there_was.startswith("1 player error: random moves finished that turn.")
    assert first.startswith("The first error: exec:false ")
