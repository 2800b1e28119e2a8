"""The chain: every link is committed to by the one before, and nothing later can be computed."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from itertools import pairwise

import pytest

from lastspike.daily.chain import PUBLIC, Chain, SecretChain, begins_ms, read_day, today
from lastspike.daily.deal import daily_game, player_seed
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.records.record import Shuffle, read_record, to_record
from lastspike.rules.records.shuffle import commitment

FIRST = date(2026, 11, 1)
SECRET = SecretChain(FIRST, b"l" * 32, days=40)


def test_each_link_is_the_commitment_to_the_next() -> None:
    days = [FIRST + timedelta(days=n) for n in range(-1, 39)]
    links = [SECRET.link(day) for day in days]
    assert links[0] == SECRET.chain.anchor
    for link, following in pairwise(links):
        assert link == hashlib.sha256(following).digest()
    assert len(set(links)) == len(links)


def test_only_the_link_of_the_day_holds() -> None:
    chain, day = SECRET.chain, date(2026, 11, 19)
    link = SECRET.link(day)
    assert chain.holds(day, link)
    assert not chain.holds(day - timedelta(days=1), link)
    assert not chain.holds(day + timedelta(days=1), link)
    assert not chain.holds(day, bytes([link[0] ^ 1]) + link[1:])
    assert not chain.holds(FIRST - timedelta(days=1), chain.anchor)
    assert not Chain(b"x" * 32, FIRST).holds(day, link)


def test_there_is_no_link_outside_the_chain() -> None:
    for day in (FIRST - timedelta(days=2), FIRST + timedelta(days=40)):
        with pytest.raises(LastSpikeError, match="no deal for"):
            SECRET.link(day)


def test_the_public_chain_never_changes() -> None:
    anchor = "d8b6f26654f57953"
    assert PUBLIC.chain.anchor.hex().startswith(anchor)
    assert PUBLIC.chain.holds(date(2026, 11, 19), PUBLIC.link(date(2026, 11, 19)))


def test_a_day_begins_at_midnight_utc() -> None:
    day = date(2026, 11, 19)
    assert today(begins_ms(day)) == day
    assert today(begins_ms(day) - 1) == day - timedelta(days=1)
    assert begins_ms(day) == 1_795_046_400_000


@pytest.mark.parametrize("text", ["2026-11-31", "20261119", "2026-W47-4", "today", "", "2026-1-1"])
def test_a_day_is_written_in_one_way_only(text: str) -> None:
    assert read_day("2026-11-19") == date(2026, 11, 19)
    with pytest.raises(LastSpikeError, match="isn’t a date"):
        read_day(text)


def test_a_record_of_a_daily_game_is_verified_like_any_other() -> None:
    """The link of the day before is the commitment that its shuffle begins with."""
    link = SECRET.link(date(2026, 11, 19))
    record = to_record(daily_game(link), Shuffle(link, ()))
    assert record["shuffle"]["commitment"] == SECRET.link(date(2026, 11, 18)).hex()
    assert read_record(record).shuffle is not None
    record["shuffle"]["seed"] = SECRET.link(date(2026, 11, 20)).hex()
    record["shuffle"]["commitment"] = commitment(SECRET.link(date(2026, 11, 20))).hex()
    with pytest.raises(LastSpikeError):
        read_record(record)


def test_the_same_moves_meet_the_same_deal_and_the_same_seeds() -> None:
    link, other = SECRET.link(FIRST), SECRET.link(FIRST + timedelta(days=1))
    assert daily_game(link) == daily_game(link)
    assert daily_game(link) != daily_game(other)
    seeds = {player_seed(each, turn) for each in (link, other) for turn in range(-12, 48)}
    assert len(seeds) == 120
    assert player_seed(link, 3) == player_seed(link, 3)
