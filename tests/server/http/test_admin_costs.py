"""The operator's routes keep to their budget, and those without the key cost next to nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lastspike.server.config.settings import Config, Limits
from lastspike.server.http.app import make_app
from lastspike.server.http.costs.routes import COSTS
from tests.server.admin.operating import KEY, KEY_HASH, later
from tests.server.siege import sqlite_in

from .measured_app import MeasuredApp, Spent, measured

pytestmark = pytest.mark.anyio

TABLES = 60


def config(folder: Path, **more: Any) -> Config:
    limits = Limits(requests_per_minute=1_000_000, tables_per_person_per_hour=1000)
    return Config(
        sqlite_in(folder), player_processes=1, limits=limits, admin_key_hash=KEY_HASH, **more
    )


async def asked(app: MeasuredApp, route: str, path: str, body: Any = None) -> Spent:
    method = route.partition(" ")[0]
    spent = await app.ask(method, path, body, authorization=f"Bearer {KEY}")
    cost = COSTS[route]
    assert spent.status in (200, 201), spent
    assert spent.calls <= 1000 * cost.calls, (route, spent.calls)
    assert spent.statements <= cost.statements, (route, spent.statements)
    assert len(spent.answer) <= 1024 * cost.answer, (route, len(spent.answer))
    return spent


async def test_each_keeps_to_its_budget(tmp_path: Path) -> None:
    async with measured(make_app(config(tmp_path))) as app:
        person = (await app.ask("POST", "/api/me", {"name": "Ada"})).json["person"]
        tables = [
            (await app.ask("POST", "/api/tables", {"name": "Ada", "seats": ["me", None]})).json
            for _ in range(TABLES)
        ]
        table = tables[0]["table"]
        report = {"reason": "x" * 300}
        for each in tables[:8]:
            told = await app.ask("POST", f"/api/tables/{each['table']}/report", report)
            assert told.status == 200
        ids: dict[str, str] = {"table_id": table, "person": person}
        why = {"reason": "y" * 300}
        bodies: dict[str, Any] = {
            "POST /api/admin/bans": {**why, "network": "192.0.2.0/24", "ends": later()},
            "POST /api/admin/announcements": {"text": "z" * 500, "ends": later()},
            "POST /api/admin/persons/{person}/rename": {**why, "name": "Grace"},
            "POST /api/admin/reports/{report}/settle": {"note": "n" * 300},
        }
        last = (
            "POST /api/admin/tables/{table_id}/delete",
            "POST /api/admin/persons/{person}/erase",
        )
        routes = [each for each in COSTS if "/api/admin" in each and each not in last]
        # A message to remove would take a socket: that route is measured in test_operator.
        routes.remove("POST /api/admin/tables/{table_id}/redact")
        for route in sorted(routes, key=lambda each: each.startswith("DELETE")):
            if "{report}" in route:
                open_now = await asked(app, "GET /api/admin/reports", "/api/admin/reports")
                ids["report"] = open_now.json["reports"][0]["id"]
            path = route.partition(" ")[2].format(**ids)
            body = bodies.get(route, why if route.startswith("POST") else None)
            made = await asked(app, route, path, body)
            if route == "POST /api/admin/bans":
                ids["ban_id"] = made.json["id"]
            if route == "POST /api/admin/announcements":
                ids["announcement"] = made.json["id"]
        await asked(
            app,
            "POST /api/admin/bans",
            "/api/admin/bans",
            {**why, "person": person, "ends": later()},
        )
        for route in last:
            await asked(app, route, route.partition(" ")[2].format(**ids), why)


async def test_who_has_no_key_gets_no_further_than_the_door(tmp_path: Path) -> None:
    async with measured(make_app(config(tmp_path))) as app:
        routes = [each for each in COSTS if "/api/admin" in each]
        statements = 0
        for route in routes:
            method, _, path = route.partition(" ")
            spent = await app.ask(method, path, {} if method == "POST" else None)
            assert (spent.status, spent.json["code"]) == (403, "needs_key"), route
            statements += spent.statements
        assert statements < len(routes) / 2  # heartbeats: none looks anything up
        # Ten wrong keys, each of them in the audit log; then not even the right one gets in.
        for tried in range(12):
            spent = await app.ask("GET", "/api/admin", None, authorization=f"Bearer wrong{tried}")
            assert spent.status == (403 if tried < 10 else 429)
        spent = await app.ask("GET", "/api/admin", None, authorization=f"Bearer {KEY}")
        assert spent.status == 429
        assert int(spent.headers["retry-after"]) > 0


async def test_the_right_key_counts_nothing(tmp_path: Path) -> None:
    async with measured(make_app(config(tmp_path))) as app:
        for _ in range(15):
            assert (await asked(app, "GET /api/admin", "/api/admin")).status == 200
        wrong = await app.ask("GET", "/api/admin", None, authorization="Bearer wrong")
        assert wrong.status == 403
        (event,) = (await asked(app, "GET /api/admin/audit", "/api/admin/audit")).json["events"]
        assert (event["who"], event["what"]) == ("anybody", "operator_key_wrong")
        assert event["detail"] == {"address": "192.0.2.1"}


async def test_who_runs_the_server_is_said_everywhere(tmp_path: Path) -> None:
    """Without a database, which none of this needs."""
    told = {"name": "<Club>", "privacy": "We keep little.", "contact": "club@example.org"}
    base = "https://spike.example.org/games"
    app = MeasuredApp(make_app(config(tmp_path, base_url=base, **told)))
    about = await app.ask("GET", "/api/about")
    assert about.json == {**told, "imprint": None}
    page = (await app.ask("GET", "/", accept="text/html")).answer.decode()
    assert "&lt;Club&gt;" in page
    robots = (await app.ask("GET", "/robots.txt")).answer.decode()
    assert "Disallow: /games/table/\n" in robots
    text = (await app.ask("GET", "/.well-known/security.txt")).answer.decode()
    assert text.startswith("Contact: mailto:club@example.org\nExpires: 20")
    assert f"Canonical: {base}/.well-known/security.txt" in text
    silent = MeasuredApp(make_app(Config(sqlite_in(tmp_path))))
    assert (await silent.ask("GET", "/.well-known/security.txt")).status == 404
    assert (await silent.ask("GET", "/api/admin")).status == 404
