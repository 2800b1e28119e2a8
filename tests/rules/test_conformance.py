"""The recorded games: every trace and result comes out exactly, every bad record is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lastspike.rules.errors import RecordError
from lastspike.rules.records.record import Record, read_records, result_of
from lastspike.rules.records.trace import trace

from .helpers import CONFORMANCE

GAMES = sorted(CONFORMANCE.glob("*.json"), key=lambda path: path.name)
REFUSED = {
    "a-list": "expected a record, found […]",
    "another-format": "format: expected lastspike/1, found 'lastspike/2'",
    "edition-with-a-path": "edition: there is no edition called '../columbia-2015'",
    "empty": "the file is empty",
    "figures-letter-twice": "figures.routes.2.letter: expected a letter that no other route has",
    "figures-not-whole-thousands": "figures.routes.B.costs.3: expected a multiple of 1000",
    "first-player-not-there": "deal.first: expected a seat from 0 to 4, found 9",
    "hand-of-five": "deal.hands.1: expected this many tiles: 4; found 5",
    "huge-number": "rules: made with newer rules (version 10^18…)",
    "illegal-move": "moves.1: pass by seat 0: lay a tile first (T1)",
    "move-after-the-end": "moves.84: 'pass' comes after the end of the game",
    "move-not-text": "moves.8: expected a move, found 12",
    "nested-deep": "nested too deeply",
    "newer-rules": "rules: made with newer rules (version 99)",
    "not-json": "line 1, column 1: not JSON",
    "nothing-put-aside": "deal.aside: expected this many tiles: 1; found 0",
    "one-player": "deal.hands: edition columbia-2015 is for 2, 3, 4, 5, 6 players, not for 1",
    "remix-missing": "remixed.1: missing",
    "remix-of-other-tiles": (
        "remixed.1: expected exactly the tiles in the pool and in the bankrupt player’s hand"
    ),
    "remix-too-many": "remixed.1: one too many",
    "result-before-the-end": "result: the game is not over after its last move",
    "result-incomplete": "result.winners: missing",
    "result-wrong-cash": "result.cash: the record says [1000, 177000, 75000]",
    "result-wrong-ranks": "result.ranks: the record says [2, 1], the replay gives [1, 2]",
    "result-wrong-winner": "result.winners: the record says [3], the replay gives [2]",
    "shuffle-other-commitment": "shuffle.commitment: this isn’t the seed’s SHA-256 fingerprint",
    "shuffle-other-contribution": "shuffle: the seed and the contributions don’t produce this deal",
    "shuffle-other-seed": "shuffle.commitment: this isn’t the seed’s SHA-256 fingerprint",
    "tile-dealt-twice": "deal: D2 is dealt twice",
    "tile-not-dealt": "deal: Z2 is not dealt",
    "truncated": "line 1, column 734: not JSON, or cut off",
    "unknown-edition": "edition: there is no edition called 'nowhere-1999'",
    "unknown-move": "moves.6: 'Q9' isn’t a move in this edition",
    "unknown-option-value": "option double_cost: expected forced or open, found 'sometimes'",
}


def _read(path: Path) -> list[Record]:
    with path.open(encoding="utf-8") as file:
        return list(read_records(file))


def test_all_sixty_games_are_here() -> None:
    assert [path.name[:3] for path in GAMES] == [f"{number:03}" for number in range(60)]


@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_game_is_reproduced(path: Path) -> None:
    (record,) = _read(path)
    lines = path.with_suffix(".trace").read_text("utf-8").splitlines()
    for number, (expected, got) in enumerate(zip(lines, trace(record.game), strict=True), 1):
        assert json.loads(json.dumps(got)) == json.loads(expected), f"line {number}"
    stated = json.loads(path.read_text("utf-8"))["result"]
    assert record.game.outcome is not None
    assert result_of(record.game.outcome) == stated


def test_every_refused_record_is_in_the_table() -> None:
    assert {path.stem for path in (CONFORMANCE / "refused").iterdir()} == set(REFUSED)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_record_is_refused(name: str) -> None:
    with pytest.raises(RecordError) as refusal:
        _read(CONFORMANCE / "refused" / f"{name}.json")
    assert REFUSED[name] in str(refusal.value)
    assert "\n" not in str(refusal.value)
