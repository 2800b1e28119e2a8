"""Datasets of games between computer players, as records and columns, on many cores."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from lastspike.lab.arena.game_runner import Faults
from lastspike.lab.arena.series import (
    CHUNK_WITH_BOTS,
    Series,
    play_whole,
    processes_worth,
    record_line,
    spans,
)
from lastspike.lab.arena.workers import Jobs, in_order

if TYPE_CHECKING:
    import pyarrow as pa

CHUNK = 20
"""Games per task if all players are random; limited by the memory of their columns."""


class Part(NamedTuple):
    """Some games of a series: their number, decisions and faults, and the requested data."""

    games: int
    decisions: int
    faults: Faults
    records: str
    columns: pa.RecordBatch | None


def play_parts(series: Series, games: int, jobs: Jobs = 1, columns: bool = True) -> Iterator[Part]:
    """Play games 0 to `games` - 1 on `jobs`; yields the parts in order."""
    size = CHUNK if series.random else CHUNK_WITH_BOTS
    task = partial(play_part, series, columns=columns)
    return in_order(task, spans(games, size), jobs, most=processes_worth(games, size))


def play_part(series: Series, numbers: range, columns: bool = True) -> Part:
    """Play these games, one after the other. Columns need the extra `research`."""
    table = series.setup()
    played = [play_whole(series, table, number) for number in numbers]
    rows = None
    if columns:
        from .columns import batch_of  # needs PyArrow, unlike records

        rows = batch_of(series, numbers, [whole.game for whole in played])
    return Part(
        games=len(played),
        decisions=sum(len(whole.game.moves) for whole in played),
        faults=sum((whole.faults for whole in played), Faults()),
        records="".join(record_line(series, whole) for whole in played),
        columns=rows,
    )
