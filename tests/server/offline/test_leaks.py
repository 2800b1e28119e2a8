"""Nothing leaks to the page: the same turns in two worlds that differ only in what it can't see.

The worker has everybody's hands. What it sends must not depend on those of the others.
"""

from __future__ import annotations

import json
import secrets
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest

from lastspike import protocol as p
from lastspike.bots.levels import make_player
from lastspike.rules.view import View
from lastspike.server.storage.rows import PersonRow
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.log_events import Draft
from lastspike.server.table.state import TableState, to_stored_deal
from tests.server.listened import OPTIONS
from tests.server.paper import secret_of
from tests.server.worlds import NOW, TABLE, Swap, swapped, unseen_swap

from .page import MemoryShelf, Page, Socket

pytestmark = pytest.mark.anyio

Script = dict[int, list[str]]
"""The moves of each turn, by its number."""


class World:
    """A game in a worker, in which everything is given but the tiles."""

    def __init__(self, swap: Swap, script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
        self.swap, self.script = swap, script
        self.page = Page(_known_person())
        self.sockets: list[Socket] = []
        self._honest = commands.reveal
        for module in ("live.table", "table.views", "offline.requests"):
            monkeypatch.setattr(f"lastspike.server.{module}.now_ms", lambda: NOW)
        monkeypatch.setattr("lastspike.server.offline.requests.new_table_id", lambda: TABLE)
        seed = secret_of("worlds")
        monkeypatch.setattr("lastspike.server.offline.requests.new_seed", lambda: seed)
        ids = count()
        monkeypatch.setattr(secrets, "token_urlsafe", lambda _: f"id{next(ids)}")
        monkeypatch.setattr(commands, "reveal", self._dealt)
        monkeypatch.setattr(self.page.backend._players, "turn", self._computers_turn)

    @property
    def state(self) -> TableState:
        return self.page.backend._registry.live[TABLE].state

    @property
    def told(self) -> list[list[str]]:
        return [self.page.raw[socket.number] for socket in self.sockets]

    async def live(self, players: int, options: p.GameOptions, turns: int) -> None:
        """Play so many turns, and pry on the way."""
        await self.page.backend.start()
        told = msgspec.to_builtins(options)
        await self.page.table(["me", *["clerk"] * (players - 1)], options=told)
        me = Socket(self.page, TABLE)
        self.sockets.append(me)
        await me.begin()
        while True:
            view = await self.page.until(me._my_view)
            number = view["number"]
            if view["phase"] == "over" or number > turns:
                break
            if len(self.sockets) < 3 and number > turns // 3:
                await self._pry(me, number)
            answer = await me.ask(type="turn", turn=number, moves=self._moves(number))
            assert answer["type"] == "accepted", answer
        await self.page.backend.stop()

    async def _pry(self, me: Socket, number: int) -> None:
        """Try everything that might tell more than it should."""
        for code in self.state.setup.board.codes[::4]:
            await me.ask(type="preview", moves=[code])
        await me.ask(type="hint", moves=[])
        for other in (number - 1, number + 1):
            await me.ask(type="turn", turn=max(1, other), moves=["A1"])
        for seat in range(len(self.state.seats)):
            me.send(type="look", seat=seat)
        again = Socket(self.page, TABLE)
        self.sockets.append(again)
        await self.page.until(lambda: again.told)
        await self.page.ask("GET", "api/me/tables")
        assert (await self.page.refused("GET", f"api/tables/{TABLE}/record"))[0] == 403
        assert (await self.page.refused("POST", f"api/tables/{TABLE}/review"))[0] == 409

    def _moves(self, number: int) -> list[str]:
        """Those of the script, which the first world writes."""
        if number not in self.script:
            seat = self.state.to_move()
            assert seat is not None
            player = make_player("clerk", f"turn {number}")
            moves = player.turn(self.state.playing.view(seat))
            self.script[number] = [move.text for move in moves]
        return self.script[number]

    async def _computers_turn(self, _level: str, _view: View, **_: Any) -> list[str]:
        return self._moves(self.state.turn)

    def _dealt(self, state: TableState, person: str, number: int, secret: bytes) -> Draft | None:
        draft = self._honest(state, person, number, secret)
        assert draft is not None
        assert draft.secrets is not None
        assert draft.secrets.deal is not None
        deal: e.StoredDeal = swapped(draft.secrets.deal, self.swap)
        return draft._replace(secrets=msgspec.structs.replace(draft.secrets, deal=deal))


def _known_person() -> MemoryShelf:
    shelf = MemoryShelf()
    shelf.values["person"] = msgspec.json.encode(PersonRow("p0", "Ada")).decode()
    return shelf


@pytest.mark.parametrize(
    ("players", "options"), [(2, OPTIONS[0]), (3, OPTIONS[6]), (4, OPTIONS[3])]
)
async def test_what_the_page_cannot_see_changes_no_byte_for_it(
    players: int, options: p.GameOptions
) -> None:
    rng = Random(f"worker {players} {options}")
    script: Script = {}
    worlds = []
    swap: Swap = {}
    for _ in range(2):
        with pytest.MonkeyPatch.context() as monkeypatch:
            world = World(swap, script, monkeypatch)
            await world.live(players, options, turns=16)
        worlds.append(world)
        if not swap:
            deal = to_stored_deal(world.state.setup, world.state.playing.deal)
            swap = unseen_swap(world.state, deal, 0, rng)
    one, other = worlds
    assert one.state.playing.position.hidden != other.state.playing.position.hidden
    assert one.told == other.told
    assert len(one.told) == 3
    assert sum(map(len, one.told)) > 50
    assert all(json.loads(text) for told in one.told for text in told)
