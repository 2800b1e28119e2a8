"""The same decisions made in worlds that differ only in what a viewer can't see.

A world is a table with its storage and its viewers' visits: all of the server but the network. Time
stands still in it, and ids are given, so that only what is told can differ.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec

from lastspike import protocol as p
from lastspike.bots.levels import make_player
from lastspike.bots.player import later_in_turn
from lastspike.rules.errors import MoveError
from lastspike.rules.events import Event, TileDrawn
from lastspike.rules.game import Game
from lastspike.rules.hidden import Deal
from lastspike.rules.records.shuffle import commitment
from lastspike.rules.view import View
from lastspike.server.config.settings import Config
from lastspike.server.http.limits.rate_limits import RateLimits
from lastspike.server.http.routes.socket import _Visit
from lastspike.server.jobs.players.questions import Hint
from lastspike.server.live.connection import Connection
from lastspike.server.live.table import LiveTable
from lastspike.server.storage import Storage
from lastspike.server.storage.rows import to_append
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.log_events import Draft
from lastspike.server.table.state import TableState, from_stored_deal

from .paper import secret_of

NOW = 1_700_000_000_000
TABLE = "t" * 22
SPECTATOR = "spectator"

Swap = dict[str, str]
"""Which tile stands for which."""


class World:
    """`told` has every message that each viewer was sent, as it would go into the socket."""

    def __init__(self, storage: Storage, people: int, seats: int, settings: p.Settings) -> None:
        self.people = [f"p{seat}" for seat in range(people)]
        self.settings = settings
        self.told: dict[str, list[str]] = {}
        self._seats = seats
        self._storage = storage
        self._visits: dict[str, _Visit] = {}
        self._requests = 0
        self.table = LiveTable(TableState(TABLE), storage, lambda *_: None)

    @property
    def state(self) -> TableState:
        return self.table.state

    async def begin(self, swap: Swap) -> None:
        """The table is made and everybody is there; the deal is that of the seed, with swaps."""
        levels = [None] * len(self.people) + ["clerk"] * (self._seats - len(self.people))
        taken = {seat: (person, person.upper()) for seat, person in enumerate(self.people)}
        draft = commands.create("p0", levels, {}, self.settings, secret_of("worlds"), taken)
        step = e.Step(1, NOW, draft.events, draft.secrets)
        await self._storage.logs.create_table(to_append(TABLE, step, draft.index), False)
        await self.table.catch_up()
        for viewer in (*self.people, SPECTATOR):
            await self.visit(viewer, viewer)
        for person in self.people:
            mine = commitment(secret_of(person)).hex()
            await self.table.act(
                partial(commands.ready, person=person, round_number=1, committed=mine)
            )
        for person in self.people:
            await self.table.act(partial(_dealt, person=person, swap=swap))

    async def visit(self, name: str, viewer: str, have: int | None = None) -> None:
        """A viewer comes, known by this name from now on."""
        told = self.told.setdefault(name, [])

        async def send(text: str) -> None:
            told.append(text)

        known = None if viewer == SPECTATOR else viewer
        connection = Connection(name, known, viewer.upper(), "en", send)
        services: Any = SimpleNamespace(
            config=Config(),
            limits=RateLimits(Config()),
            player_pool=_PlayerPool(),
            closing=False,
        )
        socket: Any = SimpleNamespace(scope={})
        visit = self._visits[name] = _Visit(socket, services, self.table, connection)
        await self.table.connect(connection, have, "1")
        await visit.connection.drained()

    async def send(self, name: str, message: p.FromClient) -> None:
        """A viewer sends this, and gets the answer."""
        visit = self._visits[name]
        await visit.handle(message)
        if visit.hints is not None:
            await visit.hints
        await visit.connection.drained()

    async def turn(self, moves: list[str]) -> None:
        """Whoever's turn it is makes it."""
        seat = self.state.to_move()
        assert seat is not None
        if seat < len(self.people):
            message = p.CommitTurn(self.request(), self.state.turn, moves)
            await self.send(self.people[seat], message)
        else:
            turn = self.state.turn
            await self.table.act(lambda state: commands.computer_turn(state, turn, moves))
        for visit in self._visits.values():
            await visit.connection.drained()

    async def pry(self, name: str) -> None:
        """A viewer tries everything that might tell more than it should."""
        turn = self.state.turn
        for code in self.state.setup.board.codes:
            await self.send(name, p.AskPreview(self.request(), [code]))
        await self.send(name, p.AskHint(self.request()))
        await self.send(name, p.CommitTurn(self.request(), max(1, turn - 1), ["A1"]))
        await self.send(name, p.CommitTurn(self.request(), turn + 1, ["A1"]))
        for seat in range(self._seats):
            await self.send(name, p.Look(seat))

    def request(self) -> str:
        self._requests += 1
        return f"r{self._requests}"


class _PlayerPool:
    """Hints as they are found, but always of the same mind."""

    async def hint(self, view: View, composed: list[str], **_: Any) -> Hint:
        player = make_player("surveyor", "always")
        ahead = later_in_turn(view, [view.table.board.parse(text) for text in composed])
        moves = player.turn(ahead)
        return Hint("surveyor", [move.text for move in moves], player.reasons(ahead, moves))


def _dealt(state: TableState, person: str, swap: Swap) -> Draft | None:
    """The person reveals; the one who deals deals what the swap says."""
    draft = commands.reveal(state, person, 1, secret_of(person))
    if draft is None or draft.secrets is None or draft.secrets.deal is None:
        return draft
    deal = swapped(draft.secrets.deal, swap)
    return draft._replace(secrets=msgspec.structs.replace(draft.secrets, deal=deal))


def swapped(deal: e.StoredDeal, swap: Swap) -> e.StoredDeal:
    """The deal with other tiles; what was drawn for the first player everybody saw."""

    def other(tiles: Sequence[str]) -> list[str]:
        return [swap.get(tile, tile) for tile in tiles]

    return msgspec.structs.replace(
        deal,
        hands=[other(hand) for hand in deal.hands],
        pool=other(deal.pool),
        aside=other(deal.aside),
    )


def unseen_swap(state: TableState, deal: e.StoredDeal, viewer: int | None, rng: Random) -> Swap:
    """Another way to deal what the viewer has not seen by now, with which all that was done could
    have been done too, and would have looked the same."""
    codes = state.setup.board.codes
    hidden = state.playing.position.hidden
    open_hands = state.setup.options.hands == "open"
    unseen = [*hidden.pool, *hidden.aside]
    for seat, hand in enumerate(hidden.hands):
        if seat != viewer and not open_hands:
            unseen += hand
    for attempt in range(400):
        # The longer it takes, the less is swapped: rules bind what others could have held.
        some = rng.sample(unseen, max(2, len(unseen) - attempt // 4))
        mixed = rng.sample(some, len(some))
        swap = {codes[old]: codes[new] for old, new in zip(some, mixed, strict=True) if old != new}
        if swap and _same_to(state, from_stored_deal(state.setup, swapped(deal, swap)), viewer):
            return swap
    raise AssertionError("there is no other way to deal it")


def _same_to(state: TableState, deal: Deal, viewer: int | None) -> bool:
    game = Game(state.setup, deal, lambda tiles: tiles)
    try:
        for move in state.playing.moves:
            game.play(move)
    except MoveError:
        return False
    if state.setup.options.hands == "open":
        return game.history == state.playing.history
    return _seen(game.history, viewer) == _seen(state.playing.history, viewer)


def _seen(history: Sequence[Event], viewer: int | None) -> list[Event]:
    """What happened, but for what others drew."""
    return [
        TileDrawn(event.seat, None)
        if isinstance(event, TileDrawn) and event.seat != viewer
        else event
        for event in history
    ]


@asynccontextmanager
async def world(
    folder: Path, people: int, seats: int, settings: p.Settings
) -> AsyncIterator[World]:
    storage = Storage(f"sqlite+aiosqlite:///{folder / 'world.db'}")
    await storage.open()
    try:
        yield World(storage, people, seats, settings)
    finally:
        await storage.close()
