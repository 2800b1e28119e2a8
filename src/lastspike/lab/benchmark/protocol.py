"""The benchmark: a fixed protocol, so that figures from different places can be compared.

A player meets each opponent at tables of two to six, alone among copies of it. Seeds, deals, seats
and opponents are fixed. Whatever changes them increases PROTOCOL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

from lastspike.lab.arena.workers import Jobs
from lastspike.release import full_version
from lastspike.rules.editions.figures import FEWEST_PLAYERS, MOST_PLAYERS
from lastspike.rules.editions.shipped import DEFAULT_EDITION

from .compare import Comparison, compare

PROTOCOL = 1
"""Increases when the games of the benchmark, or its opponents, change."""

DEALS = {"surveyor": 100, "speculator": 20, "tycoon": 20}
"""By opponent, weakest first: the deals at each table. Each is played from every seat."""

OPPONENT_VERSIONS = {"surveyor": 1, "speculator": 1, "tycoon": 2}
"""Increase, with PROTOCOL, when an opponent plays differently; tests notice."""

PLAYER_COUNTS = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)

FORMAT = f"lastspike-benchmark/{PROTOCOL}"


class Row(NamedTuple):
    """One table of the benchmark."""

    opponent: str
    players: int
    deals: int

    @property
    def seed(self) -> str:
        """Deal d of the row has the shuffle SHA-256(seed ‖ "/" ‖ d), as in every series."""
        return f"{FORMAT}/{self.opponent}/{self.players}"

    @property
    def games(self) -> int:
        return self.players * self.deals


def rows_of(
    opponents: Sequence[str] = (), player_counts: Sequence[int] = (), deals: int | None = None
) -> list[Row]:
    """The rows of the benchmark, or some of them. Fewer `deals` are the first of the full ones."""
    return [
        Row(opponent, players, min(full, deals or full))
        for opponent, full in DEALS.items()
        if not opponents or opponent in opponents
        for players in PLAYER_COUNTS
        if not player_counts or players in player_counts
    ]


def run(
    player: str,
    rows: Sequence[Row],
    jobs: Jobs = 1,
    on_games: Callable[[int], None] | None = None,
) -> Iterator[tuple[Row, Comparison]]:
    """Play the rows, one after the other. `on_games` is called with the number of games in each
    finished deal."""
    for row in rows:

        def count(_deals: int, games: int = row.players) -> None:
            if on_games:
                on_games(games)

        yield (
            row,
            compare(
                player,
                (row.opponent,),
                players=row.players,
                deals=row.deals,
                seed=row.seed,
                jobs=jobs,
                edition=DEFAULT_EDITION,
                on_deal=count,
            ),
        )


def to_json(player: str, found: Sequence[tuple[Row, Comparison]]) -> dict[str, Any]:
    """The result as it is published: what was played, with which versions, and the shares."""
    return {
        "format": FORMAT,
        "player": player,
        "version": full_version(),
        "edition": DEFAULT_EDITION,
        "opponents": {
            name: {"version": version} | ({"nets": net_digests()} if name == "tycoon" else {})
            for name, version in OPPONENT_VERSIONS.items()
        },
        "complete": [row for row, _ in found] == rows_of(),
        "rows": [
            {
                **row._asdict(),
                "seed": row.seed,
                "share": comparison.share.to_json(),
                "fair": comparison.fair,
                "verdict": comparison.verdict,
                "why_none": comparison.why_none,
                "faults": comparison.figures["faults"],
                "turns": comparison.figures["turns"],
            }
            for row, comparison in found
        ],
    }


def net_digests() -> dict[str, str]:
    """The SHA-256 of each net that Tycoon plays with."""
    nets = files("lastspike.bots.tycoon") / "nets"
    return {
        file.name: sha256(file.read_bytes()).hexdigest()
        for file in sorted(nets.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".npz")
    }
