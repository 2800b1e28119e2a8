"""Tables with four people each, made and started as any client would, and turns made at them."""

from __future__ import annotations

import asyncio
import hashlib
import random
import secrets
import time
from collections.abc import Callable
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx
import msgspec

from lastspike import protocol as p
from load_sockets import Seen, SeenView, Socket, encode
from load_turns import a_turn

SEATS = 4
COOKIE = "lastspike"
PATIENCE = 60.0
AT_ONCE = 16
"""So many tables are made at the same time."""


class House:
    """Where tables are made: a server, reached over HTTP."""

    def __init__(self, url: str) -> None:
        self.url = url
        # We keep the cookies of two thousand people apart ourselves.
        nobody = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        # Connections are let go before the server does, which might be just when we write.
        limits = httpx.Limits(max_connections=AT_ONCE, keepalive_expiry=1.0)
        self._http = httpx.AsyncClient(cookies=nobody, limits=limits, timeout=PATIENCE)

    async def close(self) -> None:
        await self._http.aclose()

    async def post(self, path: str, body: msgspec.Struct, cookie: str | None) -> httpx.Response:
        headers = {"content-type": "application/json", **({"cookie": cookie} if cookie else {})}
        answer = await self._http.post(self.url + path, content=encode(body), headers=headers)
        if not answer.is_success:
            raise RuntimeError(f"{path}: {answer.status_code} {answer.text}")
        return answer


class Player:
    """One of the four: the person's cookie and their socket."""

    __slots__ = ("_secret", "cookie", "heard", "seat", "socket", "table")

    def __init__(self, table: LoadTable, seat: int, cookie: str | None) -> None:
        self.table = table
        self.seat = seat
        self.cookie = cookie
        self.heard = 0
        """The number of the turn that this player has seen begin."""
        self.socket = Socket(self.take)
        self._secret: bytes | None = None

    def take(self, message: Seen) -> None:
        if message.view is not None:
            self.table.heard(self, message.view)
        elif message.type == "refused":
            assert message.problem is not None
            self.table.refused(message.problem.message)
        elif message.table is not None:
            self._shuffle(message.table.shuffle.round, message.table.shuffle.reveal_by is not None)

    def ready(self) -> None:
        self._secret = secrets.token_bytes(32)
        commitment = hashlib.sha256(self._secret).hexdigest()
        self.socket.send(encode(p.Ready(secrets.token_urlsafe(9), 1, commitment)))

    def _shuffle(self, number: int, asked: bool) -> None:
        if asked and self._secret is not None:
            secret, self._secret = self._secret.hex(), None
            self.socket.send(encode(p.Reveal(secrets.token_urlsafe(9), number, secret)))


class LoadTable:
    """A table and its four players. `made` hears when all of them know of a turn, `failed` of one
    that was refused."""

    def __init__(self, house: House, cookies: list[str] | None, rng: random.Random) -> None:
        self.id = ""
        self.house = house
        self.turn = 0
        self.due = 0.0
        self.under_way = False
        self.over = False
        self.made: Callable[[LoadTable], None] = lambda _: None
        self.failed: Callable[[LoadTable, str], None] = _fail
        self.players = [
            Player(self, seat, cookies[seat] if cookies else None) for seat in range(SEATS)
        ]
        self._rng = rng
        self._view: SeenView | None = None
        self._started: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        """Make the table, take the seats, connect, be ready, and wait for the deal."""
        await self._seat()
        for player in self.players:
            await player.socket.open(self.house.url, self.path, player.cookie)
        for player in self.players:
            player.ready()
        async with asyncio.timeout(PATIENCE):
            await self._started

    @property
    def path(self) -> str:
        return f"/api/tables/{self.id}/live"

    def close(self) -> None:
        for player in self.players:
            player.socket.close()

    async def _seat(self) -> None:
        first, *others = self.players
        seats = ["me", *[None] * len(others)]
        wanted = p.CreateTable("Player 1", seats, p.Settings(stand_in="greenhorn"))
        answer = await self.house.post("/api/tables", wanted, first.cookie)
        first.cookie = _cookie(answer) or first.cookie
        self.id = msgspec.json.decode(answer.content, type=p.TableMade).table
        for player in others:
            sitting = p.TakeSeat(f"Player {player.seat + 1}", player.seat)
            path = f"/api/tables/{self.id}/seats"
            answer = await self.house.post(path, sitting, player.cookie)
            player.cookie = _cookie(answer) or player.cookie

    @property
    def free(self) -> bool:
        return self._view is not None and not self.under_way and not self.over

    def offer(self, due: float) -> bool:
        """Make a turn that was due then; False if this table can't go on."""
        view = self._view
        assert view is not None
        assert view.seat is not None
        moves = a_turn(view, self._rng)
        if moves is None:
            self.over = True
            return False
        self.due = due
        self.under_way = True
        message = p.CommitTurn(secrets.token_urlsafe(9), view.number, moves)
        self.players[view.seat].socket.send(encode(message))
        return True

    def heard(self, player: Player, view: SeenView) -> None:
        """A player sees the game as it is now."""
        player.heard = view.number
        if view.turn is None:
            self.over = True
        elif view.turn == player.seat:
            self._view = view
        if all(each.heard == view.number for each in self.players) and view.number > self.turn:
            self.turn = view.number
            if not self._started.done():
                self._started.set_result(None)
            if self.under_way:
                self.under_way = False
                self.made(self)

    def refused(self, reason: str) -> None:
        if not self._started.done():
            self._started.set_exception(RuntimeError(reason))
        self.under_way = False
        self.failed(self, reason)


async def open_tables(
    house: House,
    count: int,
    rng: random.Random,
    step: Callable[[], Any],
    cookies: list[list[str]] | None = None,
) -> list[LoadTable]:
    """So many tables that play; `step` is called at each. `cookies` bring people who were here."""
    gate = asyncio.Semaphore(AT_ONCE)
    tables = [LoadTable(house, cookies.pop() if cookies else None, rng) for _ in range(count)]

    async def one(table: LoadTable) -> None:
        async with gate:
            await table.open()
            step()

    await asyncio.gather(*(one(table) for table in tables))
    return tables


async def open_more(tables: list[LoadTable], count: int) -> list[Socket]:
    """More sockets of people who sit at these tables, as on further devices of theirs."""
    players = [player for table in tables for player in table.players]
    sockets = [Socket(lambda _: None) for _ in range(count)]
    for number, socket in enumerate(sockets):
        player = players[number % len(players)]
        await socket.open(player.table.house.url, player.table.path, player.cookie)
    return sockets


class Offered:
    """What came of turns that were offered at a constant rate for a while."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.late: list[float] = []
        self.offered = 0
        self.no_table = 0
        self.in_time = 0
        self.refused: list[str] = []
        self.seconds = 0.0


async def offer_turns(
    tables: list[LoadTable], rate: float, seconds: float, rng: random.Random
) -> Offered:
    """Turns at random tables, at random moments, so many a second on average.

    They come whether or not the server has done with those before, and how long one takes is
    counted from the moment that it was due: a slow server can't slow the offering down.
    """
    result = Offered()
    clock = time.perf_counter
    begin = clock()
    end = begin + seconds
    under_way = 0

    def made(table: LoadTable) -> None:
        nonlocal under_way
        now = clock()
        under_way -= 1
        result.in_time += now <= end
        result.latencies.append(now - table.due)

    def failed(_table: LoadTable, reason: str) -> None:
        nonlocal under_way
        under_way -= 1
        result.refused.append(reason)

    for table in tables:
        table.made, table.failed = made, failed
    due = begin
    while True:
        due += rng.expovariate(rate)
        if due >= end:
            break
        if (pause := due - clock()) > 0:
            await asyncio.sleep(pause)
        elif result.offered % 20 == 0:
            await asyncio.sleep(0)  # late, but what has come must be heard
        result.offered += 1
        chosen = _a_free_one(tables, rng)
        if chosen is None or not chosen.offer(due):
            result.no_table += 1
            continue
        under_way += 1
        result.late.append(clock() - due)
    result.seconds = seconds
    until = clock() + PATIENCE
    while under_way and clock() < until:
        await asyncio.sleep(0.01)
    for table in tables:
        if table.under_way:  # never heard of again
            result.latencies.append(float("inf"))
            table.over = True
        table.made, table.failed = lambda _: None, _fail
    return result


def _a_free_one(tables: list[LoadTable], rng: random.Random) -> LoadTable | None:
    for _ in range(50):
        table = rng.choice(tables)
        if table.free:
            return table
    return next((table for table in tables if table.free), None)


def _fail(_table: LoadTable, reason: str) -> None:
    raise RuntimeError(reason)


def _cookie(answer: httpx.Response) -> str | None:
    secret = answer.cookies.get(COOKIE)
    return None if secret is None else f"{COOKIE}={secret}"
