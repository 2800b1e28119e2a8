"""Reading what strangers send: in a process of its own, within limits, in turns."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lastspike.rules.board import MOST_KEPT_MOVES, board_of, boards
from lastspike.rules.editions import figures
from lastspike.rules.editions.shipped import parse_toml, shipped
from lastspike.rules.errors import EditionError, RecordError
from lastspike.server.jobs import reader as reading
from lastspike.server.jobs.reader import Reader
from lastspike.server.jobs.reading import MOST_TOML, checked, looked_at, played_on
from lastspike.server.table.errors import Conflict, TooLarge, TooMany
from lastspike.server.table.limits import MOST_FIGURES_BYTES

pytestmark = pytest.mark.anyio

RECORD = Path("tests/conformance/036-double-empty-pool-n4-shuffle-standard.json")
LOOK = ("looked_at", json.loads(RECORD.read_text("utf-8")), "v")


@asynccontextmanager
async def running() -> AsyncIterator[Reader]:
    reader = Reader()
    await reader.start()
    try:
        yield reader
    finally:
        await reader.close()


async def test_it_reads_in_another_process_and_passes_errors_on() -> None:
    async with running() as reader:
        told = json.loads(await reader.ask("a", *LOOK))
        assert told["table"]["status"] == "over"
        assert reader._process is not None
        with pytest.raises(RecordError, match="deal"):
            await reader.ask("a", "looked_at", {**LOOK[1], "deal": {}}, "v")
        with pytest.raises(EditionError) as refused:
            await reader.ask("a", "checked", None, "x = " + "[" * 60_000)
        assert refused.value.path == ""
        # What ends the process fails one question and no other.
        reader._process.kill()
        results = await asyncio.gather(
            *(reader.ask("a", *LOOK) for _ in range(2)), return_exceptions=True
        )
        assert isinstance(results[-1], bytes)


async def test_what_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "SECONDS", 0.0)
    async with running() as reader:
        with pytest.raises(TooLarge):
            await reader.ask("a", *LOOK)
        assert reader._process is None
        monkeypatch.setattr(reading, "SECONDS", 60.0)
        assert await reader.ask("a", *LOOK)


async def test_nobody_waits_for_all_that_another_asks() -> None:
    reader = Reader()  # not started: nothing is read
    asked = [asyncio.create_task(reader.ask("a", *LOOK)) for _ in range(reading.MOST_EACH + 1)]
    asked.append(asyncio.create_task(reader.ask("b", *LOOK)))
    await asyncio.sleep(0)
    with pytest.raises(TooMany):
        await asked[reading.MOST_EACH]
    first, second = [await reader._waiting.get() for _ in range(2)]
    assert len(reader._waiting) == reading.MOST_EACH - 1
    await reader.close()
    for task in asked:
        task.cancel()
    assert first is not second


def large(**changed: Any) -> dict[str, Any]:
    raw = copy.deepcopy(shipped().to_figures())
    raw.update(changed)
    return raw


def cities(count: int) -> list[dict[str, Any]]:
    city = {"land": [0, 1000, 1000, 1000, 1000], "payouts": [0, 0, 0, 0, 0], "name": "x"}
    more = [city | {"code": f"Q{n}"} for n in range(count)]
    return [*shipped().to_figures()["cities"], *more]


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (large(cities=cities(figures.MOST_CITIES)), "cities"),
        (large(printed=["x"] * (figures.MOST_PRINTED + 1)), "printed"),
        (large(routes=[{}] * 27), "routes"),
        (
            large(
                cities=[
                    cities(0)[0]
                    | {"names": {f"a{chr(97 + n // 26)}-{n:02}": "x" for n in range(51)}}
                ]
            ),
            f"cities.{cities(0)[0]['code']}.names",
        ),
    ],
)
def test_an_edition_has_a_largest_size(raw: dict[str, Any], path: str) -> None:
    with pytest.raises(EditionError, match="at most") as refused:
        figures.read(raw)
    assert refused.value.path == path


def test_figures_are_measured_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(_raw: object) -> None:
        raise AssertionError("they were read")

    monkeypatch.setattr(figures, "read", read)
    heavy = large(junk="x" * MOST_FIGURES_BYTES)
    with pytest.raises(TooLarge):
        checked(heavy, None)
    for raw in ({"figures": heavy}, {**LOOK[1], "figures": heavy}):
        with pytest.raises(TooLarge):
            looked_at(raw, "v")
        with pytest.raises(TooLarge):
            played_on(raw, 0, 0, "Ada", "clerk", b"")


@pytest.mark.parametrize(
    "line",
    ["a" + ".a" * 31 + "=1", "'\"'" + ".a" * 31, '"\\"".a' * 32, '"\\"' * 3 + '"' + ".a" * 31],
)
def test_keys_of_many_parts_are_not_parsed(line: str) -> None:
    with pytest.raises(EditionError, match="too many dots"):
        parse_toml(line)


def test_dots_in_texts_do_no_harm_and_cost_nothing() -> None:
    assert parse_toml("x = [" + '\'a.b\', "c.d\\".", ' * 200 + "]")
    with pytest.raises(EditionError):
        parse_toml('"' + '\\"' * (MOST_TOML // 2) + "\\")


def test_boards_in_memory_have_a_limit_in_size() -> None:
    usual = len(board_of(shipped()).moves)
    for number in range(2 * MOST_KEPT_MOVES // 600):
        raw = large(id=f"large-{number}", cities=cities(figures.MOST_CITIES - 9))
        edition = figures.read(raw)
        assert board_of(edition) is board_of(edition)
    kept = sum(len(board.moves) for board in boards._boards.values())
    assert usual < kept <= MOST_KEPT_MOVES
    assert boards._moves == kept


def test_a_game_that_is_not_over_is_not_shown() -> None:
    begun = {**LOOK[1], "moves": LOOK[1]["moves"][:4]}
    del begun["result"]
    with pytest.raises(Conflict):
        looked_at(begun, "v")
    assert msgspec.json.decode(looked_at(LOOK[1], "v"))["steps"]
