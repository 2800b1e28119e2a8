"""The cost budget of messages: each has one, and keeps to it at its largest input."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar

from lastspike import protocol as p
from lastspike.protocol import Settings
from lastspike.rules.view import preview
from lastspike.server.config.settings import Config, Limits
from lastspike.server.http.app import make_app
from lastspike.server.http.costs.cost import KIB, Cost
from lastspike.server.http.costs.messages import MESSAGES, STEPS_PER_TOKEN, types_of_messages
from lastspike.server.http.limits.rate_limits import Buckets, RateLimits
from lastspike.server.jobs.players.player_pool import PlayerPool
from lastspike.server.live.open_sockets import OpenSockets
from lastspike.server.people.sessions import Sessions
from lastspike.server.storage import Storage
from lastspike.server.storage.rows import to_append
from lastspike.server.table import log_events as e
from lastspike.server.table.limits import MOST_CHANGES, MOST_SAID, MOST_SAID_BY_SPECTATORS
from tests.server import paper
from tests.server.paper import Paper, secret_of
from tests.server.siege import sqlite_in

from .measured_app import measured
from .measured_socket import Answered, MeasuredSocket, open_socket

pytestmark = pytest.mark.anyio

SECURITY = Path("docs/security.md")
LONG = "鉄" * 300
ID = "i" * 40


def row(kind: str, cost: Cost) -> str:
    cells = (f"`{kind}`", cost.tokens, f"{cost.calls},000", cost.statements, f"{cost.answer} KiB")
    return f"| {' | '.join(map(str, cells))} | {cost.note} |".replace("|  |", "| |")


def test_every_message_has_its_budget_and_the_docs_show_it() -> None:
    assert set(MESSAGES) == set(types_of_messages())
    section = SECURITY.read_text("utf-8").partition("### Messages")[2].partition("\n## ")[0]
    shown = re.findall(r"(?m)^\| `.*$", section)
    assert shown == [row(kind, cost) for kind, cost in MESSAGES.items()]


def check(kind: str, spent: Answered) -> None:
    budget = MESSAGES[kind]
    print(f"{kind}: {spent.calls} calls, {spent.statements} statements, {spent.size} bytes")
    assert spent.calls <= budget.calls * 1000
    assert spent.statements <= budget.statements
    assert spent.size <= budget.answer * KIB
    # A budget that is far too large would let anything pass.
    assert spent.calls > budget.calls * 50 or budget.calls == 1


class Place:
    """A server with one table, and the cookie of its host."""

    def __init__(self, app: Litestar, table_id: str, secret: str) -> None:
        self.app = app
        self.table_id = table_id
        self.secret = secret

    def host(self) -> Any:
        return open_socket(self.app, self.table_id, self.secret)

    def spectator(self) -> Any:
        return open_socket(self.app, self.table_id)


@pytest.fixture
async def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Any]:
    """The secret of a new person, who is the host of tables on paper; and how to serve one."""
    storage = Storage(sqlite_in(tmp_path))
    await storage.open()
    person, secret = await Sessions(storage, OpenSockets(storage)).new("Host")
    monkeypatch.setattr(paper, "HOST", person.id)

    async def store(steps: list[e.Step], table_id: str) -> None:
        first, *others = [to_append(table_id, step) for step in steps]
        index = e.Index(status="playing" if len(steps) > 3 else "waiting")
        await storage.logs.create_table(first._replace(index=index), listed=False)
        await asyncio.gather(*map(storage.logs.append, others))
        await storage.close()

    return secret, store


def app_on(tmp_path: Path) -> Litestar:
    limits = Limits(requests_per_minute=1000)
    return make_app(Config(sqlite_in(tmp_path), player_processes=1, limits=limits))


async def hello(socket: MeasuredSocket, **more: Any) -> Answered:
    return await socket.ask(p.Hello(p.PROTOCOL, **more), "welcome", "closed")


def previewing(move: str, _number: int) -> p.FromClient:
    return p.AskPreview(ID, [move])


async def least(
    socket: MeasuredSocket, message: Callable[[int], p.FromClient], *kinds: str
) -> Answered:
    """What it takes at the least, of a few times: now and then the server does something else."""
    asked = [await socket.ask(message(number), *kinds) for number in range(3)]
    return min(asked, key=lambda spent: spent.calls)


async def test_messages_of_a_game(tmp_path: Path, host: tuple[str, Any]) -> None:
    secret, store = host
    levels = ("me", "clerk", "clerk", "clerk", "clerk", "clerk")
    table = Paper(levels, Settings(pace=10_000, clock=p.LiveClock()))
    table.start()
    table.play(26)
    while table.state.to_move() != 0:
        table.play(1)
    await store(table.log, table.state.id)
    legal = preview(table.state.playing.view(0), []).legal_moves
    app = app_on(tmp_path)
    place = Place(app, table.state.id, secret)
    async with measured(app), place.host() as mine, place.spectator() as other:
        await hello(mine)
        await hello(other)
        await mine.hear("presence")
        await mine.ask(p.AskHint(ID), "hinted")  # a process of players is ready
        check("ping", await least(mine, lambda _: p.Ping(ID), "pong"))
        check("look", await least(mine, lambda _: p.Look(0), "view"))
        asked = [await least(mine, partial(previewing, move.text), "previewed") for move in legal]
        check("preview", max(asked, key=lambda spent: spent.calls))
        check("say", await least(mine, lambda number: p.Say(f"say{number}", LONG), "accepted"))
        check("return", await least(mine, lambda number: p.Return(f"r{number}"), "accepted"))
        hint = await least(mine, lambda _: p.AskHint(ID), "hinted")
        check("hint", hint)
        moves = [text for text in hint.answer["moves"] if text != "pass"]
        turn = p.CommitTurn("t", table.state.turn, moves)
        check("turn", await mine.ask(turn, "accepted"))


async def test_messages_before_a_game(
    tmp_path: Path, host: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PlayerPool, "start", lambda _: asyncio.sleep(0))
    secret, store = host
    table = Paper(("me", "clerk", "clerk", "clerk", "clerk", "clerk"), Settings(pace=10_000))
    await store(table.log, table.state.id)
    app = app_on(tmp_path)
    place = Place(app, table.state.id, secret)
    mine = secret_of("mine")
    committed = hashlib.sha256(mine).hexdigest()
    async with measured(app), place.host() as socket:
        await hello(socket)
        await socket.hear("presence")
        check("not_ready", await socket.ask(p.NotReady(ID), "accepted"))
        check("ready", await socket.ask(p.Ready("r", 1, committed), "accepted"))
        check("reveal", await socket.ask(p.Reveal("s", 1, mine.hex()), "accepted"))


async def test_a_hello_at_the_longest_log(
    tmp_path: Path, host: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As much chat and as many changes as there may be."""
    secret, store = host
    table = Paper(("me", None))
    steps = list(table.log)

    def add(event: e.AnyLogEvent) -> None:
        steps.append(e.Step(len(steps) + 1, 1, (event,)))

    for number in range(MOST_SAID):
        add(e.Said("players", f"p{number}", "x" * 24, LONG, 0))
    for number in range(MOST_SAID_BY_SPECTATORS):
        add(e.Said("spectators", f"p{number}", "x" * 24, LONG))
    for number in range(MOST_CHANGES - 1):
        add(e.Muted(secrets.token_urlsafe(9), undo=bool(number % 2)))
    await store(steps, table.state.id)
    app = app_on(tmp_path)
    place = Place(app, table.state.id, secret)
    charged: list[int] = []
    charge = RateLimits.charge
    monkeypatch.setattr(RateLimits, "charge", lambda _, _key, tokens: charged.append(tokens))
    async with measured(app):
        for have, answer in ((None, "welcome"), (None, "welcome"), (len(steps), "welcome")):
            async with place.spectator() as socket:
                welcome = await hello(socket, have=have)
                assert welcome.answer["type"] == answer
                if len(charged) == 2:  # the first has loaded the table
                    check("hello", welcome)
        whole = len(steps) // STEPS_PER_TOKEN
        assert charged == [whole, whole, 0]
        assert MESSAGES["hello"].tokens == whole + 1  # with the request itself
        monkeypatch.setattr(RateLimits, "charge", charge)
        monkeypatch.setattr(Buckets, "take", lambda _, _key, tokens=1: float(tokens > 1))
        async with place.spectator() as socket:
            await hello(socket)
            assert socket.code == p.CLOSE_TOO_MANY
