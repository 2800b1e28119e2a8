"""`lastspike verify` and `lastspike replay`, through the command as people run it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from lastspike.cli.records import records
from lastspike.languages import LANGUAGES

from .command import command, on_terminal, refused, run, spawn

CONFORMANCE = Path("tests/conformance")
RECORDS = sorted(CONFORMANCE.glob("*.json"))
REFUSED = sorted((CONFORMANCE / "refused").glob("*.json"))
FINISHED = CONFORMANCE / "007-double-empty-pool-n4-no-options-raise-standard.json"
SHUFFLED = CONFORMANCE / "036-double-empty-pool-n4-shuffle-standard.json"
SHARED = CONFORMANCE / "050-double-empty-hand-empty-pool-flat-n6-shared-tie.json"


def raw_record(path: Path = FINISHED, **changes: Any) -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(path.read_text("utf-8"))
    raw.update(changes)
    return raw


def saved(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_trace_is_that_of_the_conformance_record(path: Path) -> None:
    result = run("replay", path, "--trace")
    assert (result.code, result.err) == (0, "")
    expected = path.with_suffix(".trace").read_text("utf-8").splitlines()
    for line, (own, theirs) in enumerate(
        zip(result.out.splitlines(), expected, strict=True), start=1
    ):
        assert json.loads(own) == json.loads(theirs), f"line {line}"


def test_there_are_sixty_conformance_records_and_many_to_refuse() -> None:
    assert len(RECORDS) == 60
    assert len(REFUSED) == 34


def test_traces_of_many_records_follow_one_another(tmp_path: Path) -> None:
    together = saved(tmp_path / "two.jsonl", raw_record(FINISHED), raw_record(SHUFFLED))
    first, second = (run("replay", path, "--trace").out for path in (FINISHED, SHUFFLED))
    assert run("replay", "--trace", together).out == first + second
    assert run("replay", "--trace", FINISHED, SHUFFLED).out == first + second


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_verify_accepts_every_conformance_record(path: Path) -> None:
    code, out, err = run("verify", path)
    assert (code, err) == (0, "")
    shuffle = "shuffle checked" if "shuffle" in raw_record(path) else "no shuffle to check"
    won = r"(seat \d won|seats \d( and \d)+ share the win)"
    pattern = rf"verified: \d players, \d+ moves, {won}, result checked, {shuffle}\n"
    assert re.fullmatch(re.escape(f"{path}: ") + pattern, out)


def test_verify_says_what_it_found(tmp_path: Path) -> None:
    whole = raw_record()
    begun = saved(tmp_path / "begun.json", raw_record(moves=whole["moves"][:1]))
    begun_record = raw_record(begun)
    del begun_record["result"]
    saved(begun, begun_record)
    without_result = raw_record(SHARED)
    del without_result["result"]
    shared = saved(tmp_path / "shared.json", without_result)
    _, out, _ = run("verify", FINISHED, SHUFFLED, begun, shared)
    assert [line.partition(": verified: ")[2] for line in out.splitlines()] == [
        "4 players, 80 moves, seat 3 won, result checked, no shuffle to check",
        "4 players, 76 moves, seat 3 won, result checked, shuffle checked",
        "4 players, 1 move, unfinished, no shuffle to check",
        "6 players, 71 moves, seats 1 and 2 share the win, no result to check, no shuffle to check",
    ]


def test_verify_counts_where_a_file_holds_many(tmp_path: Path) -> None:
    unfinished = raw_record(moves=[])
    del unfinished["result"]
    path = saved(tmp_path / "many.jsonl", raw_record(FINISHED), unfinished, raw_record(SHUFFLED))
    found = (
        "verified: 3 records, 156 moves, 1 unfinished game, 2 results checked, 1 shuffle checked\n"
    )
    assert run("verify", path) == (0, f"{path}: {found}", "")
    assert run("verify", "-", stdin=path.read_bytes()) == (0, f"standard input: {found}", "")


@pytest.mark.parametrize("how", ["verify", "replay", "replay --trace"])
@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_every_record_to_refuse_is_refused_in_one_line(path: Path, how: str) -> None:
    result = run(*how.split(), path)
    assert refused(result).startswith(f"{path}: ")
    assert result.out == ""


@pytest.mark.parametrize("how", ["verify", "replay", "replay --trace"])
def test_what_is_no_record_is_refused_in_one_line(tmp_path: Path, how: str) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)) * 40)
    truncated = tmp_path / "truncated"
    truncated.write_bytes(FINISHED.read_bytes()[:-200])
    for path, reason in {
        tmp_path / "missing.json": "No such file or directory",
        tmp_path: "Is a directory",
        binary: "not a UTF-8 text file",
        truncated: "line 1, column ",
    }.items():
        assert refused(run(*how.split(), path)).startswith(f"{path}: {reason}")
    line = refused(run(*how.split(), "-", stdin=b"\xff"))
    assert line == "standard input: not a UTF-8 text file"
    assert refused(run(*how.split(), "-", stdin=b"")) == "standard input: the file is empty"


def test_a_bad_file_does_not_keep_the_others_from_their_turn(tmp_path: Path) -> None:
    second_bad = saved(tmp_path / "bad.jsonl", raw_record(), raw_record(rules=2), raw_record())
    result = run("verify", FINISHED, second_bad, SHUFFLED)
    assert refused(result).startswith(f"{second_bad}: line 2 rules: made with newer rules")
    assert [line.split(": ")[0] for line in result.out.splitlines()] == [
        str(FINISHED),
        str(SHUFFLED),
    ]


def test_a_tampered_shuffle_is_noticed(tmp_path: Path) -> None:
    raw = raw_record(SHUFFLED)
    raw["deal"]["pool"][:2] = reversed(raw["deal"]["pool"][:2])
    raw["moves"] = []
    del raw["result"]
    path = saved(tmp_path / "tampered.json", raw)
    assert refused(run("verify", path)).endswith("don’t produce this deal")


def test_replay_tells_the_game_in_words() -> None:
    code, out, err = run("replay", FINISHED, "--language", "en")
    assert (code, err) == (0, "")
    assert "goes first" in out
    assert "{" not in out
    assert run("replay", FINISHED, "--language", "ja").out != out


def test_replay_leaves_a_line_between_games(tmp_path: Path) -> None:
    path = saved(tmp_path / "two.jsonl", raw_record(FINISHED), raw_record(SHUFFLED))
    first, second = (run("replay", one, "--language", "en").out for one in (FINISHED, SHUFFLED))
    assert run("replay", path, "--language", "en").out == f"{first}\n{second}"


def test_replay_refuses_a_language_it_does_not_speak() -> None:
    code, out, err = run("replay", FINISHED, "--language", "xx")
    assert (code, out) == (2, "")
    told = " ".join(err.replace("│", " ").split())
    assert f"'xx' isn’t available; choose from {', '.join(LANGUAGES)}" in told


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    arguments = [*command(), "replay", "--trace", *map(str, RECORDS)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline().startswith(b'{"move": null')
        child.stdout.close()
        assert child.stderr.read() == b""


def test_the_command_itself_gives_the_same_as_in_this_process() -> None:
    arguments = ["verify", FINISHED, REFUSED[0], "nowhere.json", SHUFFLED]
    assert spawn(*arguments) == run(*arguments)


def test_a_bar_shows_only_to_somebody_who_waits_at_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path / "many.jsonl", *[raw_record()] * 5)
    monkeypatch.setattr(records, "PATIENCE_S", 0.0)
    assert run("verify", path).err == ""
    out = on_terminal(
        "verify", path, before="import lastspike.cli.records.records as r; r.PATIENCE_S = 0.0"
    )
    assert re.search(r"many.jsonl .*\d+%", out)
    assert "verified: 5 records" in out.splitlines()[-1]
    assert "%" not in on_terminal("verify", path)
