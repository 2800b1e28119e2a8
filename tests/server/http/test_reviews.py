"""Reviews through the server: begun by asking, kept with the game, once for all workers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from lastspike.client import Person, play_to_end
from lastspike.languages import LANGUAGES
from lastspike.server.config.settings import Config, Limits
from lastspike.server.http.app import make_app
from lastspike.server.jobs import job_queue
from lastspike.server.jobs.fair_queue import FairQueue
from lastspike.server.storage import SessionRow, Storage
from lastspike.server.table.errors import TooMany
from tests.server.admin.operating import KEY, KEY_HASH
from tests.server.company import FAST, KINDS, server_on
from tests.server.paper import Paper
from tests.server.records.test_importing import store
from tests.server.running import RunningServer
from tests.server.siege import sqlite_in

from .measured_app import MeasuredApp, measured

pytestmark = pytest.mark.anyio

RECORD = Path("tests/conformance/036-double-empty-pool-n4-shuffle-standard.json")
PATIENCE = 120


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    with server_on(request, limits={"review_playouts": 400}) as running:
        yield running


async def reviewed(server: RunningServer, path: str, body: Any = None) -> dict[str, Any]:
    """Ask, follow the progress that the server pushes, and ask again when it ends."""
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as http:
        async with asyncio.timeout(PATIENCE):
            seen = [-1.0]
            while True:
                answer = await http.post(path, json=body)
                assert answer.status_code == 201, answer.text
                state = answer.json()
                if state["found"] is not None:
                    assert sorted(seen) == seen
                    return dict(state["found"])
                seen += await followed(http, state["job"])


async def followed(http: httpx.AsyncClient, job: str) -> list[float]:
    """The progress that is pushed until the stream ends."""
    seen = []
    async with http.stream("GET", f"/api/jobs/{job}/progress") as stream:
        assert stream.status_code == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        event = "message"
        async for line in stream.aiter_lines():
            name, _, value = line.partition(": ")
            if name == "event":
                event = value
            elif name == "data" and event == "message":
                seen.append(float(value))
    assert all(0 <= each <= 1 for each in seen)
    return seen


async def test_a_game_is_reviewed_once_and_the_review_is_kept(server: RunningServer) -> None:
    async with Person(server.url, "Ada", patience=60) as ada:
        table_id = await ada.create(["me", "greenhorn"], FAST)
        path = f"/api/tables/{table_id}/review"
        async with ada.watch(table_id) as table:
            await table.ready()
            await table.until(lambda table: table.view is not None)
            async with httpx.AsyncClient(base_url=server.url) as http:
                early = await http.post(path)
            assert early.status_code == 409  # never while it is played
            await play_to_end(table, patience=60)
            record = await ada.record(table_id)
        first, second = await asyncio.gather(reviewed(server, path), reviewed(server, path))
        assert first == second
        assert first["result"]["cash"] == record["result"]["cash"]
        assert first["players"] == 2
        server.restart()
        async with httpx.AsyncClient(base_url=server.url, timeout=30) as http:
            again = (await http.post(path)).json()
        assert (again["progress"], again["found"]) == (1.0, first)  # at once: it was kept


async def test_a_recorded_game_is_reviewed_in_every_language(server: RunningServer) -> None:
    record = json.loads(RECORD.read_text("utf-8"))
    found = await reviewed(server, "/api/records/review", {"record": record})
    assert found["result"]["cash"] == record["result"]["cash"]
    for turn in found["turns"]:
        assert ("words" in turn) == (turn["judgement"]["loss"] is not None)
        if "words" in turn:
            assert set(turn["words"]) == set(LANGUAGES)


async def test_a_quick_review_is_there_at_once_and_kept(server: RunningServer) -> None:
    async with Person(server.url, "Ada", patience=60) as ada:
        table_id = await ada.create(["me", "clerk", "clerk", "clerk"], FAST)
        path = f"/api/tables/{table_id}/review?quick=true"
        async with ada.watch(table_id) as table:
            await table.ready()
            await table.until(lambda table: table.view is not None)
            async with httpx.AsyncClient(base_url=server.url) as http:
                early = await http.post(path)
            assert early.status_code == 409  # nothing is told of a game that is played
            assert "chances" not in early.text
            await play_to_end(table, patience=60)
        first, second = await asyncio.gather(reviewed(server, path), reviewed(server, path))
        assert first == second
        assert first["turns"] == []
        assert len(first["luck"]) == 4
        server.restart()
        async with httpx.AsyncClient(base_url=server.url, timeout=30) as http:
            again = (await http.post(path)).json()
            assert (again["progress"], again["found"]) == (1.0, first)
        # Once the full review is known, it answers for both.
        full = await reviewed(server, f"/api/tables/{table_id}/review")
        assert full["turns"]
        assert set(full) == set(first)
        assert await reviewed(server, path) == full


async def test_a_record_has_a_quick_review_too(server: RunningServer) -> None:
    record = json.loads(RECORD.read_text("utf-8")) | {"table": "quick"}
    found = await reviewed(server, "/api/records/review", {"record": record, "quick": True})
    assert found["turns"] == []
    full = await reviewed(server, "/api/records/review", {"record": record})
    assert full["turns"]
    again = await reviewed(server, "/api/records/review", {"record": record, "quick": True})
    assert again == full


async def test_a_quick_job_does_not_wait_for_a_long_one() -> None:
    work = job_queue.JobQueue()
    await work.start()
    record = json.loads(RECORD.read_text("utf-8"))
    try:
        long = {
            "kind": "review",
            "record": record,
            "names": [""] * 4,
            "seed": "",
            "playouts": 10**6,
        }
        slow = work.ask("long", long)
        quick = work.ask("quick", {"kind": "quick", "record": record, "seed": ""}, quick=True)
        async with asyncio.timeout(PATIENCE):
            async for _ in quick.updates():
                pass
        assert quick.found is not None
        assert not slow.done
    finally:
        await work.close()


async def test_what_is_no_finished_game_is_refused(server: RunningServer) -> None:
    record = json.loads(RECORD.read_text("utf-8"))
    begun = {**record, "moves": record["moves"][:4]}
    del begun["result"]
    async with httpx.AsyncClient(base_url=server.url) as http:
        records: list[dict[str, Any]] = [begun, {**record, "moves": ["Q9"]}, {}]
        for bad in records:
            for quick in (False, True):
                asked = {"record": bad, "quick": quick}
                answer = await http.post("/api/records/review", json=asked)
                assert answer.status_code in (400, 409), answer.text
                assert answer.json()["message"]
        assert (await http.post(f"/api/tables/{'x' * 22}/review")).status_code == 404


async def test_who_died_at_it_is_relieved(sqlite_url: str) -> None:
    storage = Storage(sqlite_url)
    await storage.open()
    try:
        paper = Paper(("me", "clerk"))
        paper.start()
        await store(storage, paper, "t" * 22)
        assert await storage.reviews.begin("t" * 22, 1000, 0)
        assert not await storage.reviews.begin("t" * 22, 2000, 900)
        assert await storage.reviews.begin("t" * 22, 3000, 1001)
        await storage.reviews.keep("t" * 22, b"{}")
        assert not await storage.reviews.begin("t" * 22, 9_000_000, 8_000_000)
    finally:
        await storage.close()


async def test_a_job_that_fails_says_so_and_can_be_asked_for_again() -> None:
    work = job_queue.JobQueue()
    await work.start()
    try:
        for _ in range(2):
            job = work.ask("key", {"kind": "nothing of the sort"})
            async with asyncio.timeout(PATIENCE):
                assert [progress async for progress in job.updates()] == [0.0]
            assert "couldn’t be computed; try again" in str(job.problem)
    finally:
        await work.close()


async def test_progress_is_pushed_as_it_happens() -> None:
    job = job_queue.Job({}, None, None)
    seen: list[float] = []

    async def follow() -> None:
        seen.extend([progress async for progress in job.updates()])

    following = asyncio.create_task(follow())
    for progress in (0.25, 0.5):
        await asyncio.sleep(0)
        job.progress = progress
        job.notify()
    await asyncio.sleep(0)
    job.found = {"anything": True}
    job.notify()
    await following
    assert seen == [0.0, 0.25, 0.5]


async def test_a_job_that_nobody_knows_has_no_progress(server: RunningServer) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as http:
        assert await followed(http, "of-nobody") == []


async def test_there_is_an_end_to_what_waits() -> None:
    work = job_queue.JobQueue()  # not started: nothing is taken from the queue
    for number in range(job_queue.MOST_EACH):
        work.ask(str(number), {"kind": "review"}, caller="a")
    assert work.ask("0", {"kind": "review"}, caller="a") is work.get("0")
    with pytest.raises(TooMany):
        work.ask("one more", {"kind": "review"}, caller="a")
    assert work.get("one more") is None
    work.ask("of another", {"kind": "review"}, caller="b")


async def test_callers_take_turns() -> None:
    queue = FairQueue[str](100, 3)
    for item in ("a1", "a2", "a3", "b1", "c1", "b2"):
        queue.put(item[0], item)
    assert [await queue.get() for _ in range(6)] == ["a1", "b1", "c1", "a2", "b2", "a3"]
    waiting = asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    queue.put("d", "d1")
    assert await waiting == "d1"


async def test_results_in_memory_have_a_limit_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    async def compute(job: job_queue.Job) -> str:
        job.size = 400
        return "found"

    monkeypatch.setattr(job_queue, "_compute", compute)
    monkeypatch.setattr(job_queue, "KEPT_BYTES", 1000)
    work = job_queue.JobQueue()
    await work.start()
    try:
        for key in "abcd":
            async for _ in work.ask(key, {"kind": "study"}).updates():
                pass
    finally:
        await work.close()
    assert [key for key in "abcd" if work.get(key)] == ["c", "d"]


class Reviewing:
    """The app with jobs that are queued and never run."""

    def __init__(self, app: MeasuredApp) -> None:
        self.app = app
        self.record = json.loads(RECORD.read_text("utf-8"))

    async def status(self, record: dict[str, Any], **more: Any) -> int:
        answer = await self.app.ask("POST", "/api/records/review", {"record": record, **more})
        return answer.status

    async def job(self, record: dict[str, Any]) -> str:
        answer = await self.app.ask("POST", "/api/records/review", {"record": record})
        assert answer.status == 201, answer
        return str(answer.json["job"])


@asynccontextmanager
async def reviewing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **limits: Any
) -> AsyncIterator[Reviewing]:
    async def never(_job: job_queue.Job) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(job_queue, "_compute", never)
    config = Config(sqlite_in(tmp_path), player_processes=1, limits=Limits(**limits))
    async with measured(make_app(config)) as app:
        yield Reviewing(app)


async def test_the_same_game_is_the_same_review_whatever_else_its_record_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with reviewing(tmp_path, monkeypatch) as asked:
        first = await asked.job(asked.record)
        assert await asked.job(asked.record | {"note": "x" * 100}) == first
        assert await asked.job(asked.record | {"created": 7, "table": "else"}) == first
        assert await asked.job(dict(reversed(asked.record.items()))) == first
        assert await asked.job(asked.record | {"players": [{"name": "Ada"}] * 4}) != first


async def test_an_address_has_a_budget_of_cpu_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = {"job_seconds_per_address_per_hour": 65}
    async with reviewing(tmp_path, monkeypatch, **budget) as asked:
        named = [asked.record | {"players": [{"name": name}] * 4} for name in "ABCD"]
        assert [await asked.status(each) for each in named] == [201, 201, 429, 429]
        assert await asked.status(named[0]) == 201  # it is under way, and costs nothing more
        assert await asked.status(named[2], quick=True) == 201


async def test_a_refused_review_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = Storage(sqlite_in(tmp_path))
    await storage.open()
    paper = Paper(("me", "clerk"))
    paper.start()
    paper.play()
    await store(storage, paper, "t" * 22)
    path = f"/api/tables/{'t' * 22}/review"
    async with reviewing(tmp_path, monkeypatch, job_seconds_per_address_per_hour=35) as asked:
        assert await asked.status(asked.record) == 201
        for _ in range(2):
            assert (await asked.app.ask("POST", path)).status == 429
            assert await storage.reviews.get("t" * 22) is None
    monkeypatch.setattr(job_queue, "MOST_EACH", 0)  # no room
    async with reviewing(tmp_path, monkeypatch) as asked:
        assert (await asked.app.ask("POST", path)).status == 429
        assert await storage.reviews.get("t" * 22) is None
    await storage.close()


async def test_a_review_names_nobody_as_they_were_called_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even one that is still in memory when the operator renames somebody."""

    async def named(job: job_queue.Job) -> Any:
        return {"names": job.request["names"]}

    storage = Storage(sqlite_in(tmp_path))
    await storage.open()
    paper = Paper(("me", None))
    paper.sit("eve")
    paper.start()
    paper.play()
    await store(storage, paper, "t" * 22)
    await storage.persons.add("eve", "EVE", SessionRow(b"s", 1, 2, 1))
    await storage.close()
    monkeypatch.setattr(job_queue, "_compute", named)
    often = Limits(requests_per_minute=1_000_000)  # it asks without a pause
    config = Config(sqlite_in(tmp_path), player_processes=1, limits=often, admin_key_hash=KEY_HASH)
    async with measured(make_app(config)) as app:

        async def names() -> Any:
            while True:
                state = (await app.ask("POST", f"/api/tables/{'t' * 22}/review")).json
                if state["found"] is not None:
                    return state["found"]["names"]
                await asyncio.sleep(0)

        assert await names() == ["Host 0", "EVE"]
        told, key = {"name": "Ada", "reason": "?"}, {"authorization": f"Bearer {KEY}"}
        answer = await app.ask("POST", "/api/admin/persons/eve/rename", told, **key)
        assert answer.status == 200
        assert await names() == ["Host 0", "Ada"]


async def test_a_failed_review_leaves_nothing_behind(sqlite_url: str) -> None:
    storage = Storage(sqlite_url)
    await storage.open()
    try:
        await store(storage, Paper(("me", "clerk")), "t" * 22)
        assert await storage.reviews.begin("t" * 22, 1000, 0)
        await storage.reviews.release("t" * 22)
        assert await storage.reviews.get("t" * 22) is None
        assert await storage.reviews.begin("t" * 22, 1001, 0)
        await storage.reviews.keep("t" * 22, b"{}")
        await storage.reviews.release("t" * 22)
        assert (await storage.reviews.get("t" * 22)) is not None
    finally:
        await storage.close()
