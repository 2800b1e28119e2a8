"""Nothing of a running daily game, or of any other, leaks by a route or an alert: two worlds that
differ only in what a viewer can't see give this viewer the same bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from lastspike.server.alerts.forms import Alert, Form, write_alert
from lastspike.server.alerts.personal import PersonalAlerts
from lastspike.server.alerts.when import TurnAlerts
from lastspike.server.config.settings import Config, Limits
from lastspike.server.http.app import make_app
from lastspike.server.jobs.players.player_pool import PlayerPool
from lastspike.server.storage import Storage, WebhookRow
from lastspike.server.storage.rows import ChannelRow
from lastspike.server.table.clocks.commands import nudge
from tests.server.alerts.receivers import Browser
from tests.server.company import Letter
from tests.server.paper import Paper

from .games import (
    ADA,
    ADAS,
    BOB,
    CAY,
    CAYS,
    DAY,
    FRIENDS,
    NOON,
    World,
    link_of,
    secret_of,
    store,
    worlds_of,
)

DAY_MS = 86_400_000
TABLES = (ADAS, CAYS, FRIENDS)
GIVEN = {
    "table_id": TABLES,
    "day": [(DAY + timedelta(days=days)).isoformat() for days in (-1, 0, 1)],
    "edition_id": ["columbia-2015"],
    "lesson_id": ["none"],
    "job": ["none"],
    "person": [ADA],
}
"""What stands in the addresses of routes. A new route that needs something else is missed here."""
BY_NATURE = {"/metrics"}
"""Counts what this server did and how long it took, for its operator alone."""
PAGES = ["/", "/daily", f"/daily/{DAY}", *(f"/table/{table}" for table in TABLES)]
PRYING = [
    *(f"/api/tables/{table}/review{quick}" for table in TABLES for quick in ("", "?quick=true")),
    f"/api/daily/{DAY + timedelta(days=1)}",
]

Answers = dict[str, tuple[int, list[tuple[str, str]], bytes]]


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands."""
    monkeypatch.setattr("time.time_ns", lambda: NOON * 1_000_000)


def addresses(app: Litestar) -> Iterator[str]:
    """Every address that can be read."""
    for path, item in app.openapi_schema.paths.items():  # type: ignore[union-attr]
        if item.get is not None and path not in BY_NATURE:
            names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
            for values in product(*(GIVEN[name] for name in names)):
                yield path.format(**dict(zip(names, values, strict=True)))
    yield from PAGES


def answers(folder: Path, world: World, viewers: list[str | None]) -> dict[str | None, Answers]:
    """What these viewers are answered on a server in this world, to whatever they ask."""
    folder.mkdir()
    database = asyncio.run(store(world, folder))
    limits = Limits(requests_per_minute=1_000_000)
    config = Config(
        database, public_list=True, player_processes=1, limits=limits, daily_key="k" * 20
    )
    found: dict[str | None, Answers] = {}
    with TestClient(make_app(config)) as client:
        for viewer in viewers:
            cookies = {} if viewer is None else {"lastspike": secret_of(viewer)}
            client.cookies = cookies
            got = found[viewer] = {}
            for address in addresses(client.app):
                answer = client.get(address)
                got[address] = answer.status_code, answer.headers.multi_items(), answer.content
            for address in PRYING:
                answer = client.post(address, json={"name": "X"})
                got[f"POST {address}"] = answer.status_code, [], answer.content
    return found


@pytest.mark.parametrize("viewer", [ADA, BOB])
def test_every_route_answers_the_same_whatever_is_hidden(
    viewer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(_pool: PlayerPool) -> None:
        """No computer has to play."""

    monkeypatch.setattr(PlayerPool, "start", nothing)
    told = []
    for number, world in enumerate(worlds_of(viewer)):
        with link_of(world, monkeypatch):
            told.append(answers(tmp_path / str(number), world, [viewer, CAY, None]))
    one, other = told
    for who in (viewer, None):
        assert one[who].keys() == other[who].keys()
        assert [at for at in one[who] if one[who][at] != other[who][at]] == []
    # They were answered, and what differs is seen by whom it concerns.
    mine = one[viewer]
    assert not {status for status, *_ in mine.values()} & {429, 500}
    assert ADAS.encode() in mine["/api/me/tables"][2] or viewer == BOB
    assert mine["/api/daily"][0] == mine["/api/daily/calendar"][0] == 200
    assert one[CAY][f"/api/daily/results/{CAYS}"] != other[CAY][f"/api/daily/results/{CAYS}"]
    assert mine[f"/api/daily/proof/{DAY}"][0] == mine[f"/api/daily/results/{CAYS}"][0] - 1 == 403


class Sent:
    """What a person is sent while their page is closed: push messages, e-mail and webhooks."""

    FORMS: tuple[Form, ...] = ("discord", "slack", "ntfy", "json")

    def __init__(self, storage: Storage, person: str) -> None:
        self.told: list[object] = []
        self._storage = storage
        self._person = person
        sender: Any = SimpleNamespace(send=self._webhook, post=self._push)
        mail: Any = SimpleNamespace(available=True, send=self._mail)
        presence: Any = SimpleNamespace(away_since=self._away)
        registry: Any = SimpleNamespace(newest=self._newest)
        self._table: Any = None
        config = Config(base_url="https://spike.example")
        self._personal = PersonalAlerts(config, storage, registry, presence, sender, mail)
        self._alerts = TurnAlerts(storage, presence, sender, config.page_url, self._personal)

    async def start(self) -> None:
        await self._personal.start()
        service: Any = SimpleNamespace(url="https://push.example")
        self._browser = Browser(service, self._person)
        push = self._browser.subscription()
        for row in (
            ChannelRow(
                "p", self._person, "push", push.endpoint, push.p256dh, push.auth, "fr", 1, 1
            ),
            ChannelRow("m", self._person, "mail", "me@example.org", "", "", "ja", 1, 1),
        ):
            await self._storage.alerts.add_channel(row)
        for form in self.FORMS:
            hook = WebhookRow(form, self._person, None, "https://hook.example", form, "pt")
            await self._storage.webhooks.add(hook)

    async def of(self, paper: Paper) -> None:
        """The last step at this table happens, then the others remind, and time runs out."""
        self._table = SimpleNamespace(state=paper.state, connections={})
        self._alerts.changed(self._table, paper.log[-1:], own=True)
        await asyncio.gather(*self._alerts._tasks)
        if paper.state.id == FRIENDS:
            paper.now = NOON + DAY_MS
            paper.do(nudge, BOB if self._person == ADA else ADA, 0, paper.now)
            self._alerts.changed(self._table, paper.log[-1:], own=True)
            await asyncio.gather(*self._alerts._tasks)
        await self._personal.send_due(NOON + 3 * DAY_MS)

    def _webhook(self, _url: str, form: Form, alert: Alert, _owner: str) -> None:
        self.told.append((form, *write_alert(form, alert)))

    def _push(self, path: str, content: bytes, headers: dict[str, str], *_: object) -> None:
        signed = {name.lower(): value for name, value in headers.items()}
        read = self._browser.read(Letter(path, signed, content))
        del signed["authorization"]
        self.told.append(("push", read, len(content), signed))

    def _mail(self, to: str, mail: EmailMessage) -> None:
        for name in ("Date", "Message-ID"):
            del mail[name]
        self.told.append((to, mail.as_bytes()))

    async def _away(self, _table: object, _person: str) -> int:
        return 0

    async def _newest(self, _table: str) -> Any:
        return self._table


@pytest.mark.parametrize("viewer", [ADA, BOB])
def test_alerts_are_the_same_whatever_is_hidden(
    viewer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sent(world: World, folder: Path) -> list[object]:
        folder.mkdir()
        storage = Storage(await store(world, folder))
        await storage.open()
        try:
            box = Sent(storage, viewer)
            await box.start()
            for paper in (world.adas, world.friends):
                await box.of(paper)
            return box.told
        finally:
            await storage.close()

    one, other = worlds_of(viewer)
    with link_of(one, monkeypatch):
        told = asyncio.run(sent(one, tmp_path / "one"))
    with link_of(other, monkeypatch):
        assert asyncio.run(sent(other, tmp_path / "other")) == told
    kinds = {entry[0] for entry in told if isinstance(entry, tuple)}
    assert kinds == {"push", "me@example.org", *Sent.FORMS}
