"""Following another server's chain: its links are checked, kept, and asked for once a day."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from lastspike import protocol as p
from lastspike.client import Person, RefusedError
from lastspike.daily.chain import SecretChain, begins_ms
from lastspike.rules.errors import LastSpikeError
from lastspike.server.alerts.fetching import fetch
from lastspike.server.daily import following
from lastspike.server.daily.chains import Chains
from lastspike.server.daily.following import Followed
from lastspike.server.storage import Storage
from lastspike.server.table.errors import NotFound
from tests.server.running import running_server

from .test_days import opened

pytestmark = pytest.mark.anyio

DAY = date(2026, 11, 19)
KEY = "a key for friends"
URL = "https://other.example/spike"
SECRET = SecretChain(date(2026, 10, 1), b"s" * 32, 100)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Other:
    """The server that is followed, without a network."""

    def __init__(self, secret: SecretChain = SECRET) -> None:
        self.secret = secret
        self.day = DAY
        self.asked = 0
        self.down = False

    async def fetch(self, url: str, headers: dict[str, str]) -> bytes:
        assert (url, headers) == (f"{URL}/api/daily/link", {"Authorization": f"Bearer {KEY}"})
        self.asked += 1
        if self.down:
            raise OSError("nobody there")
        chain = self.secret.chain
        told = p.DailyChain(chain.anchor.hex(), chain.first.isoformat(), False)
        link = self.secret.link(self.day).hex()
        number = chain.number(self.day)
        return msgspec.json.encode(p.DailyProof(self.day.isoformat(), number, told, link, "e", []))

    def chains(self, storage: Storage) -> Chains:
        followed = Followed(storage, URL, KEY, self.fetch)
        return Chains(storage, "own", lambda: begins_ms(self.day) + 1, followed)


async def test_each_day_s_link_is_asked_for_once_and_kept(tmp_path: Path) -> None:
    async with opened(tmp_path) as storage:
        other = Other()
        chains = other.chains(storage)
        assert await chains.link_to_play(DAY) == SECRET.link(DAY)
        assert await chains.commitment(DAY) == SECRET.link(DAY - timedelta(days=1))
        assert await chains.revealed(DAY - timedelta(days=30)) == SECRET.link(DAY - timedelta(30))
        assert await chains.told() == p.DailyChain(
            SECRET.chain.anchor.hex(), "2026-10-01", False, "other.example"
        )
        again = other.chains(storage)  # a restart
        assert await again.link_to_play(DAY) == SECRET.link(DAY)
        assert other.asked == 1
        other.day = DAY + timedelta(days=1)
        assert await again.link_to_play(other.day) == SECRET.link(other.day)
        assert other.asked == 2


async def test_a_server_that_is_down_or_another_chain_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(following, "monotonic", lambda: now)
    async with opened(tmp_path) as storage:
        other = Other()
        other.down = True
        chains = other.chains(storage)
        for _ in range(3):
            with pytest.raises(NotFound, match="isn’t here yet"):
                await chains.anchor()
        assert other.asked == 1, "a server that is down was asked at once again"
        other.down = False
        now += following.AGAIN_S
        anchor = await chains.anchor()
        other.day = DAY + timedelta(days=1)
        for wrong in (
            SecretChain(SECRET.first, b"x" * 32, 100),  # of another chain
            SecretChain(SECRET.first + timedelta(days=1), SECRET.last, 100),  # of other days
        ):
            now += following.AGAIN_S
            other.secret = wrong
            with pytest.raises(NotFound, match="isn’t here yet"):
                await chains.link_to_play(other.day)
        assert await chains.link_to_play(DAY) == SECRET.link(DAY), "what is known was lost"
        now += following.AGAIN_S
        other.secret = SECRET
        assert await chains.link_to_play(other.day) == SECRET.link(other.day)
        assert await chains.anchor() == anchor


@pytest.mark.parametrize(
    "wrong",
    [
        {"link": "ab" * 32},
        {"link": "no link"},
        {"day": "2026-11-20"},
        {"day": "9999-01-01"},
        {"chain": p.DailyChain(SECRET.chain.anchor.hex(), "2026-10-01", True)},  # no secret
    ],
)
async def test_what_is_no_link_of_the_chain_told_is_refused(
    wrong: dict[str, Any], tmp_path: Path
) -> None:
    class Wrong(Other):
        async def fetch(self, url: str, headers: dict[str, str]) -> bytes:
            told = msgspec.json.decode(await super().fetch(url, headers), type=p.DailyProof)
            return msgspec.json.encode(msgspec.structs.replace(told, **wrong))

    async with opened(tmp_path) as storage:
        with pytest.raises(NotFound, match="isn’t here yet"):
            await Wrong().chains(storage).anchor()
        assert await storage.daily.known_chain(URL) is None


async def test_no_address_inside_is_asked() -> None:
    for url in ("http://127.0.0.1:8869/", "https://user@other.example/", "file:///etc/passwd"):
        with pytest.raises(LastSpikeError):
            await fetch(url, {}, allow_private=False)


async def test_two_servers_deal_the_same_and_tell_nobody_else(tmp_path: Path) -> None:
    def database(name: str) -> str:
        return f"sqlite+aiosqlite:///{tmp_path / name}"

    with (
        running_server(database("one"), daily_key=KEY) as one,
        running_server(
            database("two"), daily_follow=one.url, daily_key=KEY, allow_private_webhooks=True
        ) as two,
    ):
        async with httpx.AsyncClient() as http:
            for server, key, status in ((one, "?", 403), (one, f"{KEY}!", 403), (two, KEY, 404)):
                headers = {"Authorization": f"Bearer {key}"}
                answer = await http.get(f"{server.url}/api/daily/link", headers=headers)
                assert answer.status_code == status
        hands = []
        for server in (one, two):
            async with Person(server.url, "Ada") as ada:
                today = await ada.daily()
                async with ada.watch(await ada.play_daily(today.day)) as table:
                    await table.until(lambda table: table.view)
                    assert table.view is not None
                    hands.append((today.commitment, table.view["hands"]))
                with pytest.raises(RefusedError):
                    await ada.daily_proof(today.day)
        assert hands[0] == hands[1]
        assert two.url not in one.log
        assert KEY not in one.log + two.log
