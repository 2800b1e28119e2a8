"""The server in a browser: the same tables, with everything stored in one place."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from lastspike.rules.records.record import read_record
from lastspike.server.storage.rows import PersonRow

from .page import MemoryShelf, Page, Socket

pytestmark = pytest.mark.anyio

HEAVY = ("litestar", "sqlalchemy", "numpy", "uvicorn", "prometheus_client", "multiprocessing")


async def test_a_game_against_computers_survives_a_reload() -> None:
    shelf = MemoryShelf()
    page = Page(shelf)
    await page.backend.start()
    assert (await page.ask("GET", "api/me/tables"))["tables"] == []
    table = await page.table(["me", "greenhorn", "clerk"])
    socket = Socket(page, table)
    await socket.begin()
    await socket.play(5)
    steps = len(shelf.log[table])
    await page.backend.stop()

    page = Page(shelf)
    await page.backend.start()
    again = Socket(page, table)
    await page.until(lambda: again.told)
    assert again.told[0]["steps"][-1]["number"] >= steps
    await again.play(1000)
    record = await page.ask("GET", f"api/tables/{table}/record")
    game = read_record(record).game
    assert game.over
    assert record["shuffle"]["contributions"]
    [listed] = (await page.ask("GET", "api/me/tables"))["tables"]
    assert (listed["status"], listed["mine"]) == ("over", [0])
    history = await page.ask("GET", "api/me/history")
    assert [past["table"] for past in history["games"]] == [table]
    new = (await page.ask("POST", f"api/tables/{table}/rematch"))["table"]
    assert (await page.ask("POST", f"api/tables/{table}/rematch"))["table"] == new
    assert len(shelf.log[new]) == 1
    watched = await page.ask("POST", "api/records", record)
    assert watched["table"]["status"] == "over"
    wanted = {"name": "Ada", "record": record, "turns": 9, "seat": 0, "level": "surveyor"}
    other = (await page.ask("POST", "api/records/play-on", wanted))["table"]
    assert (await page.ask("GET", f"api/tables/{other}"))["status"] == "playing"
    await page.ask("DELETE", "api/me")
    assert (shelf.log, shelf.entries, shelf.values) == ({}, {}, {})
    await page.backend.stop()


async def test_computers_play_on_before_anybody_opens_the_table() -> None:
    shelf = MemoryShelf()
    page = Page(shelf)
    await page.backend.start()
    table = await page.table(["me", "clerk", "clerk"], pace=300)
    socket = Socket(page, table)
    await socket.begin()
    await socket.play(1)
    await page.backend.stop()
    shelf.appended.clear()
    page = Page(shelf)
    await page.backend.start()
    async with asyncio.timeout(20):
        await shelf.appended.wait()
    await page.backend.stop()


async def test_a_turn_that_could_not_be_saved_has_not_been_made() -> None:
    shelf = MemoryShelf()
    page = Page(shelf)
    await page.backend.start()
    table = await page.table(["me", "clerk"])
    socket = Socket(page, table, language="fr")
    await socket.begin()
    await socket.play(1)
    await page.until(socket._my_view)
    before = list(shelf.log[table])
    view = socket.view
    assert view is not None
    shelf.full = True
    answer = await socket.ask(type="turn", turn=view["number"], moves=view["legal"][:1])
    assert answer["type"] == "refused"
    assert answer["problem"]["message"].startswith("Ce navigateur")
    wanted = {"name": "Ada", "seats": ["me", "clerk"]}
    assert (await page.refused("POST", "api/tables/", wanted))[0] == 503
    assert shelf.log == {table: before}
    assert socket.view == view
    shelf.full = False
    await socket.play(2)
    assert len(shelf.log[table]) > len(before)
    await page.backend.stop()


async def test_pass_and_play_shows_one_hand_at_a_time() -> None:
    page = Page(MemoryShelf())
    await page.backend.start()
    names = {"name": "Ada", "names": {"0": "Ada", "1": "Bob"}, "seats": ["me", "me"]}
    made = await page.ask("POST", "api/tables/", {**names, "settings": {}})
    socket = Socket(page, made["table"])
    await socket.begin()
    dealt = socket.view
    assert dealt is not None
    assert dealt["hands"] == [None, None]
    turn = dealt["turn"]
    socket.send(type="look", seat=turn)
    shown = await page.until(lambda: socket.view if socket.view != dealt else None)
    assert [seat for seat, hand in enumerate(shown["hands"]) if hand] == [turn]
    await socket.play(1)
    assert socket.view is not None
    assert socket.view["hands"] == [None, None]
    hint = await socket.ask(type="hint", moves=[])
    assert hint["problem"]["template"] == "look at your hand first"
    socket.send(type="look", seat=1 - turn)
    hint = await socket.ask(type="hint", moves=[])
    assert (hint["type"], hint["level"]) == ("hinted", "speculator")
    assert hint["moves"]
    assert hint["words"]
    await page.backend.stop()


async def test_what_is_wrong_is_refused_as_a_server_does() -> None:
    page = Page(MemoryShelf())
    await page.backend.start()
    assert (await page.refused("POST", "api/tables/", {"name": "Ada"}))[0] == 400
    wanted = {"name": "Ada", "seats": ["me", "tycoon"]}
    status, problem = await page.refused("POST", "api/tables/", wanted, "ja")
    assert status == 404
    assert problem["facts"]["known"] == ["greenhorn", "clerk", "surveyor", "speculator"]
    status, problem = await page.refused("GET", "api/studies")
    assert (status, problem["template"]) == (404, "there is nothing here")
    found = await page.ask("POST", "api/editions/check", {"toml": "id = 1"})
    assert found["problem"]["path"]
    missing = Socket(page, "t" * 22)
    await page.until(lambda: missing.number in page.closed)
    assert page.closed[missing.number] == 4004
    assert missing.told[0]["type"] == "refused"
    table = await page.table(["me", "clerk"])
    rude = Socket(page, table)
    rude.send(type="hello")
    page.backend.receive(rude.number, "{")
    await page.until(lambda: len(rude.told) >= 3)
    assert [told["type"] for told in rude.told] == ["welcome", "refused", "refused"]
    await page.backend.stop()


async def test_a_person_keeps_their_name() -> None:
    shelf = MemoryShelf()
    page = Page(shelf)
    await page.backend.start()
    assert (await page.refused("GET", "api/me"))[0] == 403
    me = await page.ask("POST", "api/me", {"name": "Ada"})
    await page.ask("POST", "api/me", {"name": "Ada L"})
    await page.backend.stop()
    page = Page(shelf)
    await page.backend.start()
    assert await page.ask("GET", "api/me") == {"person": me["person"], "name": "Ada L"}
    assert PersonRow(me["person"], "Ada L") == page.backend._store.person
    await page.backend.stop()


@pytest.mark.parametrize("module", ["lastspike.server.offline.backend"])
def test_it_needs_nothing_that_a_browser_does_not_have(module: str) -> None:
    loaded = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    run = subprocess.run((sys.executable, "-c", loaded), check=True, capture_output=True, text=True)
    names = set(run.stdout.split())
    assert "msgspec" in names
    assert names.isdisjoint(HEAVY)
