"""Playing on from a position of a recorded game: the same table as then, and a whole game after."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lastspike import protocol as p
from lastspike.client import Person, RefusedError, play_to_end
from lastspike.rules.records.record import read_record
from lastspike.rules.records.turns import turns_of
from lastspike.server.storage import Row
from lastspike.server.storage.rows import to_step
from lastspike.server.table import log_events as e
from lastspike.server.table import records
from lastspike.server.table.errors import Conflict, NotFound
from lastspike.server.table.records import finished_record
from lastspike.server.table.state import TableState
from lastspike.server.table.views import game_view
from tests.server.running import RunningServer, running_server
from tests.server.siege import sqlite_in

pytestmark = pytest.mark.anyio

CONFORMANCE = sorted(Path("tests/conformance").glob("*.json"))
SEED = bytes(range(32))


def raw_record(path: Path) -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return raw


def resumed(path: Path, turns: int, seat: int = 0) -> TableState:
    """The table, stored and read again as the server does."""
    draft = records.play_on(read_record(raw_record(path)), turns, seat, "p1", "Ada", "clerk", SEED)
    step = e.Step(1, 5, draft.events, draft.secrets, draft.turn)
    state = TableState("t")
    state.apply(to_step(Row(step.number, step.at, *e.to_stored(step), step.turn, None)))
    return state


@pytest.mark.parametrize("path", CONFORMANCE, ids=lambda path: path.name[:3])
def test_every_position_is_the_one_of_the_record(path: Path) -> None:
    record = read_record(raw_record(path))
    turns = turns_of(record.game).turns
    whole = TableState("whole")
    steps = records.log_of(record, 5)
    for step in steps[:3]:
        whole.apply(step)
    for number in range(len(turns)):
        if number % 12 and number != len(turns) - 1:
            whole.apply(steps[3 + number])
            continue
        state = resumed(path, number)
        assert state.status == "playing"
        assert state.turn == whole.turn == number + 1
        for seat in (None, *range(record.game.setup.players)):
            assert game_view(state, seat) == game_view(whole, seat)
        whole.apply(steps[3 + number])


def test_a_record_of_it_has_no_shuffle_that_would_not_verify() -> None:
    state = resumed(CONFORMANCE[0], 2)
    assert state.shuffle is None
    with pytest.raises(Exception, match="once the game is over"):
        finished_record(state)


def test_where_there_is_nothing_to_play_on_from() -> None:
    record = read_record(raw_record(CONFORMANCE[0]))
    turns = turns_of(record.game).turns
    for asked, seat, error in (
        (len(turns), 0, Conflict),
        (len(turns) + 1, 0, NotFound),
        (1, record.game.setup.players, NotFound),
    ):
        with pytest.raises(error):
            records.play_on(record, asked, seat, "p1", "Ada", "clerk", SEED)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(sqlite_in(tmp_path_factory.mktemp("on"))) as running:
        yield running


async def test_it_is_played_to_its_end_and_the_record_verifies(server: RunningServer) -> None:
    raw = raw_record(
        next(path for path in CONFORMANCE if path.name.endswith("-n4-shuffle-standard.json"))
    )
    async with Person(server.url, "Ada", patience=60) as ada:
        table_id = await ada.play_on(raw, 3, 1, "greenhorn")
        async with ada.watch(table_id) as table:
            await table.until(lambda table: table.view is not None)
            assert table.info.status == "playing"
            assert [seat.level for seat in table.info.seats].count("greenhorn") == 3
            assert table.info.seats[1].name == "Ada"
            await ada.change_settings(table_id, p.Settings(pace=0))
            await play_to_end(table, patience=60)
        record = await ada.record(table_id)
        again = read_record(record)
        assert again.game.over
        assert again.shuffle is None
        assert record["deal"] == raw["deal"]


async def test_what_is_refused(server: RunningServer) -> None:
    raw = raw_record(CONFORMANCE[0])
    async with Person(server.url, "Ada") as ada:
        with pytest.raises(RefusedError, match="seat"):
            await ada.play_on(raw, 1, 5)
        turns = turns_of(read_record(raw).game).turns
        with pytest.raises(RefusedError, match="go back a few turns"):
            await ada.play_on(raw, len(turns), 0)
        with pytest.raises(RefusedError):
            await ada.play_on({**raw, "moves": ["Q9"]}, 1, 0)
        with pytest.raises(RefusedError, match="nobody"):
            await ada.play_on(raw, 1, 0, "nobody")
        assert await ada.tables() == []
