"""Runs the study of an edition: games for each number of players, and their figures.

All seats have the same player, so rotating seats would add nothing: each deal is played once, and
every game is an independent observation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from lastspike import __version__
from lastspike.bots.surveyor import Surveyor
from lastspike.lab.arena.series import CHUNK_WITH_BOTS, Series, processes_worth, spans
from lastspike.lab.arena.statistics import Interval
from lastspike.lab.arena.workers import Jobs, in_order
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import is_shipped
from lastspike.rules.table import Options

from .findings import Findings, findings
from .notes import GAMES_AT_ONCE, Note, play_and_note

FORMAT = "lastspike-study/1"

Progress = Callable[[int], None]
"""Called with the number of games played so far, over all numbers of players."""


class Study(NamedTuple):
    """The findings by number of players, and everything that determines them."""

    edition: Edition
    player: str
    seed: str
    games: int
    findings: tuple[Findings, ...]


def study(
    edition: Edition,
    players: Iterable[int],
    games: int,
    seed: str,
    jobs: Jobs = 1,
    progress: Progress | None = None,
    player: str = Surveyor.level,
) -> Study:
    """Play `games` games for each of these numbers of players, with `player` in all seats.

    `LastSpikeError`, before any game, if the edition does not allow one of the numbers. The figures
    do not depend on `jobs`.
    """
    numbers = sorted(set(players))
    notes: dict[int, list[Note]] = {number: [] for number in numbers}
    done = 0
    size = GAMES_AT_ONCE.get(player, CHUNK_WITH_BOTS)
    total = games * len(numbers)
    most = math.ceil(total / size) if player in GAMES_AT_ONCE else processes_worth(total, size)
    work = _work([_series(edition, number, seed, player) for number in numbers], games, size)
    found: list[Findings] = []
    for number, played in in_order(_play, work, jobs, most):
        notes[number] += played
        done += len(played)
        if len(notes[number]) == games:  # complete: free its notes
            found.append(findings(edition, number, notes.pop(number)))
        if progress is not None:
            progress(done)
    return Study(edition, player, seed, games, tuple(found))


def study_to_json(study: Study) -> dict[str, Any]:
    """The study as JSON. Infinite ends of intervals are null."""
    edition = study.edition
    return {
        "format": FORMAT,
        "version": __version__,
        "edition": edition.id,
        **({} if is_shipped(edition) else {"figures": edition.to_figures()}),
        "player": study.player,
        "seed": study.seed,
        "games": study.games,
        "findings": [_to_json(found) for found in study.findings],
    }


Work = tuple[Series, range]


def _series(edition: Edition, players: int, seed: str, player: str) -> Series:
    series = Series(edition, players, Options(), seed, (player,))
    series.setup()
    return series


def _work(series: Iterable[Series], games: int, size: int) -> Iterator[Work]:
    for one in series:
        for span in spans(games, size):
            yield one, span


def _play(work: Work) -> tuple[int, list[Note]]:
    series, numbers = work
    return series.players, play_and_note(series, numbers)


def _to_json(value: object) -> Any:
    """A value as JSON; named tuples become objects."""
    if isinstance(value, Interval):
        return value.to_json()
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return _to_json(value._asdict())
    if isinstance(value, Mapping):
        return {key: _to_json(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_to_json(item) for item in value]
    return value
