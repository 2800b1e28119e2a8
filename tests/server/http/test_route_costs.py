"""The cost budget of routes, held to at the largest input that each of them allows."""

from __future__ import annotations

import asyncio
import copy
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar import Litestar

from lastspike import protocol as p
from lastspike.rules.editions.shipped import shipped
from lastspike.server.config.settings import Config, Limits
from lastspike.server.http.app import make_app
from lastspike.server.http.costs.cost import KIB
from lastspike.server.http.costs.routes import COSTS
from lastspike.server.http.page.files import page_version
from lastspike.server.live.open_sockets import OpenSockets
from lastspike.server.people.sessions import Sessions
from lastspike.server.storage import Storage, WebhookRow
from lastspike.server.storage.rows import ChannelRow, HolidayRow, to_append
from lastspike.server.table import log_events as e
from lastspike.server.table.limits import MOST_FIGURES_BYTES
from lastspike.server.table.now import now_ms
from tests.server import paper
from tests.server.paper import Paper
from tests.server.siege import sqlite_in

from .measured_app import Spent, measured

pytestmark = pytest.mark.anyio

POINT = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
"""The public key of a browser, from the example in RFC 8291 5."""
RECORD = Path("tests/conformance/036-double-empty-pool-n4-shuffle-standard.json")
MOST_COMPRESSED = 512 * KIB
"""To compress more takes longer than the event loop has."""
TABLES = 100
"""As many as a list has at most."""


def largest(number: int) -> dict[str, Any]:
    """An edition as large as a table takes."""
    raw = {**copy.deepcopy(shipped().to_figures()), "id": f"edition-{number}"}
    room = MOST_FIGURES_BYTES - len(msgspec.json.encode(raw)) - 20
    noise = "".join(f"{n * n % 9973:x}" for n in range(room))
    return {**raw, "comment": noise[:room]}


def waiting(number: int) -> str:
    return f"wait{number:018}"


def over(number: int) -> str:
    return f"over{number:018}"


class Stored:
    """A server with a host who has as many tables as a list shows, each with an edition of its own,
    and finished games."""

    def __init__(self, person: str, secret: str) -> None:
        self.person = person
        self.cookie = f"lastspike={secret}"
        self.over = over(0)


async def filled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Stored:
    storage = Storage(sqlite_in(folder))
    await storage.open()
    try:
        person, secret = await Sessions(storage, OpenSockets(storage)).new("Host")
        monkeypatch.setattr(paper, "HOST", person.id)
        stored = Stored(person.id, secret)

        async def store(table: Paper, table_id: str, status: str) -> None:
            first, *others = [to_append(table_id, step) for step in table.log]
            index = e.Index(status=status, listed=True, joined=(person.id,))
            await storage.logs.create_table(first._replace(index=index), listed=True)
            appending = (storage.logs.append(step._replace(index=None)) for step in others)
            assert all(await asyncio.gather(*appending))

        played = Paper(("me", "clerk", "clerk", "clerk", "clerk", "clerk"))
        played.start()
        played.play()
        for number in range(20):
            await store(played, over(number), "over")
        for number in range(TABLES):
            settings = p.Settings(figures=largest(number), public=True)
            await store(Paper(("me", None), settings), waiting(number), "waiting")
        for number in range(10):
            url = f"https://example.org/{'x' * 470}{number}"
            row = WebhookRow(f"h{number}", person.id, None, url, "json", "en")
            await storage.webhooks.add(row)
        for number in range(12):
            address = f"https://example.org/{'x' * 970}{number}"
            await storage.alerts.add_channel(
                ChannelRow(f"c{number}", person.id, "push", address, "k" * 88, "", "en", 1, 1)
            )
        for number in range(19):
            begins = 4_000_000_000_000 + number * 10
            await storage.holidays.add(HolidayRow(f"o{number}", person.id, begins, begins + 1))
        return stored
    finally:
        await storage.close()


@pytest.fixture
async def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Stored, Litestar]:
    held = await filled(tmp_path, monkeypatch)
    limits = Limits(requests_per_minute=1_000_000, persons_per_address_per_hour=1000)
    config = Config(sqlite_in(tmp_path), player_processes=1, public_list=True, limits=limits)
    return held, make_app(config)


def check(route: str, spent: Spent) -> None:
    budget = COSTS[route]
    print(
        f"{route}: {spent.status}, {spent.calls} calls, {spent.statements} statements,"
        f" {len(spent.answer)} bytes"
    )
    assert spent.calls <= budget.calls * 1000, route
    assert spent.statements <= budget.statements, route
    assert len(spent.answer) <= budget.answer * KIB, route


def calls_of(spent: Spent) -> int:
    """The first time, statements are compiled; but lists load their tables."""
    return spent.calls


async def test_every_route_at_its_largest_input(stored: tuple[Stored, Litestar]) -> None:
    held, litestar = stored
    record = json.loads(RECORD.read_text("utf-8"))
    patch = {"settings": {"figures": largest(TABLES)}}
    hook = {"url": "https://127.0.0.1/"}
    toml = {"toml": "x = '" + "x" * (2 * MOST_FIGURES_BYTES - 100) + "'"}
    names = {
        "version": page_version(),
        "path": "css/edition.css",
        "edition_id": "columbia-2015",
        "lesson_id": "first",
        "webhook_id": "h1",
        "channel_id": "c1",
        "holiday": "o1",
        "token": f"c1.{'0' * 40}",
        "job": "none",
        "seat": "1",
    }
    bodies: dict[str, Any] = {
        "POST /api/me": {"name": "é" * 24},
        "POST /api/me/use-link": {"token": "x" * 60},
        "POST /api/webhooks": hook,
        "PUT /api/me/alerts": {"quiet": True, "zone": "America/Argentina/ComodRivadavia"},
        "POST /api/me/alerts/push": {
            "endpoint": "https://127.0.0.1/" + "x" * 900,
            "p256dh": POINT,
            "auth": "A" * 22,
        },
        "POST /api/me/alerts/mail": {"address": "a" * 60 + "@example.org"},
        "POST /api/alerts/confirm": {"token": "x" * 120},
        "POST /api/me/holidays": {"begins": now_ms(), "ends": now_ms() + 86_400_000},
        "POST /api/tables": {"name": "Ada", "seats": ["me", None], **patch},
        "POST /api/tables/{table_id}/seats": {"name": "Ada"},
        "PUT /api/tables/{table_id}/seats/{seat}": {"level": "clerk"},
        "PATCH /api/tables/{table_id}/settings": patch,
        "POST /api/tables/{table_id}/leave": {"for_good": False},
        "POST /api/tables/{table_id}/hand-over": {"seat": 1},
        "POST /api/tables/{table_id}/remove": {"person": "x" * 22},
        "POST /api/tables/{table_id}/mute": {"person": "x" * 22},
        "POST /api/tables/{table_id}/hide": {"person": "x" * 22},
        "POST /api/tables/{table_id}/agree-to-end": {},
        "POST /api/records": record,
        "POST /api/records/play-on": {
            "name": "Ada",
            "record": record,
            "turns": 3,
            "seat": 0,
            "level": "clerk",
        },
        "POST /api/records/review": {"record": record},
        "POST /api/editions/check": toml,
        "POST /api/studies": {"figures": largest(0), "players": 2},
    }
    on_finished = ("rematch", "record", "review")
    async with measured(litestar) as app:
        app.cookie = held.cookie
        for number, route in enumerate(sorted(COSTS, key=lambda each: ("/api/me" in each, each))):
            if route.startswith("DELETE /api/me") or "/jobs/" in route:  # the end, a stream
                continue
            if "/api/admin" in route:  # see test_admin_costs.py
                continue
            method, _, path = route.partition(" ")
            ends = path.rpartition("/")[2]
            names["table_id"] = held.over if ends in on_finished else waiting(number)
            path = path.format(**names)
            first = await app.ask(method, path, bodies.get(route))
            again = await app.ask(method, path, bodies.get(route))
            lists = method == "GET" and ends == "tables"
            check(route, first if lists else min(first, again, key=calls_of))
            if len(again.answer) > MOST_COMPRESSED:
                packed = await app.ask(method, path, **{"accept-encoding": "gzip"})
                assert "content-encoding" not in packed.headers, route
