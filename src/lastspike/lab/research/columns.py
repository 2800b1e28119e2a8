"""Games as Arrow and Parquet columns, one row per decision.

`docs/research.md` lists the columns; `VERSION` increases when they change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

from lastspike.batch.arrays import Array
from lastspike.batch.board import THOUSAND
from lastspike.lab.arena.series import Series
from lastspike.rules.game import Game
from lastspike.rules.outcome import win_share
from lastspike.rules.position import Position

from .encoding import Encoder
from .optional_libraries import missing

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as error:
    raise missing("pyarrow") from error

VERSION = 1
FORMAT = f"lastspike/columns/{VERSION}"
METADATA = b"lastspike"
"""The key of a file's description, in JSON."""

ROWS_A_GROUP = 8192
"""Rows per Parquet row group."""


def schema_of(series: Series, encoder: Encoder) -> pa.Schema:
    """The columns; the metadata holds the series' settings and the layout versions."""
    about = {
        "format": FORMAT,
        **encoder.versions,
        "shape": encoder.shape._asdict(),
        "edition": series.edition.id,
        "players": series.players,
        "options": series.options._asdict(),
        "bots": series.seats,
        "seed": series.seed,
    }
    return pa.schema(
        [
            ("game", pa.int32()),
            ("step", pa.int16()),
            ("turn", pa.int16()),
            ("seat", pa.int8()),
            ("observation", pa.list_(pa.float32(), encoder.features)),
            ("legal", pa.list_(pa.bool_(), encoder.actions)),
            ("action", pa.int16()),
            ("win", pa.float32()),
            ("rank", pa.int8()),
            ("cash", pa.int32()),
        ],
        metadata={METADATA: json.dumps(about, ensure_ascii=False).encode()},
    )


def batch_of(series: Series, numbers: Sequence[int], games: Sequence[Game]) -> pa.RecordBatch:
    """All decisions of these finished games of a series, in order."""
    encoder = Encoder(series.setup())
    schema = schema_of(series, encoder)
    rows = [rows_of(*one, encoder, schema) for one in zip(numbers, games, strict=True)]
    return pa.concat_batches(rows)


def rows_of(number: int, game: Game, encoder: Encoder, schema: pa.Schema) -> pa.RecordBatch:
    """The decisions of a finished game, in order, each with its seat's result."""
    positions = positions_of(game)
    seats = [position.table.turn for position in positions]
    ended = game.outcome
    assert ended is not None
    values: dict[str, Any] = {
        "game": [number] * len(seats),
        "step": list(range(len(seats))),
        "turn": [_turn(position) for position in positions],
        "seat": seats,
        "observation": _lists(encoder.observations(positions, seats)),
        "legal": _lists(encoder.masks(positions)),
        "action": [encoder.action(move) for move in game.moves],
        "win": [win_share(ended.winners, seat) for seat in seats],
        "rank": [ended.ranks[seat] for seat in seats],
        "cash": [ended.cash[seat] // THOUSAND for seat in seats],
    }
    columns = [pa.array(values[column.name], column.type) for column in schema]
    return pa.record_batch(columns, schema=schema)


def positions_of(game: Game) -> list[Position]:
    """The position before each of the game's moves."""
    again = game.again()
    positions = []
    for move in game.moves:
        positions.append(again.position)
        again.play(move)
    return positions


@contextmanager
def writing(file: BinaryIO, series: Series) -> Iterator[Callable[[pa.RecordBatch], None]]:
    """A function that writes batches to a Parquet file. The file depends only on the rows, not on
    how they are split into batches."""
    schema = schema_of(series, Encoder(series.setup()))
    waiting: list[pa.RecordBatch] = []

    def write(batch: pa.RecordBatch) -> None:
        waiting.append(batch)
        while sum(part.num_rows for part in waiting) >= ROWS_A_GROUP:
            rows = pa.Table.from_batches(waiting)
            writer.write_table(rows.slice(0, ROWS_A_GROUP))
            waiting[:] = rows.slice(ROWS_A_GROUP).to_batches()

    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        yield write
        if waiting:
            writer.write_table(pa.Table.from_batches(waiting))


def _turn(position: Position) -> int:
    """The turn's number from 0; a purchase belongs to the turn whose tile was just laid."""
    return position.table.turns - (position.table.phase == "buy")


def _lists(rows: Array) -> pa.Array:
    """The rows of an array as a column of lists."""
    return pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), rows.shape[1])
