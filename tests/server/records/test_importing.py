"""Games taken out of a database as records and brought in again: the same games, each once."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from lastspike.rules.errors import LastSpikeError, RecordError
from lastspike.rules.records.record import Record, dump_records, read_record, to_record
from lastspike.server.records import exporting, importing, listing
from lastspike.server.storage import Append, Storage
from lastspike.server.storage.rows import to_append
from lastspike.server.table import commands, records
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import NotAllowed
from lastspike.server.table.log_events import Index
from lastspike.server.table.records import finished_record, full_record
from lastspike.server.table.views import Viewer, steps_for, table_info
from tests.server.paper import HOST, Paper

pytestmark = pytest.mark.anyio

CONFORMANCE = sorted(Path("tests/conformance").glob("*.json"))
SHUFFLED = Path("tests/conformance/036-double-empty-pool-n4-shuffle-standard.json")
OTHER = Path("tests/conformance/007-double-empty-pool-n4-no-options-raise-standard.json")
THERE, ELSEWHERE = "a" * 22, "b" * 22


@pytest.fixture
async def storage(sqlite_url: str) -> AsyncIterator[Storage]:
    storage = Storage(sqlite_url)
    await storage.open()
    yield storage
    await storage.close()


def raw_record(path: Path = SHUFFLED, **changes: Any) -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return raw | changes


def recorded(path: Path = SHUFFLED, **changes: Any) -> Record:
    return read_record(raw_record(path, **changes))


def begun() -> Record:
    raw = raw_record()
    del raw["result"]
    return read_record(raw | {"moves": raw["moves"][:1]})


async def store(storage: Storage, paper: Paper, table_id: str = THERE) -> None:
    """The table that was played on paper, as the server would have stored it."""
    steps = zip(paper.log, paper.indexes, strict=True)
    first, *others = (to_append(table_id, step, index) for step, index in steps)
    await storage.logs.create_table(first, False)
    for step in others:
        assert await storage.logs.append(step)


def played(turns: int = 1000) -> Paper:
    paper = Paper(("me", None, "clerk"))
    paper.sit("a")
    paper.start()
    paper.play(turns)
    return paper


async def log_of(storage: Storage, table_id: str) -> list[Any]:
    return [await storage.logs.table(table_id), await storage.logs.steps(table_id)]


# ---- in -------------------------------------------------------------------------------------


async def test_every_recorded_game_becomes_a_table_that_gives_it_back(database_url: str) -> None:
    storage = Storage(database_url)
    await storage.open()
    try:
        known = await importing.games_here(storage)
        for path in CONFORMANCE:
            record = recorded(path)
            arrived = await importing.bring_in(storage, record, known)
            assert arrived.new
            row = await storage.logs.table(arrived.table)
            assert row is not None
            assert (row.status, row.listed) == ("over", False)
            told = await exporting.record_of(storage, arrived.table, secret=False)
            assert told is not None
            for key, value in to_record(record.game, record.shuffle).items():
                assert told[key] == value, key
            assert ("shuffle" in told) == ("shuffle" in record.raw)
            assert read_record(told).game.outcome == record.game.outcome
        assert await importing.games_here(storage) == known
        assert len(known) == len(CONFORMANCE)
        before = [await log_of(storage, table_id) for table_id in known.values()]
        for path in CONFORMANCE:
            assert not (await importing.bring_in(storage, recorded(path), known)).new
        assert [await log_of(storage, table_id) for table_id in known.values()] == before
    finally:
        await storage.close()


async def test_a_played_game_moves_to_another_server_with_its_names_and_id(
    storage: Storage,
) -> None:
    paper = played()
    paper.do(commands.say, HOST, "", "well played")
    exported = finished_record(paper.state)
    arrived = await importing.bring_in(storage, read_record(exported), {})
    assert arrived == (paper.state.id, True)
    assert await exporting.record_of(storage, arrived.table, secret=False) == exported
    state = await listing.state_of(storage, arrived.table)
    assert table_info(state).status == "over"
    assert [seat.level for seat in table_info(state).seats] == [None, None, "clerk"]
    assert (state.host, state.people()) == ("", {})


async def test_what_is_told_of_an_imported_game_holds_every_turn(storage: Storage) -> None:
    record = recorded()
    arrived = await importing.bring_in(storage, record, {})
    state = await listing.state_of(storage, arrived.table)
    steps = records.log_of(record, 1)
    for viewer in (Viewer(), Viewer(0, True)):
        told = [each for step in steps_for(state, steps, viewer) for each in step.happenings]
        events = [event for happening in told for event in happening.get("events", [])]
        assert len(events) == len(record.game.history)
        assert "seed" not in str(told)
    assert [step.turn for step in steps[3:]] == list(range(1, len(steps) - 2))


async def test_names_are_cleaned_and_times_kept_where_they_can_be(storage: Storage) -> None:
    players = [
        {"name": " <b>Ann\u202e</b> ", "level": None},
        {"name": "clerk", "level": "clerk"},  # as older versions wrote it
        {"name": "x" * 99, "level": 7},
        "Zoë",
    ]
    arrived = await importing.bring_in(storage, recorded(players=players, created=12345), {})
    told = await exporting.record_of(storage, arrived.table, secret=False)
    assert told is not None
    assert told["created"] == 12345
    assert told["players"] == [
        {"name": "\u2039b\u203aAnn\u2039/b\u203a", "level": None},
        {"name": "Mabel", "level": "clerk"},
        {"name": "", "level": None},
        {"name": "", "level": None},
    ]
    row = await storage.logs.table(arrived.table)
    assert row is not None
    assert row.created_at == 12345
    assert row.changed_at > 10**12  # or a server that forgets old tables would forget it at once


@pytest.mark.parametrize("created", [None, True, "now", -1, 10**20, 1.5])
async def test_an_odd_time_is_as_good_as_none(storage: Storage, created: object) -> None:
    arrived = await importing.bring_in(storage, recorded(created=created), {})
    row = await storage.logs.table(arrived.table)
    assert row is not None
    assert row.created_at == row.changed_at


@pytest.mark.parametrize("named", [THERE, None, 7, "short", "\n" + THERE, "é" * 22])
async def test_the_same_game_is_brought_in_once_whatever_it_is_called(
    storage: Storage, named: object
) -> None:
    known = await importing.games_here(storage)
    first = await importing.bring_in(storage, recorded(table=named), known)
    assert first.new
    assert (first.table == named) == (named == THERE)
    for again in (named, None, ELSEWHERE):
        for known_then in (known, await importing.games_here(storage)):
            second = await importing.bring_in(storage, recorded(table=again), known_then)
            assert second == (first.table, False)
    assert len(await storage.logs.all_tables()) == 1


async def test_a_game_that_was_played_here_is_not_brought_in(storage: Storage) -> None:
    paper = played()
    await store(storage, paper)
    record = finished_record(paper.state)
    del record["table"], record["shuffle"], record["players"]
    arrived = await importing.bring_in(
        storage, read_record(record), await importing.games_here(storage)
    )
    assert arrived == (THERE, False)


async def test_a_table_of_another_game_is_not_touched(storage: Storage) -> None:
    await store(storage, played(3))
    await importing.bring_in(storage, recorded(OTHER, table=ELSEWHERE), {})
    for taken in (THERE, ELSEWHERE):
        before = await log_of(storage, taken)
        with pytest.raises(
            LastSpikeError, match=f"table {taken} already exists, with a different game"
        ):
            await importing.bring_in(storage, recorded(table=taken), {})
        assert await log_of(storage, taken) == before


async def test_an_unfinished_game_is_not_brought_in(storage: Storage) -> None:
    with pytest.raises(LastSpikeError, match="isn’t over"):
        await importing.bring_in(storage, begun(), {})
    assert await storage.logs.all_tables() == []


@pytest.mark.parametrize("stored", [1, 2, 3, 20])
async def test_what_was_cut_short_is_brought_in_anew(storage: Storage, stored: int) -> None:
    record = recorded(table=THERE)
    first, *others = (
        to_append(THERE, step, Index(status="over"))
        for step in records.log_of(record, 1000)[:stored]
    )
    await storage.logs.create_table(first, listed=False)
    for step in others:
        assert await storage.logs.append(step)
    arrived = await importing.bring_in(storage, record, await importing.games_here(storage))
    assert arrived == (THERE, True)
    told = await exporting.record_of(storage, THERE, secret=False)
    assert told is not None
    assert told["result"] == record.raw["result"]


async def test_nothing_is_stored_that_would_give_another_game(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_turns = records.log_of(recorded(), 1)[:3]
    monkeypatch.setattr(importing, "log_of", lambda _record, _now: without_turns)
    with pytest.raises(LastSpikeError):
        await importing.bring_in(storage, recorded(), {})
    assert await storage.logs.all_tables() == []


@pytest.mark.parametrize("path", CONFORMANCE, ids=lambda path: path.stem)
def test_each_step_holds_the_moves_and_mixed_pools_of_its_turn(path: Path) -> None:
    record = recorded(path)
    steps = records.log_of(record, 1)
    made = [happening for step in steps for happening in step.events]
    turns = [happening for happening in made if isinstance(happening, e.TurnMade)]
    assert [move for turn in turns for move in turn.moves] == record.raw["moves"]
    mixed = [order for step in steps if step.secrets for order in step.secrets.remixed]
    assert mixed == record.raw.get("remixed", [])


def text_of(*records: dict[str, Any] | str) -> io.StringIO:
    lines = [each if isinstance(each, str) else json.dumps(each) for each in records]
    return io.StringIO("\n".join(lines))


def test_each_record_of_a_file_is_read_whatever_the_others_are() -> None:
    wrong = raw_record(moves=["A1", "nonsense"])
    del wrong["result"]
    file = text_of("", raw_record(), "{", "", wrong, "[1]", raw_record(OTHER))
    found = list(importing.read_each(file))
    assert [place for place, _ in found] == [f"line {n}" for n in (2, 3, 5, 6, 7)]
    errors = [str(each) for _, each in found if isinstance(each, RecordError)]
    assert len(errors) == 3
    assert errors[0].startswith("line 3, column 2: not JSON")
    assert errors[1].startswith("line 5 moves.1: ")
    assert errors[2] == "line 6: expected a record, found […] (1)"
    assert [isinstance(each, Record) for _, each in found] == [True, False, False, False, True]


def test_one_record_may_stand_on_many_lines() -> None:
    ((place, record),) = importing.read_each(io.StringIO("\n" + json.dumps(raw_record(), indent=1)))
    assert place == ""
    assert isinstance(record, Record)
    ((_, record),) = importing.read_each(io.StringIO("\ufeff" + json.dumps(raw_record())))
    assert isinstance(record, Record)
    ((_, error),) = importing.read_each(io.StringIO('\n{"format":\n1,,}'))
    assert str(error).startswith("line 3, column 3: not JSON")


def test_a_file_that_holds_no_text_is_refused(tmp_path: Path) -> None:
    ((_, error),) = importing.read_each(io.StringIO(" \n\n"))
    assert str(error) == "the file is empty"
    path = tmp_path / "bytes"
    path.write_bytes(json.dumps(raw_record()).encode() + b"\n\xff\xfe\n")
    with path.open(encoding="utf-8") as file:
        *_, (_, error) = importing.read_each(file)
    assert str(error) == "not a UTF-8 text file"
    ((_, error),) = importing.read_each(io.StringIO("[" * 100_000))
    assert isinstance(error, RecordError)


# ---- out ------------------------------------------------------------------------------------


async def test_only_a_finished_game_leaves_without_its_secrets_being_asked_for(
    storage: Storage,
) -> None:
    over, playing, waiting = played(), played(5), Paper()
    for table_id, paper in zip("abc", (over, playing, waiting), strict=True):
        await store(storage, paper, table_id * 22)
    assert await exporting.record_of(storage, "c" * 22, secret=True) is None
    assert await exporting.record_of(storage, "c" * 22, secret=False) is None
    with pytest.raises(NotAllowed):
        await exporting.record_of(storage, "b" * 22, secret=False)
    for table_id, paper, secret in (("a", over, False), ("a", over, True), ("b", playing, True)):
        record = await exporting.record_of(storage, table_id * 22, secret)
        assert record == full_record(paper.state) | {"table": table_id * 22}
        (line,) = dump_records([record])
        ((_, read),) = importing.read_each(io.StringIO(line))
        assert isinstance(read, Record)
        assert read.shuffle == paper.state.shuffle


async def test_a_game_that_the_host_closed_stays_secret(storage: Storage) -> None:
    paper = played(5)
    paper.do(commands.close, HOST)
    paper.do(commands.agree_to_end, "a")
    assert paper.state.status == "closed"
    await store(storage, paper)
    with pytest.raises(NotAllowed):
        await exporting.record_of(storage, THERE, secret=False)
    assert await exporting.record_of(storage, THERE, secret=True) is not None


async def test_tables_are_chosen_by_id_and_status(storage: Storage) -> None:
    for table_id, paper in (("c", played()), ("a", played(5)), ("b", Paper())):
        paper.log = [step._replace(at=step.at + ord(table_id)) for step in paper.log]
        await store(storage, paper, table_id * 22)

    async def ids(*given: Any, **more: Any) -> str:
        return "".join(row.id[0] for row in await listing.chosen(storage, *given, **more))

    assert await ids() == "abc"
    assert await ids(status="over") == "c"
    assert await ids(["c" * 22, "a" * 22]) == "ac"
    assert await ids(["c" * 22, "a" * 22], "playing") == "a"
    with pytest.raises(LastSpikeError, match="there is no table x"):
        await listing.chosen(storage, ["c" * 22, "x"])


async def test_a_list_tells_who_plays_and_what_cannot_be_read(storage: Storage) -> None:
    await store(storage, played(5), "a" * 22)
    await store(storage, played(), "b" * 22)
    await storage.logs.create_table(
        Append("c" * 22, 1, 9**9, b'[{"kind":"from_the_future"}]'), False
    )
    await storage.logs.create_table(Append("d" * 22, 1, 9**9, b"[]", turn=1), False)
    found = [line async for line in listing.lines(storage, await listing.chosen(storage))]
    lines = {line.row.id[0]: line for line in found}
    assert lines["a"].players == ("Host 0", "A", "clerk")
    assert (lines["a"].turn, lines["a"].trouble) == (6, None)
    over = await exporting.record_of(storage, "b" * 22, secret=False)
    assert over is not None
    turns = sum(isinstance(each, e.TurnMade) for s in played().log for each in s.events)
    assert lines["b"].turn == turns
    assert f"table {'c' * 22} can’t be read" in str(lines["c"].trouble)
    assert await importing.games_here(storage) == {records.content_of(played().log): "b" * 22}
    with pytest.raises(listing.UnreadableLog, match="no such table"):
        await listing.state_of(storage, "e" * 22)
