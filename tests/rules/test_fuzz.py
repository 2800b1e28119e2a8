"""Mangled records, editions, moves and positions end in the project's own errors or are accepted.

The same ones at every run: each is made by a generator seeded with its kind and number.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from importlib import resources
from random import Random

import pytest

from lastspike.rules.board import board_of
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import from_toml, shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.position import Position, legal_moves, play
from lastspike.rules.records import notation
from lastspike.rules.records.record import read_record, read_records, to_record

from .helpers import CONFORMANCE, SOAK, after, layout, reverse
from .mangle import mangled_bytes, mangled_text, mangled_tree

IN_ALL = 100_000 if SOAK else 5_000
CHUNKS = 4
"""Pieces of each kind, so that they can run side by side."""

RECORDS = [
    path.read_bytes()
    for path in sorted(CONFORMANCE.glob("*.json"))
    if path.name[:3] in ("000", "006", "009", "014", "016", "031", "046", "052", "057")
]
TREES = [json.loads(record) for record in RECORDS]
FIGURES = [shipped().to_figures(), *(tree["figures"] for tree in TREES if "figures" in tree)]
TOML = resources.files("lastspike.editions").joinpath("columbia-2015.toml").read_text("utf-8")
POSITIONS = [
    layout("A1 D2", cash=(9000, 0, 7000), land="STL:2.0..", hands={2: "D1"}, bankrupt="1"),
    after(layout("V1 A1", cash=(1000, 9000), land="DEN:.0.0.", hands={1: "C2"}), "V1"),
    after(layout("A2 B1", track="A1", hands={1: "C1"}, double_cost="open"), "A2"),
    after(layout("V3 C2", track="A E B Y V1 V2 V4"), "V3"),
]
LINES = [notation.to_text(position) for position in POSITIONS]


def fuzz_record_bytes(rng: Random) -> None:
    data = mangled_bytes(rng.choice(RECORDS), rng)
    if rng.random() < 0.1:
        data = data + b"\n" + rng.choice(RECORDS)
    for record in read_records(io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")):
        read_record(json.loads(json.dumps(to_record(record.game, record.shuffle))))


def fuzz_record_tree(rng: Random) -> None:
    game = read_record(mangled_tree(rng.choice(TREES), rng)).game
    assert read_record(json.loads(json.dumps(to_record(game)))).game.position == game.position


def fuzz_figures(rng: Random) -> None:
    raw = mangled_tree(rng.choice(FIGURES), rng)
    _accepted_edition(figures.read(raw))
    list(figures.oddities(raw, figures.read(raw)))


def fuzz_toml(rng: Random) -> None:
    _accepted_edition(from_toml(mangled_text(TOML, rng)))


def fuzz_move(rng: Random) -> None:
    position = rng.choice(POSITIONS)
    board = position.table.board
    text = rng.choice(rng.choice((board.moves, legal_moves(position) or board.moves))).text
    if rng.random() < 0.9:
        text = mangled_text(text, rng)
    elif rng.random() < 0.5:
        text = "".join(rng.choices("ABVZ1239+-DENSTLpas \0é", k=rng.randrange(8)))
    move = board.parse(text)
    assert move.text == text
    before = position.copy()
    try:
        play(position, move, reverse)
    finally:
        assert position == before


def fuzz_position(rng: Random) -> None:
    line = mangled_text(rng.choice(LINES), rng)
    position = notation.from_text(line, rng.choice((None, shipped())))
    assert notation.from_text(notation.to_text(position)) == position
    _play_on(position, rng)


def _accepted_edition(edition: Edition) -> None:
    assert figures.read(json.loads(json.dumps(edition.to_figures()))) == edition
    board_of(edition)


def _play_on(position: Position, rng: Random) -> None:
    """Whatever position was accepted can be played to its end."""
    for _ in range(3 * len(position.table.board.tiles)):
        legal = legal_moves(position)
        assert bool(legal) != (position.table.phase == "over")
        if not legal:
            return
        position, _ = play(position, rng.choice(legal), reverse)


KINDS: dict[str, tuple[Callable[[Random], None], float]] = {
    "record bytes": (fuzz_record_bytes, 0.25),
    "record tree": (fuzz_record_tree, 0.25),
    "figures": (fuzz_figures, 0.15),
    "toml": (fuzz_toml, 0.1),
    "move": (fuzz_move, 0.1),
    "position": (fuzz_position, 0.15),
}
"""What is mangled, and its part of all."""


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("kind", KINDS)
def test_mangled_input_ends_in_our_own_errors(kind: str, chunk: int) -> None:
    fuzz, part = KINDS[kind]
    refused = 0
    numbers = range(chunk, round(IN_ALL * part), CHUNKS)
    for number in numbers:
        seed = f"{kind}/{number}"
        refusal = ""
        try:
            fuzz(Random(seed))
        except LastSpikeError as error:
            refusal = str(error)
        except Exception as error:
            raise AssertionError(f"Random({seed!r}) ended in {error!r}") from error
        refused += bool(refusal)
        assert len(refusal) < 400, seed
        assert "\n" not in refusal, seed
    # Mangling that is always refused, or never, tests less than it seems to.
    assert 0 < refused < len(numbers)


def test_the_parts_make_the_whole() -> None:
    assert sum(round(IN_ALL * part) for _, part in KINDS.values()) == IN_ALL
