"""How often and how many at once, on a clock that the tests turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastspike.server.config.settings import Config, Limits
from lastspike.server.http.app import make_app
from lastspike.server.http.limits import rate_limits
from lastspike.server.http.limits.rate_limits import (
    HOLIDAYS_PER_DAY,
    Buckets,
    MessageLimit,
    RateLimits,
    SocketCount,
    address_key,
)
from lastspike.server.storage.rows import to_append
from lastspike.server.table.now import now_ms
from tests.server import paper
from tests.server.paper import Paper
from tests.server.siege import sqlite_in

from .measured_app import measured


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_lets_a_burst_through_and_then_its_rate() -> None:
    clock = Clock()
    buckets = Buckets(3, 0.5, clock=clock)
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 0]
    assert buckets.take("a") == 2
    clock.now += 1.5
    assert buckets.take("a") == pytest.approx(0.5)
    assert buckets.take("b") == 0
    clock.now += 0.5
    assert buckets.take("a") == 0
    assert buckets.take("a") > 0
    clock.now += 1000
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 2]


def test_knocking_does_not_keep_the_door_shut() -> None:
    clock = Clock()
    buckets = Buckets(1, 1, clock=clock)
    assert buckets.take("a") == 0
    passed = 0
    for _ in range(100):
        clock.now += 0.1
        passed += buckets.take("a") == 0
    assert 9 <= passed <= 10


def test_only_so_many_callers_are_remembered_and_the_active_ones_are() -> None:
    buckets = Buckets(1, 0.001, most=10, clock=Clock())
    assert buckets.take("a") == 0
    for number in range(1000):
        buckets.take(f"passing {number}")
        assert buckets.take("a") > 0
    assert len(buckets) == 10


def test_the_messages_of_a_socket() -> None:
    limit = MessageLimit(2, 1, now=0.0)
    assert [limit.take(0.0) for _ in range(3)] == [True, True, False]
    assert not limit.take(0.5)
    assert limit.take(1.0)
    assert not hasattr(limit, "__dict__")


def test_sockets_are_counted_by_address_and_in_all() -> None:
    sockets = SocketCount(each=2, total=3)
    assert sockets.acquire("a")
    assert sockets.acquire("a")
    assert not sockets.acquire("a")
    assert sockets.acquire("b")
    assert not sockets.acquire("c")
    sockets.release("a")
    assert sockets.acquire("c")
    for key in "abc":
        sockets.release(key)
    assert sockets.open == 0
    assert not sockets._of


def test_the_limits_are_those_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    chosen = Limits(requests_per_minute=2, tables_per_person_per_hour=1, sockets_per_address=2)
    for name, value in (("MESSAGES_PER_10S", 1), ("CHATS_PER_MINUTE", 1), ("SOCKETS_TOTAL", 3)):
        monkeypatch.setattr(rate_limits, name, value)
    limits = RateLimits(Config("sqlite:///x", limits=chosen), clock)
    assert [limits.requests.take("a") for _ in range(3)] == [0, 0, 30]
    assert [limits.tables.take("a") for _ in range(2)] == [0, pytest.approx(3600)]
    messages = limits.messages()
    assert messages.take(clock.now)
    assert not messages.take(clock.now + 9)
    assert messages.take(clock.now + 11)
    assert [limits.chats.take("a") for _ in range(2)] == [0, pytest.approx(60)]
    assert limits.chats.take("b") == 0
    assert [limits.sockets.acquire(key) for key in "aaabb"] == [True, True, False, True, False]


def test_a_venue_has_room_for_many_people() -> None:
    venues = ("192.0.2.7", "2001:db8:1::/48")
    config = Config("sqlite:///x", venues=venues, limits=Limits(persons_per_address_per_hour=2))
    limits = RateLimits(config, Clock())
    for key in ("192.0.2.7", "2001:db8:1:5::/64"):
        taken = [limits.persons.take(key) for _ in range(2 * rate_limits.VENUE_FACTOR + 1)]
        assert taken[:-1] == [0] * (2 * rate_limits.VENUE_FACTOR)
        assert taken[-1] == pytest.approx(3600 / 2 / rate_limits.VENUE_FACTOR)
        assert all(limits.sockets.acquire(key) for _ in range(101))
    for key in ("192.0.2.8", "2001:db8:2:5::/64", "a person"):
        assert [limits.persons.take(key) > 0 for _ in range(3)] == [False, False, True]


@pytest.mark.anyio
@pytest.mark.parametrize(("venues", "let_in"), [(("192.0.2.0/24",), 116), ((), 60)])
async def test_a_club_evening_behind_one_address(
    tmp_path: Path, venues: tuple[str, ...], let_in: int
) -> None:
    """Everybody who comes gives a name at the same hour."""
    config = Config(sqlite_in(tmp_path), venues=venues, player_processes=1)
    statuses = []
    async with measured(make_app(config)) as app:
        for number in range(116):
            app.cookie = ""
            statuses.append((await app.ask("POST", "/api/me", {"name": f"P{number}"})).status)
            if statuses[-1] == 429:
                break
    assert statuses.count(200) == let_in


@pytest.mark.anyio
async def test_holidays_change_a_few_times_a_day(tmp_path: Path) -> None:
    config = Config(sqlite_in(tmp_path), limits=Limits(requests_per_minute=10_000))
    soon = now_ms() + 86_400_000
    async with measured(make_app(config)) as app:
        await app.ask("POST", "/api/me", {"name": "Ada"})
        for _ in range(HOLIDAYS_PER_DAY // 2):
            added = await app.ask("POST", "/api/me/holidays", {"begins": soon, "ends": soon + 1})
            assert added.status == 201
            ended = await app.ask("DELETE", f"/api/me/holidays/{added.json['id']}")
            assert ended.status == 200
        for method, path in (("POST", "/api/me/holidays"), ("DELETE", "/api/me/holidays/x")):
            refused = await app.ask(method, path, {"begins": soon, "ends": soon + 1})
            assert refused.status == 429


@pytest.mark.anyio
async def test_a_rematch_is_a_table_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise one short game after another would make any number of them."""
    limits = Limits(tables_per_person_per_hour=1)
    app = make_app(Config(sqlite_in(tmp_path), player_processes=1, limits=limits))
    services = app.state["services"]
    async with measured(app) as here:
        who = (await here.ask("POST", "/api/me", {"name": "Ada"})).json["person"]
        monkeypatch.setattr(paper, "HOST", who)
        played = Paper(("me", "clerk"))
        played.start()
        played.play()
        for table_id in "ab":
            first, *others = [to_append(table_id, step) for step in played.log]
            await services.storage.logs.create_table(first, listed=False)
            for step in others:
                assert await services.storage.logs.append(step)
        asked = [await here.ask("POST", f"/api/tables/{each}/rematch") for each in "aab"]
        assert [each.status for each in asked] == [200, 200, 429]
        assert asked[0].json == asked[1].json
        assert int(asked[2].headers["retry-after"]) > 0
        assert (await services.registry.table("b")).state.rematch is None


def test_what_was_used_already_is_taken_and_given_back() -> None:
    clock = Clock()
    buckets = Buckets(10, 1, clock=clock)
    assert buckets.take("a", 6) == 0
    assert buckets.take("a", 6) == 2
    buckets.spend("a", 9)
    assert buckets.take("a", 1) == 6
    buckets.spend("a", -20)
    assert buckets.take("a", 10) == 0
    clock.now += 100
    assert buckets.take("a", 1000) == 0  # more than there ever is: all of it
    assert buckets.take("a") > 0


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("x" * 1000, "x" * 64),
        ("", ""),
    ],
)
def test_a_caller_is_an_address_or_an_ipv6_network(host: str, key: str) -> None:
    assert address_key(host) == key
