"""Days of the Daily Deal: what is known when, whatever the clock says, and what nobody is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from lastspike.daily.chain import begins_ms
from lastspike.daily.deal import SEAT
from lastspike.rules.records.record import read_record
from lastspike.server.config.settings import Config, Limits
from lastspike.server.daily.chains import Chains, ends_ms
from lastspike.server.daily.results import Results
from lastspike.server.daily.scoring import DailyScoring
from lastspike.server.daily.tries import check_open, deal_table, dealt, new_try
from lastspike.server.http.app import make_app
from lastspike.server.jobs.players.player_pool import PlayerPool
from lastspike.server.live.registry import TableRegistry
from lastspike.server.people.personal_data import _mine
from lastspike.server.storage import PersonRow, SessionRow, Storage
from lastspike.server.storage.queries.daily import TryRow
from lastspike.server.storage.rows import to_append
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.errors import Conflict, NotAllowed, NotFound
from lastspike.server.table.now import now_ms
from lastspike.server.table.records import anonymous_record, finished_record, full_record
from lastspike.server.table.state import TableState, replay
from lastspike.server.table.views import Viewer, encode, game_view, steps_for, table_info

pytestmark = pytest.mark.anyio

DAY = date(2026, 11, 19)
NOON = begins_ms(DAY) + 43_200_000
MS = 86_400_000
ADA = PersonRow("ada", "Ada")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[Storage]:
    storage = Storage(f"sqlite+aiosqlite:///{path / 'days.db'}")
    await storage.open()
    try:
        yield storage
    finally:
        await storage.close()


async def test_a_deal_is_known_when_its_day_begins_and_published_when_it_ends(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as storage:
        now = NOON
        chains = Chains(storage, "own", now=lambda: now)
        yesterday, tomorrow = DAY - timedelta(days=1), DAY + timedelta(days=1)
        link = await chains.link_to_play(DAY)
        with pytest.raises(NotFound):
            await chains.link_to_play(tomorrow)
        with pytest.raises(NotAllowed):
            await chains.revealed(DAY)
        chain = await chains.chain()
        assert chain.holds(yesterday, await chains.revealed(yesterday))
        assert await chains.commitment(DAY) == await chains.revealed(yesterday)
        now = ends_ms(DAY) - 1
        with pytest.raises(NotAllowed):
            await chains.revealed(DAY)
        now = ends_ms(DAY)
        assert await chains.revealed(DAY) == link
        # The chain outlives its server, and no two servers have the same.
        assert await Chains(storage, "own", now=lambda: now).chain() == chain
        (tmp_path / "other").mkdir()
        async with opened(tmp_path / "other") as other:
            assert await Chains(other, "own", now=lambda: now).chain() != chain
        # Those that name the public chain share it.
        public = [await Chains(storage, "public", now=lambda: now).anchor() for _ in range(2)]
        assert public[0] == public[1] != chain.anchor.hex()
        with pytest.raises(NotFound):
            await Chains(storage, "off", now=lambda: now).anchor()


async def test_a_computer_plays_on_when_the_day_is_over(tmp_path: Path) -> None:
    async with opened(tmp_path) as storage:
        now = now_ms() - MS  # yesterday, seen from the tables, whose clock is the real one
        chains = Chains(storage, "own", now=lambda: now)
        registry = TableRegistry(storage)
        scoring = DailyScoring(storage, registry, chains)
        await _person(storage)
        row = await storage.daily.begin(await new_try(chains, ADA, chains.today(), "t" * 22))
        again = await storage.daily.begin(await new_try(chains, ADA, chains.today(), "u" * 22))
        assert again == row, "a second ranked try"
        draft = await dealt(chains, row, "Ada")
        await storage.logs.create_table(
            to_append(row.table_id, draft.step(1, now), draft.index), False
        )
        table = await registry.table(row.table_id)
        with pytest.raises(Conflict, match="day is over"):
            commands.make_turn(table.state, "ada", 1, [])
        await scoring.end_past_days()
        assert not table.state.seats[SEAT].for_good
        now += MS
        await scoring.end_past_days()
        assert table.state.seats[SEAT].for_good
        assert await chains.commitment(chains.today()) == await chains.revealed(
            chains.today() - timedelta(days=1)
        )


async def test_streaks_count_ranked_days(tmp_path: Path) -> None:
    async with opened(tmp_path) as storage:
        chains = Chains(storage, "own", now=lambda: NOON)
        await _person(storage)
        anchor = await chains.anchor()
        for back, ranked in ((0, True), (1, True), (2, False), (3, True), (4, True), (5, True)):
            day = (DAY - timedelta(days=back)).isoformat()
            row = TryRow(f"{back}" * 22, "ada", anchor, day, ranked, NOON)
            await storage.daily.begin(row)
            await storage.daily.keep(row.table_id, 1.0 + back, 1.0, False, b"")
        results = Results(storage, TableRegistry(storage), chains)
        assert await results.streaks("ada") == (2, 3)
        await storage.daily.set_listed("ada", True)
        lists = await results.lists("ada")
        assert [(line.name, line.points, line.days) for line in lists.today] == [("Ada", 1.0, 1)]
        public = Results(storage, TableRegistry(storage), Chains(storage, "public"))
        assert (await public.lists("ada")).today == []


async def test_ranked_tries_are_scored_first_and_then_people_take_turns(tmp_path: Path) -> None:
    async with opened(tmp_path) as storage:
        chains = Chains(storage, "own", now=lambda: NOON)
        for number, who in enumerate(("ada", "bob", "cay")):
            session = SessionRow(bytes([number]) * 32, NOON, NOON + MS, NOON)
            await storage.persons.add(who, who.title(), session)

        async def finish(table: str, who: str, ranked: bool = False) -> None:
            anchor = await chains.anchor()
            begun = NOON + len(finished)
            row = TryRow(table * 22, who, anchor, DAY.isoformat(), ranked, begun)
            draft = await dealt(chains, await storage.daily.begin(row), who)
            assert draft.index is not None
            over = draft.index._replace(status="over")
            await storage.logs.create_table(
                to_append(row.table_id, draft.step(1, NOON), over), False
            )
            finished.append(table)

        async def scored() -> str:
            (row,) = await storage.daily.unscored(NOON, 1)
            assert await storage.daily.claim(row.table_id, NOON + 99 + len(order), NOON)
            await storage.daily.keep(row.table_id, 1.0, 1.0, False, b"")
            order.append(row.table_id[0])
            return order[-1]

        finished: list[str] = []
        order: list[str] = []
        for table in "1234":
            await finish(table, "ada")
        await finish("b", "bob")
        await finish("c", "cay", ranked=True)
        assert [await scored() for _ in range(4)] == ["c", "1", "b", "2"]
        # Whoever was scored long ago comes before whoever was just scored, however late they are.
        await finish("d", "cay")
        assert [await scored() for _ in range(3)] == ["d", "3", "4"]


async def test_lists_read_the_best_now_and_then_and_my_own_line_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lastspike.server.daily.results.MOST_LISTED", 3)
    async with opened(tmp_path) as storage:
        chains = Chains(storage, "own", now=lambda: NOON)  # a Thursday
        anchor, read = await chains.anchor(), []
        for number, who in enumerate("abcdef"):
            session = SessionRow(bytes([number]) * 32, NOON, NOON + MS, NOON)
            await storage.persons.add(who, who.upper(), session)
            await storage.daily.set_listed(who, who < "e")
            for back in range(4 - number % 2 * 2):
                day = (DAY - timedelta(days=back)).isoformat()
                row = TryRow(f"{who}{back}" * 11, who, anchor, day, True, NOON)
                await storage.daily.begin(row)
                await storage.daily.keep(row.table_id, 10.0 * number - back, 1.0, False, b"")
        best = storage.daily.best_scores

        async def counted(*asked: Any) -> Any:
            read.append(await best(*asked))
            return read[-1]

        monkeypatch.setattr(storage.daily, "best_scores", counted)
        results = Results(storage, TableRegistry(storage), chains)

        async def names(viewer: str | None) -> tuple[str, str]:
            lists = await results.lists(viewer)
            return "".join(line.name for line in lists.today), "".join(
                line.name for line in lists.week
            )

        assert await names("a") == ("DCB", "CA")
        assert [{row.person_id for row in rows} for rows in read] == [set("bcd"), set("ac")]
        await storage.daily.set_listed("f", True)
        await storage.daily.set_listed("d", False)
        assert await names("f") == ("FCB", "CA")
        assert await names("d") == await names(None) == ("CB", "CA")
        assert len(read) == 2, "the lists were read again"
        results._lists_until = 0.0
        assert await names(None) == ("FCB", "CA")
        mine = (await results.lists("c")).week[0]
        assert (mine.me, mine.points, mine.days) == (True, 18.5, 4)


async def test_a_calendar_is_bounded_and_keeps_ranked_tries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lastspike.server.daily.results.MOST_TRIES", 3)
    async with opened(tmp_path) as storage:
        chains = Chains(storage, "own", now=lambda: NOON)
        await _person(storage)
        anchor = await chains.anchor()
        tries = [(40, True), (20, True), (3, False), (5, False), (1, False), (2, True)]
        for number, (back, ranked) in enumerate(tries):
            day = (DAY - timedelta(days=back)).isoformat()
            await storage.daily.begin(
                TryRow(f"{number}" * 22, "ada", anchor, day, ranked, NOON + number)
            )
        results = Results(storage, TableRegistry(storage), chains)
        shown = (await results.calendar("ada")).tries
        assert [each.table[0] for each in shown] == ["4", "5", "1"]


def test_what_a_player_cannot_see_changes_no_byte() -> None:
    """The others' hands, the pool and the link differ; all that the player is sent is the same."""
    marked = e.DailyDealt(DAY.isoformat(), 31, "00" * 32, True, ends_ms(DAY))
    draft = deal_table(b"l" * 32, marked, "ada", "Ada")
    step = draft.step(1, NOON)
    secrets = step.secrets
    assert secrets is not None
    assert secrets.deal is not None
    hands, pool = secrets.deal.hands, secrets.deal.pool
    swapped = [hands[0], hands[1][:3] + pool[:1], hands[3], hands[2]]
    other = msgspec.structs.replace(
        secrets,
        seed="22" * 32,
        deal=msgspec.structs.replace(secrets.deal, hands=swapped, pool=[*pool[:0:-1], hands[1][3]]),
    )
    one, two = (replay("t" * 22, [each]) for each in (step, step._replace(secrets=other)))
    assert _told(one, step, Viewer(SEAT, True)) == _told(two, step, Viewer(SEAT, True))
    assert _told(one, step, Viewer(1, True)) != _told(two, step, Viewer(1, True))
    told = _told(one, step, Viewer(SEAT, True))
    assert secrets.seed is not None
    assert secrets.seed.encode() not in told


def test_only_its_person_sees_a_ranked_game_while_the_day_lasts() -> None:
    ends = now_ms() + MS
    for ranked in (True, False):
        marked = e.DailyDealt(DAY.isoformat(), 31, "00" * 32, ranked, ends)
        state = replay("t" * 22, [deal_table(b"l" * 32, marked, "ada", "Ada").step(1, NOON)])
        check_open(state, "ada")
        assert not state.closed_to("bob", ends)
        for other in ("bob", None):
            assert state.closed_to(other, ends - 1) == ranked
            if ranked:
                with pytest.raises(NotAllowed):
                    check_open(state, other)


def test_the_record_of_a_ranked_game_has_its_shuffle_when_the_day_is_over() -> None:
    link, now = b"l" * 32, now_ms()
    for ranked, ends, kept in ((True, now + MS, False), (True, now, True), (False, now + MS, True)):
        marked = e.DailyDealt(DAY.isoformat(), 31, "00" * 32, ranked, ends)
        state = replay("t" * 22, [deal_table(link, marked, "ada", "Ada").step(1, NOON)])
        state.status = "over"
        _, exported = _mine(state, "ada")
        for record in (finished_record(state), anonymous_record(state), exported):
            assert record is not None
            assert (link.hex() in str(record)) == kept
            assert record.get("shuffle_from") == (None if kept else ends)
            shuffle = read_record(record).shuffle
            assert (shuffle is not None and shuffle.seed == link) == kept
        assert link.hex() in str(full_record(state))


def _told(state: TableState, step: e.Step, viewer: Viewer) -> bytes:
    told: list[Any] = [steps_for(state, [step], viewer), table_info(state)]
    return encode([*told, game_view(state, viewer.seat)])


async def _person(storage: Storage) -> None:
    await storage.persons.add("ada", "Ada", SessionRow(b"s" * 32, NOON, NOON + MS))


def test_past_deals_are_paid_for_with_the_cpu_time_of_reviews(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(_self: object) -> None:
        """No computer has to play, and nothing is scored."""

    monkeypatch.setattr(PlayerPool, "start", nothing)
    monkeypatch.setattr(DailyScoring, "run", nothing)
    limits = Limits(job_seconds_per_address_per_hour=12)
    config = Config(f"sqlite+aiosqlite:///{tmp_path / 'paid.db'}", limits=limits)
    with TestClient(make_app(config)) as client:
        days = client.get("/api/daily/calendar").json()["days"]

        def play(day: str) -> int:
            return client.post(f"/api/daily/{day}", json={"name": "Ada"}).status_code

        assert [play(day) for day in days[1:5]] == [201, 201, 429, 429]
        assert play(days[0]) == 201, "a ranked try costs nothing"
