"""Nothing leaked: every byte that any viewer is sent before a game is over, looked at.

Whole games are played over real sockets through wiretaps, and everything that was sent is held
against the truth in the log. And the same decisions are made in two worlds that differ only in what
a viewer can't see: every byte for this viewer must be the same.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import astuple

from lastspike import protocol as p
from lastspike.bots.levels import make_player
from lastspike.client import Person, RefusedError, Table
from lastspike.client.playing import play_turn
from lastspike.server.storage import Storage
from lastspike.server.table import log_events as e
from lastspike.server.table.state import TableState, to_stored_deal

from .accounts import TILE, Truth, no_secret_in
from .listened import OPTIONS, Listened
from .running import RunningServer, running_server
from .strangers import line
from .worlds import NOW, SPECTATOR, Swap, World, unseen_swap, world

SOAK = bool(os.environ.get("LASTSPIKE_SOAK"))
GAMES = 1000 if SOAK else 5
AT_ONCE = 5


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    file = tmp_path_factory.mktemp("leaks") / "leaks.db"
    url = f"sqlite+aiosqlite:///{file}"
    with running_server(url, public_list=True, log_level="debug") as running:
        yield running


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, GAMES, AT_ONCE))
def test_every_byte_sent_before_the_end_of_a_game(server: RunningServer, first: int) -> None:
    async def games() -> list[Listened]:
        numbers = range(first, first + AT_ONCE)
        return await asyncio.gather(*(Listened(server.url, number).play() for number in numbers))

    before = len(server.log)
    played = asyncio.run(games())
    log = server.log[before:]
    assert not TILE.search(log)
    for game, truth in zip(played, asyncio.run(truths(server, played)), strict=True):
        assert game.check(truth) > 30
        no_secret_in(log.encode(), truth, "the log")
        assert game.table_id not in log


async def truths(server: RunningServer, games: Sequence[Listened]) -> list[Truth]:
    storage = Storage(server.database_url)
    await storage.open()
    try:
        return [Truth(game.table_id, await storage.logs.steps(game.table_id)) for game in games]
    finally:
        await storage.close()


def test_round_one_device_a_hand_is_shown_to_who_asks_and_hidden_when_its_turn_ends(
    server: RunningServer,
) -> None:
    async def game() -> None:
        async with Person(server.url, "Ada") as ada, Person(server.url, "Bob") as bob:
            table_id = await ada.create(["me", "me", None], p.Settings(pace=0))
            await bob.take_seat(table_id)
            async with ada.watch(table_id) as table, bob.watch(table_id) as other:
                await asyncio.gather(table.ready(), other.ready())
                for each in (table, other):
                    await each.until(lambda each: each.view)
                turns = 1
                while turns < 8:
                    assert table.view is not None
                    assert table.looking is None
                    assert table.view["hands"] == [None, None, None]
                    assert table.view["legal"] == []
                    if other.my_turn:
                        await play_turn(other)
                    else:
                        await table.until(lambda table: table.my_turn)
                        with pytest.raises(RefusedError, match="Look at your hand first"):
                            await table.preview([])
                        with pytest.raises(RefusedError, match="not your seat"):
                            await table.look(2)
                        seat = table.to_move
                        await table.look(seat)
                        shown = [each is not None for each in table.view["hands"]]
                        assert shown == [each == seat for each in range(3)]
                        await play_turn(table)
                    turns += 1
                    for each in (table, other):
                        await each.until(partial(_at_turn, turns))

    asyncio.run(game())


def test_a_hint_that_is_found_when_the_hand_is_hidden_again_is_not_told(
    server: RunningServer,
) -> None:
    """Round one device the next player is looking by then."""

    async def game() -> None:
        async with Person(server.url, "Ada") as ada:
            table_id = await ada.create(["me", "me"], p.Settings(pace=0))
            async with ada.watch(table_id) as table:
                await table.ready()
                await table.until(lambda table: table.view)
                assert table.to_move is not None
                seat = table.to_move
            async with line(server.url, table_id, ada.secret) as here:
                for number in range(12):
                    await here.send(p.Look((seat + number) % 2))
                    view = (await here.hear("view"))["view"]
                    await here.send(p.AskHint(f"hint{number}"))
                    turn = p.CommitTurn(f"turn{number}", view["number"], view["legal"][:1])
                    await here.send(turn)
                    told = [await here.hear("news", "hinted", "refused", "accepted") for _ in "123"]
                    kinds = [message["type"] for message in told]
                    assert "news" in kinds
                    assert "hinted" not in kinds[kinds.index("news") :]

    asyncio.run(game())


def _at_turn(number: int, table: Table) -> bool:
    return table.turn_number == number


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(astuple(options)))
@pytest.mark.parametrize("players", [2, 4])
def test_what_a_viewer_cannot_see_changes_no_byte_for_them(
    players: int, options: p.GameOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S3 end to end: the same turns in two worlds, which this viewer can't tell apart."""
    for module in ("live.table", "table.views"):
        monkeypatch.setattr(f"lastspike.server.{module}.now_ms", lambda: NOW)
    rng = Random(f"{players} {options}")
    turns = rng.randint(8, 26)
    people = min(players, 2)

    async def lived(swap: Swap, viewer: str, script: list[list[str]]) -> World:
        """Make these turns, and as many as are wanted, the viewer prying all along."""
        folder = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        async with world(folder, people, players, p.Settings(options=options)) as here:
            await here.begin(swap)
            for number in range(turns):
                state = here.state
                if state.to_move() is None:
                    break
                if number % 5 == 0:
                    await here.pry(viewer)
                    await here.visit(f"{viewer} again {number}", viewer)
                    await here.visit(f"{viewer} back {number}", viewer, state.number - 3)
                if number == len(script):
                    script.append(chosen(state, number))
                await here.turn(script[number])
                if state.playing.position.table.bankrupt:
                    break
            return here

    async def worlds() -> None:
        for viewer in ("p0", "p1", SPECTATOR):
            script: list[list[str]] = []
            one = await lived({}, viewer, script)
            seat = None if viewer == SPECTATOR else int(viewer[1:])
            assert one.state.status == "playing"
            swap = unseen_swap(one.state, dealt_at(one.state), seat, rng)
            other = await lived(swap, viewer, script)
            assert one.state.playing.position.hidden != other.state.playing.position.hidden
            assert one.told.keys() == other.told.keys()
            for name in one.told:
                if name.startswith(viewer):
                    assert one.told[name] == other.told[name]
                    assert len(one.told[name]) > 0

    asyncio.run(worlds())


def chosen(state: TableState, number: int) -> list[str]:
    seat = state.to_move()
    assert seat is not None
    player = make_player("clerk", f"turn {number}")
    return [move.text for move in player.turn(state.playing.view(seat))]


def dealt_at(state: TableState) -> e.StoredDeal:
    return to_stored_deal(state.setup, state.playing.deal)
