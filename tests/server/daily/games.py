"""Games of the Daily Deal and of days, as a database has them in the middle of a day: in two worlds
that differ only in what a viewer can't see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
import pytest

from lastspike import protocol as p
from lastspike.daily.chain import DAYS, SecretChain, begins_ms
from lastspike.daily.score import Points, Score, TurnPoints
from lastspike.server.daily.chains import Chains, ends_ms
from lastspike.server.daily.tries import deal_table
from lastspike.server.people.sessions import SESSION_MS, hashed
from lastspike.server.storage import SessionRow, Storage
from lastspike.server.storage.queries.daily import ChainRow, TryRow
from lastspike.server.storage.rows import to_append
from lastspike.server.table import log_events as e
from lastspike.server.table.log_events import Draft
from lastspike.server.table.state import to_stored_deal
from tests.server.paper import Paper
from tests.server.worlds import Swap, swapped, unseen_swap

DAY = date(2026, 11, 19)
NOON = begins_ms(DAY) + 43_200_000
ADA, BOB, CAY = "p0", "p1", "p2"
PEOPLE = (ADA, BOB, CAY)
SEATS = {ADA: 0, BOB: 1}
ADAS, CAYS, FRIENDS = "a" * 22, "c" * 22, "f" * 22
"""The tables of Ada's and Cay's ranked games, and of Ada's and Bob's game of days."""
FIRST, OTHER = b"l" * 32, b"o" * 32
"""Today's link in the two worlds. To everybody its commitment is the same, as no real links' are:
only so can it be that nothing but the link differs."""
CHAIN = ChainRow("2026-10-20", b"c" * 32, DAYS)


def secret_of(person: str) -> str:
    """The person's cookie."""
    return person.ljust(43, "_")


class Ranked(Paper):
    """A ranked game of today with the deal of a link, or with other hidden tiles."""

    def __init__(self, table: str, person: str, link: bytes, swap: Swap | None = None) -> None:
        self._person, self._link, self._swap = person, link, swap or {}
        super().__init__(table=table, now=NOON - 3_600_000)

    def _created(self, _seats: object, _settings: object) -> Draft:
        marked = e.DailyDealt(DAY.isoformat(), 31, "00" * 32, True, ends_ms(DAY))
        told = deal_table(FIRST, marked, self._person, self._person.upper())
        deal = FIRST if self._swap else self._link
        secrets = deal_table(deal, marked, self._person, "").secrets
        assert secrets is not None
        assert secrets.deal is not None
        changed = {"deal": swapped(secrets.deal, self._swap), "seed": self._link.hex()}
        return told._replace(secrets=msgspec.structs.replace(secrets, **changed))


class World(NamedTuple):
    """Ada plays today's deal and a game with Bob; Cay has played today's deal, unlisted."""

    link: bytes
    adas: Paper
    cays: Paper
    friends: Paper
    points: float

    @property
    def papers(self) -> tuple[Paper, ...]:
        return self.adas, self.cays, self.friends


def friends_game(swap: Swap | None = None) -> Paper:
    """A game of days whose tiles are dealt."""
    game = Paper(
        ("me", None, "clerk"),
        p.Settings(clock=p.DaysClock(3)),
        table=FRIENDS,
        now=NOON - 3_600_000,
    )
    game.sit(BOB)
    game.start()
    started = game.log[-1]
    assert started.secrets is not None
    assert started.secrets.deal is not None
    if not swap:
        return game
    deal = swapped(started.secrets.deal, swap)
    swapped_step = started._replace(secrets=msgspec.structs.replace(started.secrets, deal=deal))
    game.log[-1] = swapped_step
    game.state = game.replayed()
    return game


def worlds_of(viewer: str) -> tuple[World, World]:
    """Two worlds that this viewer, whose turn it is, can't tell apart. To Bob, all of Ada's and
    Cay's games of today is hidden, even how far they are."""
    rng = Random(viewer)
    one = World(
        FIRST, Ranked(ADAS, ADA, FIRST), Ranked(CAYS, CAY, FIRST), friends_game(), points=12.0
    )
    _until_turn_of(one.adas, ADA, 9)
    one.cays.play(level="surveyor")
    _until_turn_of(one.friends, viewer, 9)
    hidden = unseen_swap(one.friends.state, _dealt(one.friends), SEATS[viewer], rng)
    friends = friends_game(hidden)
    if viewer == ADA:
        swap = unseen_swap(one.adas.state, _dealt(one.adas), SEATS[ADA], rng)
        adas: Paper = Ranked(ADAS, ADA, OTHER, swap)
        _repeat(one.adas, adas)
    else:
        adas = Ranked(ADAS, ADA, OTHER)
        _until_turn_of(adas, ADA, 17)
    other = World(OTHER, adas, Ranked(CAYS, CAY, OTHER), friends, points=-30.0)
    other.cays.play(level="surveyor")
    _repeat(one.friends, friends)
    for mine, others in zip(one.papers, other.papers, strict=True):
        assert mine.state.playing.position.hidden != others.state.playing.position.hidden
    return one, other


def _until_turn_of(paper: Paper, person: str, least: int) -> None:
    """Play until it is this person's turn, after some turns."""
    seat = SEATS[person]
    while paper.state.turn < least or paper.state.to_move() != seat:
        assert paper.state.status == "playing"
        paper.play(1)


def _repeat(one: Paper, other: Paper) -> None:
    """The same turns again, where other tiles are hidden."""
    for step in one.log:
        for event in step.events:
            if isinstance(event, e.TurnMade):
                other.turn(list(event.moves))


def _dealt(paper: Paper) -> e.StoredDeal:
    return to_stored_deal(paper.state.setup, paper.state.playing.deal)


async def store(world: World, folder: Path) -> str:
    """The database of a server in this world."""
    url = f"sqlite+aiosqlite:///{folder / 'world.db'}"
    storage = Storage(url)
    await storage.open()
    try:
        for person in PEOPLE:
            session = SessionRow(hashed(secret_of(person)), NOON, NOON + SESSION_MS, NOON)
            await storage.persons.add(person, person.upper(), session)
        await storage.daily.chain(CHAIN)
        for key in ("push", "mail-links"):
            await storage.alerts.key(key, b"k" * 32)
        anchor = await Chains(storage, "own", now=lambda: NOON).anchor()
        for table, person in ((ADAS, ADA), (CAYS, CAY)):
            day = DAY.isoformat()
            await storage.daily.begin(TryRow(table, person, anchor, day, True, NOON))
        body = msgspec.json.encode(_score(world.points))
        await storage.daily.keep(CAYS, world.points, 5.0, False, body)
        for paper in world.papers:
            await _store_log(storage, paper)
    finally:
        await storage.close()
    return url


async def _store_log(storage: Storage, paper: Paper) -> None:
    rows = [
        to_append(paper.state.id, step, index)
        for step, index in zip(paper.log, paper.indexes, strict=True)
    ]
    await storage.logs.create_table(rows[0], listed=paper.state.daily is None)
    for row in rows[1:]:
        assert await storage.logs.append(row)


def _score(points: float) -> Score:
    turns: Sequence[TurnPoints] = [TurnPoints(1, points, 5.0)]
    return Score(Points(points, 5.0), list(turns), 1.0, 1, 60_000)


@contextmanager
def link_of(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The chain has this world's link for today."""
    link = SecretChain.link

    def of_this_world(chain: SecretChain, day: date) -> bytes:
        return world.link if day == DAY else link(chain, day)

    with monkeypatch.context() as patched:
        patched.setattr(SecretChain, "link", of_this_world)
        yield
