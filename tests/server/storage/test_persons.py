"""Persons, sessions and links."""

from __future__ import annotations

import asyncio

import pytest

from lastspike.server.storage import PersonRow, Storage

pytestmark = pytest.mark.anyio


async def test_a_session_leads_to_its_person_until_it_expires(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", b"secret", now=100, expires=200)
    assert await storage.persons.of_session(b"secret", 199) == PersonRow("ann", "Ann")
    assert await storage.persons.of_session(b"secret", 200) is None
    assert await storage.persons.of_session(b"other", 150) is None
    await storage.persons.extend_session(b"secret", 300)
    assert await storage.persons.of_session(b"secret", 299) == PersonRow("ann", "Ann")


async def test_a_person_is_renamed(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", b"a", 0, 100)
    await storage.persons.add("bob", "Bob", b"b", 0, 100)
    await storage.persons.rename("ann", "Änne 🚂")
    assert await storage.persons.of_session(b"a", 1) == PersonRow("ann", "Änne 🚂")
    assert await storage.persons.of_session(b"b", 1) == PersonRow("bob", "Bob")


async def test_sessions_end_together(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", b"1", 0, 100)
    await storage.persons.add("bob", "Bob", b"9", 0, 100)
    await storage.persons.add_session("ann", b"2", 0, 100)
    await storage.persons.add_session("ann", b"3", 0, 100)
    for link, person in ((b"of ann", "ann"), (b"of bob", "bob")):
        await storage.persons.new_link(link, person, expires=100)
    await storage.persons.end_sessions("ann", except_hash=b"2")
    known = [await storage.persons.of_session(secret, 1) for secret in (b"1", b"2", b"3", b"9")]
    assert [row and row.id for row in known] == [None, "ann", None, "bob"]
    assert await storage.persons.use_link(b"of ann", 50) is None  # it would bring a device back
    assert await storage.persons.use_link(b"of bob", 50) == "bob"
    await storage.persons.end_sessions("ann")
    assert await storage.persons.of_session(b"2", 1) is None


async def test_a_link_works_once(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", b"1", 0, 100)
    await storage.persons.new_link(b"link", "ann", expires=100)
    assert await storage.persons.use_link(b"other", 50) is None
    assert await storage.persons.use_link(b"link", 50) == "ann"
    assert await storage.persons.use_link(b"link", 50) is None


async def test_a_link_that_has_expired_does_not_work(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", b"1", 0, 100)
    await storage.persons.new_link(b"link", "ann", expires=100)
    assert await storage.persons.use_link(b"link", 100) is None


async def test_a_link_works_once_whoever_asks_at_the_same_moment(
    storage: Storage, other: Storage
) -> None:
    await storage.persons.add("ann", "Ann", b"1", 0, 100)
    for number in range(10):
        token = bytes([number])
        await storage.persons.new_link(token, "ann", 100)
        used = await asyncio.gather(
            *(worker.persons.use_link(token, 1) for worker in (storage, other, storage, other))
        )
        assert sorted(used, key=str) == [None, None, None, "ann"]
