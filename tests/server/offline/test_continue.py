"""A game that was begun in a browser goes on elsewhere, by what `play_on` takes."""

from __future__ import annotations

import msgspec
import pytest

from lastspike import protocol as p

from .page import MemoryShelf, Page, Socket

pytestmark = pytest.mark.anyio

SAME = ("track", "cash", "hands", "turn", "number", "legal", "owners", "land", "pool")


async def test_a_running_game_goes_on_elsewhere_where_it_stood() -> None:
    page = Page(MemoryShelf())
    await page.backend.start()
    table = await page.table(["greenhorn", "me", "surveyor"])
    path = f"api/tables/{table}/continue"
    assert (await page.refused("GET", path))[0] == 409
    socket = Socket(page, table)
    await socket.begin()
    await socket.play(4)
    mine = await page.until(socket._my_view)
    game = await page.ask("GET", path)
    assert (game["seat"], game["level"]) == (1, "surveyor")
    assert msgspec.convert({"name": "Bob", **game}, p.PlayOn).turns == mine["number"] - 1
    await page.backend.stop()

    elsewhere = Page(MemoryShelf())
    await elsewhere.backend.start()
    made = await elsewhere.ask("POST", "api/records/play-on", {"name": "Bob", **game})
    other = Socket(elsewhere, made["table"])
    found = await elsewhere.until(other._my_view)
    shared = [key for key in SAME if key in mine]
    assert len(shared) > 4
    assert {key: found[key] for key in shared} == {key: mine[key] for key in shared}
    await other.play(1000)
    assert (await elsewhere.refused("GET", f"api/tables/{made['table']}/continue"))[0] == 409
    await elsewhere.backend.stop()
