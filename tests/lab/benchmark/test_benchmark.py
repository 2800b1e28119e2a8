"""The benchmark: its games are fixed, and its figures are those of the arena."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from lastspike.lab.arena.match import Settings, play_match
from lastspike.lab.arena.series import Series, play_whole
from lastspike.lab.arena.statistics import summary
from lastspike.lab.benchmark import compare
from lastspike.lab.benchmark.protocol import (
    DEALS,
    OPPONENT_VERSIONS,
    PROTOCOL,
    Row,
    net_digests,
    rows_of,
    run,
    to_json,
)
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.table import Options
from tests.cli.command import refused
from tests.cli.command import run as command

ROOT = Path(__file__).parents[3]
SOAK = os.environ.get("LASTSPIKE_SOAK") == "1"


def test_a_comparison_is_the_arena_s_match() -> None:
    found = compare("clerk", ["greenhorn"], players=3, deals=12, seed="c")
    settings = Settings(("clerk", "greenhorn"), 3, 12, "c", shipped())
    (duel,) = summary(settings, list(play_match(settings)))
    assert found.figures["duel"] == duel
    assert found.share.mean == duel["win_share"]["mean"]
    assert (found.fair, found.verdict, found.why_none) == (1 / 3, "clearly stronger", None)
    counted: list[int] = []
    few = compare("clerk", players=2, deals=3, seed="c", on_deal=counted.append)
    assert (few.verdict, few.why_none) == ("no verdict", "too few deals")
    assert counted == [1, 2, 3]
    with pytest.raises(LastSpikeError, match="conductor"):
        compare("conductor")


def test_the_rows_are_those_of_the_protocol() -> None:
    """Whoever changes one of these has to increase PROTOCOL."""
    rows = rows_of()
    assert PROTOCOL == 1
    assert len(rows) == 15
    assert rows[0] == Row("surveyor", 2, 100)
    assert rows[0].seed == "lastspike-benchmark/1/surveyor/2"
    assert rows[-1] == Row("tycoon", 6, 20)
    assert sum(row.games for row in rows) == 20 * (100 + 20 + 20)
    assert rows_of(["tycoon"], [3, 5], 7) == [Row("tycoon", 3, 7), Row("tycoon", 5, 7)]
    assert list(OPPONENT_VERSIONS) == list(DEALS)


@pytest.mark.parametrize(
    ("player", "digest"),
    [("surveyor", "31d311155872f445"), ("speculator:40", "c2a3f19184ed904d")],
)
def test_opponents_play_as_they_did_in_this_protocol(player: str, digest: str) -> None:
    """Otherwise figures of before can't be compared: increase their version and PROTOCOL."""
    series = Series(shipped(), 3, Options(), "versions", (player,))
    game = play_whole(series, series.setup(), 0).game
    moves = " ".join(map(str, game.moves))
    assert sha256(moves.encode()).hexdigest()[:16] == digest


def test_the_nets_are_the_ones_that_are_described() -> None:
    described = (ROOT / "src/lastspike/bots/tycoon/nets/README.md").read_text("utf-8")
    digests = net_digests()
    assert len(digests) == 10
    for name, digest in digests.items():
        assert f"| `{name}` | `{digest[:16]}` |" in described


def test_the_result_says_what_was_played() -> None:
    done: list[int] = []
    found = list(run("greenhorn", rows_of(["surveyor"], [2], 12), on_games=done.append))
    assert done == [2] * 12
    told = json.loads(json.dumps(to_json("greenhorn", found)))
    assert told["format"] == "lastspike-benchmark/1"
    assert told["complete"] is False
    (row,) = told["rows"]
    assert (row["opponent"], row["players"], row["deals"]) == ("surveyor", 2, 12)
    assert row["verdict"] == "clearly weaker"
    assert row["share"]["low"] <= row["share"]["mean"] <= row["share"]["high"]
    assert told["opponents"]["tycoon"]["nets"] == net_digests()


def test_the_command_prints_a_table(tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    part = ["--opponent", "surveyor", "--players", 2, "--deals", 2, "--jobs", 1]
    done = command("benchmark", "clerk", *part, "--json", path, LC_ALL="C")
    assert (done.code, done.err) == (0, "")
    assert "This is a part of the benchmark." in done.out
    (row,) = json.loads(path.read_text("utf-8"))["rows"]
    assert f"{100 * row['share']['mean']:.1f}%" in done.out
    assert "conductor" in refused(command("benchmark", "clerk", "--opponent", "conductor"))


@pytest.mark.soak
def test_the_baselines_are_those_of_the_page() -> None:
    """The first deals of one row; `make soak` plays the rows of Greenhorns and Clerks whole."""
    described = (ROOT / "docs" / "benchmark.md").read_text("utf-8")
    for player in ("Greenhorn", "Clerk"):
        (line,) = (line for line in described.splitlines() if line.startswith(f"| {player} | "))
        cells = [cell.strip() for cell in line.strip("|").split("|")][2:]
        for row, cell in zip(rows_of(["surveyor"]), cells, strict=False):
            if not SOAK and (player, row.players) != ("Clerk", 2):
                continue
            ((_, found),) = run(player.lower(), [row if SOAK else row._replace(deals=4)])
            mean, low, high = (100 * value for value in found.share)
            if SOAK:
                assert cell == f"{mean:.1f}% ({low:.1f}–{high:.1f})"
            else:
                assert low <= float(cell.partition("%")[0]) <= high
