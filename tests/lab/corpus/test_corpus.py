"""`lastspike dataset --corpus`: games of all levels, whose manifest tells the truth."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from lastspike.bots.levels import LEVELS
from lastspike.lab.corpus import plan
from lastspike.lab.corpus.plan import WEIGHTS, parts_of
from lastspike.rules.records.record import read_record
from tests.cli.command import refused, run

QUICK = {("greenhorn",): 3, ("clerk", "surveyor"): 2}


def made(folder: Path, *arguments: object) -> dict[str, Any]:
    done = run("dataset", "--corpus", folder, "--games", 20, *arguments, LC_ALL="C")
    assert (done.code, done.err) == (0, "")
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
    return found


def test_a_corpus_has_all_levels_and_numbers_of_players() -> None:
    parts = parts_of(100_000, "a")
    assert sum(part.games for part in parts) == 100_000
    names = {bot.partition(":")[0] for part in parts for bot in part.bots}
    assert names == set(LEVELS)
    assert {part.players for part in parts} == {2, 3, 4, 5, 6}
    assert len({part.file for part in parts}) == len(parts) == 5 * len(WEIGHTS)
    assert len({part.seed for part in parts}) == len(parts)
    for part in parts:
        part.series.setup()
    for games in (1, 7, 1000, 12_345):
        assert sum(part.games for part in parts_of(games, "a")) == games


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "WEIGHTS", QUICK)


@pytest.mark.usefixtures("quick")
def test_the_manifest_describes_the_files(tmp_path: Path) -> None:
    manifest = made(tmp_path / "one", "--seed", "c", "--jobs", 1)
    assert manifest["complete"]
    assert (manifest["seed"], manifest["games"]) == ("c", 20)
    assert {path.name for path in (tmp_path / "one").iterdir()} == {
        "manifest.json",
        *(part["file"] for part in manifest["parts"]),
    }
    total = 0
    for part in manifest["parts"]:
        content = (tmp_path / "one" / part["file"]).read_bytes()
        assert part["sha256"] == sha256(content).hexdigest()
        assert part["bytes"] == len(content)
        lines = content.decode().splitlines()
        total += len(lines)
        assert len(lines) == part["games"]
        for number, line in enumerate(lines):
            record = read_record(json.loads(line))
            seats = [player["kind"] for player in json.loads(line)["players"]]
            bots = part["bots"]
            assert seats == [bots[seat % len(bots)] for seat in range(part["players"])]
            assert record.game.over
            assert record.shuffle is not None
            secret = sha256(f"{part['seed']}/{number}".encode()).digest()
            assert record.shuffle.seed == secret
    assert total == 20
    assert made(tmp_path / "two", "--seed", "c", "--jobs", 2) == manifest


@pytest.mark.usefixtures("quick")
def test_a_run_goes_on_where_it_ended_and_repairs_what_changed(tmp_path: Path) -> None:
    whole = made(tmp_path / "games", "--seed", "c", "--jobs", 1)
    kept, damaged = (tmp_path / "games" / part["file"] for part in whole["parts"][:2])
    damaged.write_text("x", "utf-8")
    (tmp_path / "games" / whole["parts"][2]["file"]).unlink()
    before = kept.stat().st_mtime_ns
    assert made(tmp_path / "games", "--jobs", 1) == whole
    assert kept.stat().st_mtime_ns == before
    assert sha256(damaged.read_bytes()).hexdigest() == whole["parts"][1]["sha256"]


def test_a_corpus_has_its_own_players_and_files(tmp_path: Path) -> None:
    more = ["--bots", "clerk"]
    assert "--corpus" in refused(run("dataset", "--corpus", tmp_path, *more))
