"""Persons, sessions and links."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest

from lastspike.server.storage import PersonRow, SessionRow, Storage

pytestmark = pytest.mark.anyio


def session(secret: bytes, created: int = 0, expires: int = 100, seen: int = 0) -> SessionRow:
    return SessionRow(secret, created, expires, seen)


async def person_of(storage: Storage, secret: bytes, now: int = 1) -> PersonRow | None:
    found = await storage.persons.of_session(secret, now)
    return None if found is None else found[0]


async def known(storage: Storage, secrets: Iterable[bytes]) -> list[str | None]:
    found = [await person_of(storage, secret) for secret in secrets]
    return [row and row.id for row in found]


async def test_a_session_leads_to_its_person_until_it_expires(storage: Storage) -> None:
    row = session(b"secret", 100, 200)
    await storage.persons.add("ann", "Ann", row)
    assert await storage.persons.of_session(b"secret", 199) == (PersonRow("ann", "Ann"), row)
    assert await storage.persons.of_session(b"secret", 200) is None
    assert await storage.persons.of_session(b"other", 150) is None
    used = row._replace(expires_at=300, seen_at=150, browser="Firefox", host_only=True)
    await storage.persons.update_session(used)
    assert await storage.persons.of_session(b"secret", 299) == (PersonRow("ann", "Ann"), used)


async def test_a_person_is_renamed(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", session(b"a"))
    await storage.persons.add("bob", "Bob", session(b"b"))
    await storage.persons.rename("ann", "Änne 🚂")
    assert await person_of(storage, b"a") == PersonRow("ann", "Änne 🚂")
    assert await person_of(storage, b"b") == PersonRow("bob", "Bob")


async def test_who_agrees_to_publication_until_they_withdraw_or_are_erased(
    storage: Storage,
) -> None:
    for person in ("ann", "bob", "eve"):
        await storage.persons.add(person, person, session(person.encode()))
        await storage.persons.let_publish(person, 7)
    assert await storage.persons.publishes_since("ann") == 7
    assert await storage.persons.publishing() == {"ann", "bob", "eve"}
    await storage.persons.let_publish("ann", None)
    assert await storage.persons.publishes_since("ann") is None
    await storage.personal_data.begin_erasure("bob")
    assert await storage.persons.publishing() == {"eve"}


async def test_sessions_are_listed_as_they_were_last_seen(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", session(b"1", seen=5))
    await storage.persons.add("bob", "Bob", session(b"9", seen=99))
    for secret, seen, expires in ((b"2", 9, 100), (b"3", 7, 100), (b"4", 50, 60)):
        await storage.persons.add_session("ann", session(secret, 0, expires, seen))
    listed = await storage.persons.sessions_of("ann", now=60)
    assert [row.secret_hash for row in listed] == [b"2", b"3", b"1"]


async def test_sessions_end_one_by_one_or_together(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", session(b"1"))
    await storage.persons.add("bob", "Bob", session(b"9"))
    for secret in (b"2", b"3", b"4", b"5"):
        await storage.persons.add_session("ann", session(secret))
    for link, person in ((b"of ann", "ann"), (b"of bob", "bob"), (b"kept", "bob")):
        await storage.persons.new_link(link, person, expires=100)
    assert await storage.persons.end_sessions("ann", only=b"4", keep_links=True) == [b"4"]
    assert await storage.persons.end_sessions("ann", only=b"9") == []  # which is Bob's
    assert await storage.persons.use_link(b"of ann", 50) is None  # it would bring a device back
    assert sorted(await storage.persons.end_sessions("ann", but=b"2")) == [b"1", b"3", b"5"]
    assert await known(storage, (b"1", b"2", b"3", b"4", b"9")) == [None, "ann", None, None, "bob"]
    assert await storage.persons.living([b"1", b"2", b"9"]) == {b"2", b"9"}
    assert await storage.persons.use_link(b"of bob", 50) == "bob"
    await storage.persons.end_sessions("bob", only=b"none", keep_links=True)
    assert await storage.persons.use_link(b"kept", 50) == "bob"
    assert await storage.persons.end_sessions("ann") == [b"2"]
    assert await known(storage, (b"2", b"9")) == [None, "bob"]


async def test_a_link_works_once(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", session(b"1"))
    await storage.persons.new_link(b"link", "ann", expires=100)
    assert await storage.persons.use_link(b"other", 50) is None
    assert await storage.persons.dead_link(b"other") is None
    assert await storage.persons.use_link(b"link", 50) == "ann"
    assert await storage.persons.use_link(b"link", 50) is None
    assert await storage.persons.dead_link(b"link") == ("ann", True)
    assert await storage.persons.dead_link(b"link") is None  # told once


async def test_a_link_that_has_expired_does_not_work(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", session(b"1"))
    await storage.persons.new_link(b"link", "ann", expires=100)
    assert await storage.persons.use_link(b"link", 100) is None
    assert await storage.persons.dead_link(b"link") == ("ann", False)


async def test_a_link_works_once_whoever_asks_at_the_same_moment(
    storage: Storage, other: Storage
) -> None:
    await storage.persons.add("ann", "Ann", session(b"1"))
    for number in range(10):
        token = bytes([number])
        await storage.persons.new_link(token, "ann", 100)
        used = await asyncio.gather(
            *(worker.persons.use_link(token, 1) for worker in (storage, other, storage, other))
        )
        assert sorted(used, key=str) == [None, None, None, "ann"]
