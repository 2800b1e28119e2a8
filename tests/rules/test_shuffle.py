"""The verifiable shuffle: fixed vectors, and an independent slow implementation beside it."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator

import pytest

from lastspike.rules.board import board_of
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.records.record import Shuffle
from lastspike.rules.records.shuffle import Stream, commitment, deal, seed_of_series, seed_of_text
from lastspike.rules.table import setup

from .helpers import small_map

WORDS = 2**32


class SlowStream:
    """The shuffle word for word as the rules describe it, without a thought for speed."""

    def __init__(self, seed: bytes, contributions: list[bytes]) -> None:
        self.key = hashlib.sha256(b"lastspike/1" + seed + b"".join(contributions)).digest()
        self.taken = 0

    def word(self) -> int:
        block, place = divmod(self.taken, 8)
        self.taken += 1
        digest = hashlib.sha256(self.key + block.to_bytes(8, "big")).digest()
        return int.from_bytes(digest[4 * place : 4 * place + 4], "big")

    def below(self, m: int) -> int:
        while (word := self.word()) >= WORDS - WORDS % m:
            pass
        return word % m

    def shuffle(self, items: list[str]) -> list[str]:
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


def _driven(*words: int) -> Stream:
    """A stream that gives these words, and then runs dry."""
    stream = Stream(b"")
    stream._words = iter(words)
    return stream


def test_golden_check_of_the_rules() -> None:
    table = setup(shipped(), 4)
    dealt = deal(table, Stream(seed_of_series("golden", 0)))
    codes = table.board.codes
    assert [codes[tile] for tile in dealt.drawn] == ["Z1", "U3", "A4", "W3"]
    assert dealt.first == 2
    assert [[codes[tile] for tile in hand] for hand in dealt.hands] == [
        ["A1", "B1", "D3", "E1"],
        ["E2", "V1", "X3", "Z3"],
        ["F3", "W1", "X2", "Y4"],
        ["C4", "D4", "E3", "F1"],
    ]
    assert [codes[tile] for tile in dealt.pool[:5]] == ["Y1", "B3", "W4", "W2", "W3"]
    assert dealt.aside == ()


def test_seeds_of_texts() -> None:
    assert seed_of_text("abc").hex() == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    assert seed_of_text("é") == hashlib.sha256(b"\xc3\xa9").digest()
    assert seed_of_series("abc", 17) == hashlib.sha256(b"abc/17").digest()
    assert seed_of_series("abc", 0) != seed_of_text("abc")


def test_commitment_is_sha256_of_the_raw_bytes() -> None:
    assert commitment(b"abc") == seed_of_text("abc")
    assert commitment(bytes(32)).hex() == (
        "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    )


def test_first_words_of_a_known_seed() -> None:
    stream = Stream(bytes(32))
    key = hashlib.sha256(b"lastspike/1" + bytes(32)).digest()
    first = hashlib.sha256(key + bytes(8)).digest()
    second = hashlib.sha256(key + bytes(7) + b"\x01").digest()
    words = [int.from_bytes((first + second)[at : at + 4], "big") for at in range(0, 64, 4)]
    assert [stream.below(WORDS) for _ in range(16)] == words


@pytest.mark.parametrize("m", [3, 5, 6, 7, 48, 47, 1000])
def test_below_passes_over_words_that_would_favour_some(m: int) -> None:
    limit = WORDS - WORDS % m
    assert _driven(limit, WORDS - 1, limit - 1).below(m) == m - 1
    assert _driven(limit - 1, 0).below(m) == m - 1
    assert _driven(limit, m).below(m) == 0


@pytest.mark.parametrize("m", [1, 2, 4, 64, WORDS])
def test_below_takes_every_word_where_all_are_fair(m: int) -> None:
    assert _driven(WORDS - 1).below(m) == (WORDS - 1) % m


@pytest.mark.parametrize("size", [3, 5, 7, 48])
def test_shuffle_passes_over_the_same_words(size: int) -> None:
    items = list(range(size))
    fair = [7 * n for n in range(size)]
    limit = WORDS - WORDS % size
    expected = _driven(*fair).shuffle(items)
    assert _driven(limit, WORDS - 1, *fair).shuffle(items) == expected
    # The last fair word is no different from any other with the same rest.
    assert _driven(limit - 1, *fair).shuffle(items) == _driven(size - 1, *fair).shuffle(items)


def test_shuffle_swaps_from_the_last_place_down() -> None:
    # Places 3, 2, 1 swap with places 0, 1, 0.
    # abcd -> dbca -> dcba -> cdba
    assert _driven(0, 1, 0).shuffle("abcd") == ["c", "d", "b", "a"]


def test_shuffle_of_one_or_none_takes_no_word() -> None:
    assert _driven().shuffle([]) == []
    assert _driven().shuffle(["a"]) == ["a"]


def test_shuffle_leaves_what_it_is_given() -> None:
    items = list("abcdef")
    Stream(b"x").shuffle(items)
    assert items == list("abcdef")


def test_the_stream_runs_on_across_shuffles() -> None:
    stream, again = Stream(b"x"), Stream(b"x")
    first = stream.shuffle(range(20))
    assert stream.shuffle(range(20)) != first
    assert again.shuffle(range(20)) == first


def test_contributions_go_into_the_key_in_seat_order() -> None:
    one, two = b"1" * 32, b"2" * 32
    orders = [
        tuple(Stream(b"s" * 32, given).shuffle(range(48)))
        for given in ((), (one,), (two,), (one, two), (two, one))
    ]
    assert len(set(orders)) == 5
    shuffle = Shuffle(b"s" * 32, ((0, one), (2, two)))
    assert tuple(shuffle.stream().shuffle(range(48))) == orders[3]


@pytest.mark.parametrize("size", [*range(12), 47, 48, 104])
def test_slow_reference_shuffles_alike(size: int) -> None:
    items = [str(n) for n in range(size)]
    for seed in range(60):
        secret = seed_of_text(str(seed))
        given = [bytes([n]) * 32 for n in range(seed % 4)]
        fast, slow = Stream(secret, given), SlowStream(secret, given)
        for _ in range(3):
            assert fast.shuffle(items) == slow.shuffle(items[:])
        assert fast.below(size + 1) == slow.below(size + 1)


def _slow_deal(edition: Edition, players: int, slow: SlowStream) -> Iterator[list[str]]:
    tiles = [f"{route.letter}{n}" for route in edition.routes for n in range(1, 5)]
    yield slow.shuffle(tiles[:])[:players]
    mixed = iter(slow.shuffle(tiles[:]))
    yield list(itertools.islice(mixed, edition.set_aside.get(players, 0)))
    for _ in range(players):
        yield sorted(itertools.islice(mixed, edition.hand_size))
    yield list(mixed)


CROOKED = small_map(
    "Z:EST-MID",
    "A:MID-WST",
    "Q:EST-MID",
    cash={2: 0, 3: 0},
    hand_size=3,
    set_aside={2: 2, 3: 1},
)


@pytest.mark.parametrize(
    ("edition", "players"),
    [*((shipped(), n) for n in range(2, 7)), (CROOKED, 2), (CROOKED, 3)],
    ids=lambda value: value.id if isinstance(value, Edition) else str(value),
)
def test_slow_reference_deals_alike(edition: Edition, players: int) -> None:
    table = setup(edition, players)
    codes = board_of(edition).codes
    for number in range(20):
        seed = seed_of_series("deals", number)
        dealt = deal(table, Stream(seed))
        drawn, aside, *hands, pool = _slow_deal(edition, players, SlowStream(seed, []))
        assert [codes[tile] for tile in dealt.drawn] == drawn
        assert dealt.first == drawn.index(min(drawn))
        assert [codes[tile] for tile in dealt.aside] == aside
        assert [sorted(codes[tile] for tile in hand) for hand in dealt.hands] == hands
        assert [codes[tile] for tile in dealt.pool] == pool
