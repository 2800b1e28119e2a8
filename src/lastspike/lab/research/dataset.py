"""Many games between computer players, as records and as columns, on many cores."""

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
"""Games played at a time where all play at random; their columns take some memory."""


class Part(NamedTuple):
    """Some games of a series: how many, their faults and decisions, and what of them is wanted."""

    games: int
    decisions: int
    faults: Faults
    records: str
    columns: pa.RecordBatch | None


def play_parts(series: Series, games: int, jobs: Jobs = 1, columns: bool = True) -> Iterator[Part]:
    """Play games 0, 1, 2 and so on, on so many cores or by these workers; the parts come in the
    order of the games."""
    size = CHUNK if series.random else CHUNK_WITH_BOTS
    task = partial(play_part, series, columns=columns)
    return in_order(task, spans(games, size), jobs, most=processes_worth(games, size))


def play_part(series: Series, numbers: range, columns: bool = True) -> Part:
    """Play these games, one after the other. Columns need the extra `research`."""
    table = series.setup()
    played = [play_whole(series, table, number) for number in numbers]
    rows = None
    if columns:
        from .columns import batch_of  # needs PyArrow, which records do without

        rows = batch_of(series, numbers, [whole.game for whole in played])
    return Part(
        games=len(played),
        decisions=sum(len(whole.game.moves) for whole in played),
        faults=sum((whole.faults for whole in played), Faults()),
        records="".join(record_line(series, whole) for whole in played),
        columns=rows,
    )
