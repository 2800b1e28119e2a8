"""The operator's actions with two workers on PostgreSQL: they hold at both, at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from lastspike import protocol as p
from lastspike.client import LostError, Person, RefusedError, Table
from tests.server.company import FAST, PATIENCE, happened, people, until
from tests.server.databases import PostgresServer
from tests.server.running import RunningServer, running_server

from .operating import KEY_HASH, Operating, later

pytestmark = pytest.mark.anyio

Pair = tuple[RunningServer, RunningServer]
TOLD = {"reason": "house rules"}


@pytest.fixture(scope="module")
def pair(postgres_server: PostgresServer) -> Iterator[Pair]:
    with (
        postgres_server.new_database() as url,
        running_server(url, admin_key_hash=KEY_HASH) as one,
        running_server(url, admin_key_hash=KEY_HASH) as other,
    ):
        yield one, other


def device(person: Person, server: RunningServer) -> Person:
    """The same person through the other worker."""
    return Person(server.url, person.name, secret=person.secret, patience=PATIENCE)


async def lost(table: Table) -> int | None:
    with pytest.raises(LostError) as cause:
        await table.until(lambda _: False, PATIENCE)
    return cause.value.code


async def test_bans_announcements_and_deletions_reach_both_workers(pair: Pair) -> None:
    one, other = pair
    async with (
        people(other.url, "Ada", "Mallory") as (ada, mallory),
        Operating(one.url) as operator,
        Operating(other.url) as elsewhere,
    ):
        table_id = await ada.create(["me", None], FAST)
        await mallory.take_seat(table_id)
        their_id = (await mallory.me()).person
        async with (
            ada.watch(table_id) as a,
            mallory.watch(table_id) as m,
            device(mallory, one) as second,
            second.watch(table_id) as n,
        ):
            # What one worker is told, those at the other hear.
            made = await operator.post("announcements", text="Tea at four.", ends=later())
            for table in (a, m, n):
                await table.until(lambda table: table.announcements, PATIENCE)
            await elsewhere.delete(f"announcements/{made['id']}")
            for table in (a, m, n):
                await table.until(lambda table: not table.announcements, PATIENCE)

            seen = (await operator.get("connections"))["connections"]
            assert sorted(each["name"] for each in seen) == ["Ada", "Mallory", "Mallory"]
            assert (await operator.get())["workers"] == 2

            line = await m.say("nasty")
            await operator.post(f"tables/{table_id}/redact", step=line, **TOLD)
            await operator.post(f"persons/{their_id}/rename", name="Moll", **TOLD)
            await a.until(lambda table: happened(table, "person_renamed"), PATIENCE)
            assert happened(a, "chat_redacted")[0]["step"] == line
            assert a.info.seats[1].name == "Moll"

            ban = await operator.post("bans", person=their_id, ends=later(), **TOLD)
            assert [await lost(m), await lost(n)] == [p.CLOSE_BANNED, p.CLOSE_BANNED]
            for device_of_theirs in (mallory, second):
                with pytest.raises(RefusedError, match="banned"):
                    await device_of_theirs.create(["me", "clerk"], FAST)
            await elsewhere.delete(f"bans/{ban['id']}")

            async def back() -> bool:
                tables = await asyncio.gather(
                    mallory.tables(), second.tables(), return_exceptions=True
                )
                return not any(isinstance(each, BaseException) for each in tables)

            await until(back)
            await operator.post(f"tables/{table_id}/delete", **TOLD)
            assert await lost(a) == p.CLOSE_GONE
        told = await elsewhere.audited()
        assert told == [
            "announced",
            "announcement_ended",
            "chat_redacted",
            "person_renamed",
            "banned",
            "ban_ended",
            "table_deleted",
        ]
