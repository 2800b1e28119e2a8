"""`lastspike simulate`: the same games on any number of cores, told by sums and by records."""

from __future__ import annotations

import json
import os
import subprocess
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from lastspike.bots.greenhorn import Greenhorn
from lastspike.bots.levels import make_player, split_names
from lastspike.lab.arena.series import (
    CHUNK,
    WIN,
    Chunk,
    Ending,
    Series,
    Tally,
    play_chunk,
    play_game,
    play_out,
    play_series,
    player_seed,
)
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.outcome import Outcome
from lastspike.rules.records.record import read_record, result_of
from lastspike.rules.records.shuffle import Stream, seed_of_series
from lastspike.rules.table import Options, setup

from .command import interrupt, on_terminal, refused, run, spawn, started

SMALL_CHUNKS = "import lastspike.lab.arena.series as s; s.CHUNK = 20"
MANY = 187
"""Games enough, in small chunks, that two cores share them; the last chunk is not full."""

GOLDEN_MOVES = ["W1", "C4", "E1", "V1", "+DOD", "Y1", "D4", "+OGD", "B1", "W2", "+DEN", "W3"]
"""How game 0 of four players with the seed "golden" begins."""


def as_json(*arguments: object) -> dict[str, Any]:
    result = run("simulate", "--json", *arguments)
    assert (result.code, result.err) == (0, "")
    found: dict[str, Any] = json.loads(result.out)
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("double_cost", ["forced", "open"])
def test_playouts_games_and_greenhorns_with_views_play_the_same(
    players: int, double_cost: str
) -> None:
    options = Options(double_cost="forced" if double_cost == "forced" else "open")
    table = setup(shipped(), players, options)
    for number in range(3):
        ending = play_out(table, "same", number)
        game, _ = play_game(table, "same", number)
        seen = Game.shuffled(table, Stream(seed_of_series("same", number)))
        bots = [Greenhorn(player_seed("same", number, seat)) for seat in range(players)]
        while (seat := seen.turn) is not None:
            seen.play(bots[seat].choose(seen.view(seat)))
        assert game.moves == seen.moves
        assert game.position == seen.position
        turns = seen.position.table.turns
        assert ending == (seen.outcome, seen.deal.first, len(seen.moves), turns)


def test_the_deal_of_a_series_is_that_of_the_rules() -> None:
    game, _ = play_game(setup(shipped(), 4), "golden", 0)
    codes = game.setup.board.codes
    assert [codes[tile] for tile in game.deal.drawn] == ["Z1", "U3", "A4", "W3"]
    assert game.deal.first == 2
    assert [move.text for move in game.moves[:12]] == GOLDEN_MOVES


def test_one_core_and_two_give_the_same_bytes(tmp_path: Path) -> None:
    outputs = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.jsonl"
        arguments = ["--players", 2, "--games", MANY, "--seed", "s", "--jobs", jobs, "--json"]
        with_records = spawn("simulate", *arguments, "--records", path, before=SMALL_CHUNKS)
        without = spawn("simulate", *arguments, before=SMALL_CHUNKS)
        assert with_records == without
        assert (without.code, without.err) == (0, "")
        outputs.append((without.out, path.read_bytes()))
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0][0])["games"] == MANY
    assert outputs[0][1].count(b"\n") == MANY


def test_chunks_come_in_order_whatever_their_size() -> None:
    series = Series(shipped(), 3, Options(), "order")
    whole = play_chunk(series, range(2 * CHUNK + 5), records=True)
    total, lines = Tally(3), ""
    for chunk in play_series(series, 2 * CHUNK + 5, records=True):
        assert isinstance(chunk, Chunk)
        total.add(chunk.tally)
        lines += chunk.records
    assert vars(total) == vars(whole.tally)
    assert lines == whole.records


def test_records_hold_the_games_that_were_counted(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    found = as_json("--players", 5, "--games", 40, "--seed", "r", "--records", path)
    games = [read_record(json.loads(line)) for line in path.read_text("utf-8").splitlines()]
    assert [record.shuffle.seed for record in games if record.shuffle] == [
        seed_of_series("r", number) for number in range(40)
    ]
    outcomes = [result for record in games if (result := record.game.outcome)]
    assert [record.raw["result"] for record in games] == list(map(result_of, outcomes))
    assert found["mean_moves"] == sum(len(record.game.moves) for record in games) / 40
    first_won = sum(
        record.game.deal.first in result.winners
        for record, result in zip(games, outcomes, strict=True)
    )
    assert found["shared_wins"] == 0
    assert found["wins_in_order_of_play"][0] == pytest.approx(first_won / 40)
    assert run("verify", path).out == (
        f"{path}: verified: 40 records, {round(found['mean_moves'] * 40):,} moves, "
        "0 unfinished games, 40 results checked, 40 shuffles checked\n"
    )


def test_the_tally_counts_what_the_rules_call_an_outcome() -> None:
    tally = Tally(3)
    spike = Outcome("last spike", (0, 2), (1, 3, 1), (9000, 1000, 9000), (0, 0, 0), 2, ())
    last = Outcome("last player", (1,), (2, 1, 3), (0, 5000, 0), (0, 0, 0), None, (2, 0))
    missed = Outcome("last spike", (1,), (2, 1, 3), (4000, 6000, 2000), (0, 0, 0), 0, ())
    tally.count(Ending(spike, first=2, moves=70, turns=40))
    tally.count(Ending(last, first=0, moves=10, turns=8))
    other = Tally(3)
    other.count(Ending(missed, first=1, moves=20, turns=12))
    tally.add(other)
    assert (tally.games, tally.moves, tally.turns) == (3, 100, 60)
    assert tally.wins_by_seat == [WIN // 2, 2 * WIN, WIN // 2]
    assert tally.wins_in_order == [WIN // 2 + WIN, WIN // 2 + WIN, 0]
    assert (tally.shared_wins, tally.cash, tally.winners_cash) == (1, 36000, 20000)
    assert (tally.bankruptcies, tally.games_with_bankrupts) == (2, 1)
    assert tally.ended == {"last spike": 2, "last player": 1}
    assert tally.spike_won == 1


def test_wins_add_up_and_options_matter() -> None:
    forced = as_json("--games", 60, "--seed", "w")
    opened = as_json("--games", 60, "--seed", "w", "--double-cost", "open")
    for found in (forced, opened):
        assert sum(found["wins_by_seat"]) == pytest.approx(1)
        assert sum(found["wins_in_order_of_play"]) == pytest.approx(1)
        assert sum(found["ended"].values()) == 60
    assert forced["mean_cash"] != opened["mean_cash"]


def test_the_table_is_for_people_and_fits_a_narrow_screen() -> None:
    code, out, err = run("simulate", "--players", 6, "--games", 30, "--seed", "t", COLUMNS="60")
    assert (code, err) == (0, "")
    assert out.startswith("30 games with 6 random players\n")
    assert "Seed: t\n" in out
    assert "games per second" in out
    assert max(map(len, out.splitlines())) <= 60
    for word in ("First player’s advantage", "Last spikes driven by a winner", "Bankruptcies", "6"):
        assert word in out


def test_without_a_seed_a_new_one_is_named_that_gives_the_games_again() -> None:
    found = as_json("--games", 5)
    assert as_json("--games", 5, "--seed", found["seed"]) == found
    assert as_json("--games", 5)["seed"] != found["seed"]


def test_an_edition_from_a_file_travels_to_the_cores_and_into_the_records(tmp_path: Path) -> None:
    text = Path("src/lastspike/editions/columbia-2015.toml").read_text("utf-8")
    edition = tmp_path / "poor.toml"
    edition.write_text(
        text.replace('id = "columbia-2015"', 'id = "poor"').replace("4 = 40000", "4 = 6000"),
        encoding="utf-8",
    )
    path = tmp_path / "poor.jsonl"
    arguments = [
        "--edition",
        edition,
        "--games",
        MANY,
        "--seed",
        "p",
        "--records",
        path,
        "--jobs",
        2,
    ]
    found = json.loads(spawn("simulate", "--json", *arguments, before=SMALL_CHUNKS).out)
    assert found["edition"] == "poor"
    assert found["bankruptcies"] > found["games_with_bankruptcies"] > 0
    assert found["ended"]["last player"] > 0
    record = json.loads(path.read_text("utf-8").splitlines()[0])
    assert record["figures"]["starting_cash"]["4"] == 6000


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--edition", "nowhere"], "nowhere: no such file or edition"),
        (["--seed", "\udcff"], "--seed: not valid UTF-8"),
        (["--records", "/"], "/: Is a directory"),
        (["--records", "/nowhere/games.jsonl"], "No such file or directory"),
    ],
)
def test_what_cannot_be_done_is_one_line(arguments: list[str], reason: str) -> None:
    line = refused(run("simulate", "--games", 1, *arguments))
    assert line.startswith("lastspike: ")
    assert reason in line


def test_a_number_of_players_that_the_edition_has_not_is_one_line(tmp_path: Path) -> None:
    text = Path("src/lastspike/editions/columbia-2015.toml").read_text("utf-8")
    edition = tmp_path / "mine.toml"
    edition.write_text(text.replace(", 6 = 30000", ""), encoding="utf-8")
    path = tmp_path / "games.jsonl"
    arguments = ["--edition", edition, "--players", 6, "--records", path]
    assert "is for 2, 3, 4, 5 players, not for 6" in refused(run("simulate", *arguments))
    assert [file.name for file in tmp_path.iterdir()] == ["mine.toml"]


def test_records_replace_a_file_through_a_link_and_leave_devices_alone(tmp_path: Path) -> None:
    path, link = tmp_path / "games.jsonl", tmp_path / "link.jsonl"
    path.write_text("old\n", encoding="utf-8")
    link.symlink_to(path)
    as_json("--games", 2, "--records", link)
    assert link.is_symlink()
    assert path.read_text("utf-8").count("\n") == 2
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        as_json("--games", 3, "--records", pipe)
        out, _ = reader.communicate(timeout=60)
    assert out.count(b"\n") == 3
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("jobs", "least"), [(1, 1), (2, 1), (2, 0)], ids=["one", "two", "two that are starting"]
)
def test_an_interrupt_leaves_the_old_file_and_no_other(
    tmp_path: Path, jobs: int, least: int
) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("old\n", encoding="utf-8")
    with endless(path, jobs) as child:
        wait_for_games(tmp_path, least)
        time.sleep(0.2)
        code, out, _ = interrupt(child)
    assert (code, out) == (130, "")
    assert [file.name for file in tmp_path.iterdir()] == ["games.jsonl"]
    assert path.read_text("utf-8") == "old\n"


def test_children_of_a_command_that_is_killed_do_not_stay(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with endless(path, jobs=2) as child:
        wait_for_games(tmp_path)
        child.kill()
        # Every child holds the error stream open: its end is theirs.
        child.communicate(timeout=30)
    assert not path.exists()


def endless(records: Path, jobs: int) -> AbstractContextManager[subprocess.Popen[bytes]]:
    """A simulation that nobody will see the end of."""
    return started("simulate", "--games", 1_000_000, "--records", records, "--jobs", jobs)


def wait_for_games(folder: Path, least: int = 1) -> None:
    """Until the file in progress is there, and has so many bytes."""
    deadline = time.monotonic() + 60
    while not any(file.stat().st_size >= least for file in folder.glob(".*.part")):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_bots_take_the_seats_in_turn_and_are_named_in_the_records(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    arguments = ["--players", 3, "--games", 4, "--seed", "b", "--bots", "clerk, surveyor"]
    found = as_json(*arguments, "--records", path)
    assert (found["bots"], found["faults"]) == (["clerk", "surveyor", "clerk"], 0)
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        record = read_record(json.loads(line))
        game = Game.shuffled(setup(shipped(), 3), Stream(seed_of_series("b", number)))
        seats = [
            make_player(name, player_seed("b", number, seat))
            for seat, name in enumerate(found["bots"])
        ]
        while (turn := game.turn) is not None:
            for move in seats[turn].turn(game.view(turn)):
                game.play(move)
        assert record.game.moves == game.moves
        assert record.raw["players"] == [
            {"name": "Clerk 1", "kind": "clerk"},
            {"name": "Surveyor", "kind": "surveyor"},
            {"name": "Clerk 2", "kind": "clerk"},
        ]
    assert found == as_json(*arguments[:-1], "clerk", "--bots", "surveyor")
    told = run("simulate", *arguments).out
    assert told.startswith(
        "4 games with 3 players\nseat 1: Clerk, seat 2: Surveyor, seat 3: Clerk\n"
    )


def test_series_with_bots_are_the_same_on_two_cores() -> None:
    series = Series(shipped(), 2, Options(), "cores", ("surveyor", "clerk"))
    sums = []
    for jobs in (1, 2):
        total, lines = Tally(2), ""
        for chunk in play_series(series, 33, jobs, records=True):
            total.add(chunk.tally)
            lines += chunk.records
        sums.append((vars(total), lines))
    assert sums[0] == sums[1]


def test_greenhorns_by_name_play_the_games_that_they_play_without(tmp_path: Path) -> None:
    named, plain = tmp_path / "named.jsonl", tmp_path / "plain.jsonl"
    arguments = ["--games", 6, "--seed", "g"]
    found = as_json(*arguments, "--records", named, "--bots", "greenhorn")
    assert found.items() >= as_json(*arguments, "--records", plain).items()
    games, without = (
        [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for path in (named, plain)
    )
    assert [game.pop("players")[0] for game in games] == [
        {"name": "Greenhorn 1", "kind": "greenhorn"}
    ] * 6
    assert games == without


def test_a_program_as_a_player_keeps_its_commas() -> None:
    assert split_names(["clerk,surveyor", "exec:play --weights 1,2"]) == (
        "clerk",
        "surveyor",
        "exec:play --weights 1,2",
    )


def test_faults_of_players_are_told() -> None:
    arguments = ["--games", 2, "--players", 2, "--bots", "clerk,exec:false"]
    there_were, first = run("simulate", *arguments, COLUMNS="200").out.splitlines()[-2:]
    assert there_were.startswith("2 player errors: random moves finished those turns.")
    assert first.startswith("The first error: exec:false ")
    assert as_json(*arguments)["faults"] == 2


def test_a_bot_that_nobody_knows_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    line = refused(run("simulate", "--bots", "clerk,conductor", "--records", path))
    assert "computer player called conductor" in line
    assert not path.exists()


SMALL_BLOCKS = "import lastspike.lab.arena.bulk as b; b.BLOCK = 20"


def test_the_batch_engine_gives_the_same_on_any_number_of_cores() -> None:
    arguments = ["simulate", "--engine", "batch", "--games", MANY, "--seed", "e", "--json"]
    one, two = (spawn(*arguments, "--jobs", jobs, before=SMALL_BLOCKS) for jobs in (1, 2))
    assert (one.code, one.err) == (0, "")
    assert one == two
    found = json.loads(one.out)
    assert (found["engine"], found["games"], found["seed"]) == ("batch", MANY, "e")
    assert sum(found["ended"].values()) == MANY
    assert set(found) - {"engine"} == set(as_json("--games", 1))


def test_the_table_names_the_batch_engine() -> None:
    arguments = ["--engine", "batch", "--bots", "greenhorn", "--players", 3, "--games", 5]
    told = run("simulate", *arguments, "--double-cost", "open", "--seed", "t")
    assert (told.code, told.err) == (0, "")
    assert "Edition: columbia-2015. Double cost: open. Engine: batch. Seed: t\n" in told.out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--bots", "greenhorn,clerk"], "plays random moves and can’t use greenhorn, clerk"),
        (["--records", "games.jsonl"], "doesn’t keep moves, so it can’t write --records"),
    ],
)
def test_what_the_batch_engine_cannot_do_is_one_line(arguments: list[str], reason: str) -> None:
    assert reason in refused(run("simulate", "--engine", "batch", *arguments))


def test_a_bar_shows_how_far_the_batch_engine_is() -> None:
    arguments = ["--engine", "batch", "--games", 80, "--players", 2, "--jobs", 1]
    shown = on_terminal("simulate", *arguments, before=SMALL_BLOCKS)
    assert "20/80" in shown or "40/80" in shown or "60/80" in shown
