"""The verifiable shuffle: all randomness of a game from one stream that anybody can recompute.

key     = SHA-256("lastspike/1" + seed + the contributions in seat order)
block k = SHA-256(key + k as 8 bytes), read as eight big-endian 32-bit words
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import chain, count, islice
from struct import Struct
from typing import TypeVar

from lastspike.rules.board import Seat, Space
from lastspike.rules.errors import LastSpikeError, wrong_type
from lastspike.rules.hidden import Deal
from lastspike.rules.table import Setup

T = TypeVar("T")

SECRET_BYTES = 32
_DOMAIN = b"lastspike/1"
_WORDS = Struct(">8I")
_WORD_LIMIT = 1 << 32


class Stream:
    """The words of one game, in order. It runs on across all shuffles of the game."""

    def __init__(self, seed: bytes, contributions: Sequence[bytes] = ()) -> None:
        if not isinstance(seed, bytes):
            raise wrong_type("seed", "bytes", seed)
        self._key = hashlib.sha256(b"".join((_DOMAIN, seed, *contributions))).digest()
        self._taken = 0
        self._words = _words(self._key)

    def __getstate__(self) -> tuple[bytes, int]:
        return self._key, self._taken

    def __setstate__(self, state: tuple[bytes, int]) -> None:
        self._key, self._taken = state
        self._words = islice(_words(self._key), self._taken, None)

    def below(self, m: int) -> int:
        """A fair number from 0 to m - 1: words that would favour some numbers are skipped."""
        limit = _WORD_LIMIT - _WORD_LIMIT % m
        while True:
            word = next(self._words)
            self._taken += 1
            if word < limit:
                return word % m

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """The items in a new order: each place, from the last down, swaps with one not after it."""
        mixed = list(items)
        words = self._words
        always_fair = _WORD_LIMIT - len(mixed)  # below this no word is ever passed over
        for size, word in zip(range(len(mixed), 1, -1), words, strict=False):
            if word >= always_fair and word >= _WORD_LIMIT - _WORD_LIMIT % size:
                word = self.below(size)
            other = word % size
            mixed[size - 1], mixed[other] = mixed[other], mixed[size - 1]
        self._taken += max(len(mixed) - 1, 0)
        return mixed


def commitment(secret: bytes) -> bytes:
    """What is shown before the secret is: SHA-256 of it."""
    return hashlib.sha256(secret).digest()


def seed_of_text(text: str) -> bytes:
    """The seed that `--seed TEXT` means for one game."""
    return hashlib.sha256(_encoded(text)).digest()


def seed_of_series(text: str, number: int) -> bytes:
    """The seed of game `number`, from 0, of a series played with `--seed TEXT`."""
    return hashlib.sha256(_encoded(text) + _encoded(f"/{number}")).digest()


def deal(setup: Setup, stream: Stream) -> Deal:
    """S2, S3: the draw for the first player, then the tiles put aside, the hands and the pool."""
    board = setup.board
    players = setup.players
    drawn = tuple(stream.shuffle(board.tiles)[:players])
    mixed = stream.shuffle(board.tiles)
    aside_count = board.edition.set_aside.get(players, 0)
    aside = tuple(mixed[:aside_count])
    size = board.edition.hand_size
    hands = []
    for seat in range(players):
        begin = aside_count + seat * size
        hands.append(tuple(sorted(mixed[begin : begin + size])))
    pool = tuple(mixed[aside_count + players * size :])
    return Deal(first_player(drawn), tuple(hands), pool, aside, drawn)


def first_player(drawn: Sequence[Space]) -> Seat:
    """S2: the seat whose tile is nearest A1. Spaces are numbered in the order of their codes."""
    return drawn.index(min(drawn))


def _encoded(text: str) -> bytes:
    if not isinstance(text, str):
        raise wrong_type("seed", "str", text)
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise LastSpikeError("the seed isn’t valid UTF-8") from None


def _words(key: bytes) -> Iterator[int]:
    return chain.from_iterable(_blocks(key))


def _blocks(key: bytes) -> Iterator[tuple[int, ...]]:
    for number in count():
        yield _WORDS.unpack(hashlib.sha256(key + number.to_bytes(8, "big")).digest())
