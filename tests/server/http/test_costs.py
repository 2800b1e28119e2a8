"""The cost budget of the routes: every route has one, and keeps to it at its largest input."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from lastspike.server.config.settings import Config, Limits
from lastspike.server.http.app import make_app
from lastspike.server.http.costs.cost import KIB, Cost
from lastspike.server.http.costs.routes import COSTS, routes_of
from lastspike.server.people.sessions import MOST_DEVICES
from lastspike.server.storage import SessionRow, Storage
from lastspike.server.table.now import now_ms
from tests.server.admin.operating import KEY, KEY_HASH
from tests.server.siege import sqlite_in

from .measured_app import MeasuredApp, measured

pytestmark = pytest.mark.anyio

SECURITY = Path("docs/security.md")


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[MeasuredApp]:
    limits = Limits(requests_per_minute=1_000_000)
    config = Config(
        sqlite_in(tmp_path),
        player_processes=1,
        public_list=True,
        limits=limits,
        admin_key_hash=KEY_HASH,
    )
    async with measured(make_app(config)) as app:
        yield app


def test_every_route_has_its_budget() -> None:
    app = make_app(Config("sqlite+aiosqlite:////nowhere/spike.db", public_list=True))
    assert set(routes_of(app)) == set(COSTS)


def row(route: str, cost: Cost) -> str:
    cells = (
        f"`{route}`",
        cost.tokens,
        f"{cost.body / KIB:g} KiB",
        f"{cost.calls},000",
        cost.statements,
        f"{cost.answer} KiB",
        cost.note,
    )
    return f"| {' | '.join(map(str, cells))} |".replace("|  |", "| |")


def test_the_docs_show_the_budget_of_every_route() -> None:
    shown = re.findall(r"(?m)^\| `(?:GET|POST|PUT|PATCH|DELETE) .*$", SECURITY.read_text("utf-8"))
    assert shown == [row(route, cost) for route, cost in COSTS.items()]


def filled(route: str) -> tuple[str, str]:
    method, _, path = route.partition(" ")
    names = {"table_id": "x" * 22, "seat": "0", "edition_id": "columbia-2015"}
    return method, re.sub(r"\{(\w+)\}", lambda name: names.get(name[1], "x"), path)


async def test_no_route_takes_in_more_than_its_budget_says(app: MeasuredApp) -> None:
    await app.ask("POST", "/api/me", {"name": "Ada"})
    for route, cost in COSTS.items():
        method, path = filled(route)
        if method not in ("POST", "PUT", "PATCH"):
            continue
        body: Any = b'{"name": "' + b"a" * cost.body + b'"}'
        answer = await app.ask(method, path, body, authorization=f"Bearer {KEY}")
        reads_none = cost.body <= KIB and answer.status in (200, 201, 403, 404)
        assert answer.status == 413 or reads_none, (route, answer)


async def test_an_expensive_request_counts_as_many(tmp_path: Path) -> None:
    limits = Limits(requests_per_minute=50)
    async with measured(make_app(Config(sqlite_in(tmp_path), limits=limits))) as app:
        statuses = [(await app.ask("POST", "/api/records", {})).status for _ in range(3)]
        assert statuses == [400, 400, 429]
        told = await app.ask("GET", "/api/me/history")
        assert told.status == 429
        assert int(told.headers["retry-after"]) > 0
        assert (await app.ask("GET", "/api/me")).status == 403  # plain ones still pass


async def test_the_most_devices_are_listed_and_ended_within_the_budget(
    app: MeasuredApp, tmp_path: Path
) -> None:
    me = (await app.ask("POST", "/api/me", {"name": "Ada"})).json["person"]
    storage = Storage(sqlite_in(tmp_path))
    now = now_ms()
    for number in range(MOST_DEVICES - 1):
        named = ("Samsung Internet", "ChromeOS")
        row = SessionRow(bytes([number]) * 32, now, now + 10**9, now, *named)
        await storage.persons.add_session(me, row)
    await storage.close()
    listed = await app.ask("GET", "/api/me/devices")
    other = next(each["id"] for each in listed.json["devices"] if not each["this"])
    for route, spent in (
        ("GET /api/me/devices", listed),
        ("DELETE /api/me/devices/{device}", await app.ask("DELETE", f"/api/me/devices/{other}")),
        ("DELETE /api/me/other-devices", await app.ask("DELETE", "/api/me/other-devices")),
        ("POST /api/me/log-out", await app.ask("POST", "/api/me/log-out")),
    ):
        cost = COSTS[route]
        print(f"{route}: {spent.calls} calls, {spent.statements} statements")
        assert spent.status == 200, (route, spent)
        assert spent.calls <= cost.calls * 1000
        assert spent.statements <= cost.statements
        assert len(spent.answer) <= cost.answer * KIB
