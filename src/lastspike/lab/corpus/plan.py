"""What a corpus consists of: a part for each line-up of players at each size of table."""

from __future__ import annotations

from typing import NamedTuple

from lastspike.lab.arena.series import Series
from lastspike.rules.editions.figures import FEWEST_PLAYERS, MOST_PLAYERS
from lastspike.rules.editions.shipped import DEFAULT_EDITION, shipped
from lastspike.rules.table import Options

CORPUS_VERSION = 1
"""Increases when the line-ups or their weights change."""

FORMAT = f"lastspike-corpus/{CORPUS_VERSION}"

WEIGHTS: dict[tuple[str, ...], int] = {
    ("greenhorn",): 100,
    ("clerk",): 150,
    ("surveyor",): 260,
    ("greenhorn", "clerk"): 100,
    ("clerk", "surveyor"): 200,
    ("surveyor", "tycoon:0"): 120,
    ("tycoon:0",): 50,
    ("surveyor", "speculator"): 6,
    ("surveyor", "tycoon"): 6,
    ("speculator", "tycoon"): 4,
    ("tycoon",): 4,
}
"""By line-up, whose players take the seats in turn: its share of the games at each table. Slow
players are rare, because they take most of the time."""


class Part(NamedTuple):
    """One file of a corpus."""

    players: int
    bots: tuple[str, ...]
    games: int
    seed: str

    @property
    def file(self) -> str:
        """Its name: players, then the line-up, such as `4-clerk-surveyor.jsonl`."""
        return f"{self.players}-{'-'.join(self.bots).replace(':', '')}.jsonl"

    @property
    def series(self) -> Series:
        return Series(shipped(DEFAULT_EDITION), self.players, Options(), self.seed, self.bots)


def parts_of(games: int, seed: str) -> list[Part]:
    """The parts of a corpus of so many games. Each has a series of its own, so the games of a
    smaller corpus are the first ones of a larger one's parts."""
    players = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
    shares = {(n, bots): weight for n in players for bots, weight in WEIGHTS.items()}
    counts = _split(games, list(shares.values()))
    return [
        Part(n, bots, count, f"{seed}/{n}/{','.join(bots)}")
        for (n, bots), count in zip(shares, counts, strict=True)
        if count
    ]


def _split(whole: int, weights: list[int]) -> list[int]:
    """Whole numbers in proportion to the weights, which add up to `whole`: those with the largest
    remainders are rounded up."""
    total = sum(weights)
    counts = [whole * weight // total for weight in weights]
    remainders = [-(whole * weight % total) for weight in weights]
    largest = sorted(range(len(weights)), key=lambda place: remainders[place])
    for place in largest[: whole - sum(counts)]:
        counts[place] += 1
    return counts
