"""Which bans hold for whom: persons, addresses of both kinds, and time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lastspike.server.admin.bans import Bans, network_of
from lastspike.server.http.limits.rate_limits import address_key
from lastspike.server.live.registry import TableRegistry
from lastspike.server.storage import Storage
from lastspike.server.storage.rows import BanRow
from lastspike.server.table.now import now_ms
from tests.server.siege import opened, sqlite_in

pytestmark = pytest.mark.anyio


def row(number: int, *, ends: int = 60_000, **whom: Any) -> BanRow:
    of = {"person_id": None, "network": None} | whom
    return BanRow(str(number), **of, reason="?", created_at=number, ends_at=now_ms() + ends)


async def holding(storage: Storage, *rows: BanRow) -> Bans:
    for each in rows:
        await storage.moderation.add_ban(each)
    bans = Bans(storage, TableRegistry(storage), None)
    await bans.load()
    return bans


async def test_a_network_covers_its_addresses(tmp_path: Path) -> None:
    storage = await opened(sqlite_in(tmp_path))
    bans = await holding(
        storage,
        row(1, network=str(network_of("203.0.113.77/24"))),
        row(2, network=str(network_of("2001:db8:7::/48"))),
        row(3, network=str(network_of("2001:db8:9::1"))),
        row(4, network=str(network_of("192.0.2.7"))),
        row(5, network="198.51.100.0/24", ends=-1),
        row(6, person_id="mallory"),
    )
    try:
        for host, number in {
            "203.0.113.1": "1",
            "203.0.114.1": None,
            "::ffff:203.0.113.9": "1",
            "2001:db8:7:ffff::1": "2",
            "2001:db8:8::1": None,
            "2001:db8:9::2": "3",  # the same /64, so the same caller
            "192.0.2.7": "4",
            "192.0.2.8": None,
            "198.51.100.1": None,  # it has ended
            "": None,
        }.items():
            ban = bans.of(None, address_key(host))
            assert (None if ban is None else ban.id) == number, host
        ban = bans.of("mallory", "192.0.2.8")
        assert ban is not None
        assert ban.id == "6"
        assert bans.of("ada", "192.0.2.8") is None
    finally:
        await storage.close()


async def test_of_two_bans_the_longer_counts_and_ended_ones_are_forgotten(tmp_path: Path) -> None:
    storage = await opened(sqlite_in(tmp_path))
    long, short = row(1, person_id="eve", ends=90_000), row(2, person_id="eve", ends=30_000)
    bans = await holding(storage, long, short, row(3, person_id="bob", ends=-5))
    try:
        assert bans.of("eve", "") == long
        await storage.moderation.delete_ended(now_ms(), 0)
        left = await storage.moderation.bans(0)
        assert {each.id for each in left} == {"1", "2"}
    finally:
        await storage.close()


async def test_a_ban_that_has_ended_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are read again only when the operator changes one."""
    storage = await opened(sqlite_in(tmp_path))
    wide = row(1, network="203.0.0.0/16", ends=90_000)
    bans = await holding(
        storage,
        row(2, network="203.0.113.0/24", ends=30_000),
        row(3, person_id="eve", ends=30_000),
        wide,
    )
    try:
        now = now_ms()
        monkeypatch.setattr("lastspike.server.admin.bans.now_ms", lambda: now + 60_000)
        assert bans.of(None, "203.0.113.7") == wide
        assert bans.of("eve", "203.0.113.7") == wide
        assert bans.of("eve", "192.0.2.1") is None
    finally:
        await storage.close()
