"""Packed logs: all steps of a finished game in one compressed value, a fifth of their size as rows.

A packed log is still the truth: it holds every field of every step but the writer's token, which
only serves while a step is being stored.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import msgspec

from .rows import Row

LEVEL = 6
_PERSON = re.compile(rb'"person":"([^"]+)"')


class PackedLog(NamedTuple):
    """`last` is the number of the last step in `body`. `persons` are the ids that it names, so that
    an erasure finds them without unpacking, and `content` is what tells its game from others."""

    table_id: str
    last: int
    persons: str
    content: bytes | None
    body: bytes


class _Columns(NamedTuple):
    """The steps from number 1 on, field by field, which compresses better. `at` holds the time of
    the first step, then the milliseconds from step to step."""

    at: list[int]
    turn: list[int | None]
    request: list[str | None]
    body: list[bytes]
    secret: list[bytes | None]


class _Requests(NamedTuple):
    """The same, of which only the requests are decoded."""

    at: msgspec.Raw
    turn: msgspec.Raw
    request: list[str | None]
    body: msgspec.Raw
    secret: msgspec.Raw


_encode = msgspec.msgpack.Encoder().encode
_decode_requests = msgspec.msgpack.Decoder(_Requests).decode
_decode = msgspec.msgpack.Decoder(_Columns).decode


def pack(rows: Sequence[Row]) -> bytes:
    """The steps of a log, from number 1 on and without gaps, packed."""
    if [row.number for row in rows] != list(range(1, len(rows) + 1)):
        raise ValueError("only a whole log can be packed")
    times = [row.at for row in rows]
    columns = _Columns(
        [*times[:1], *(later - earlier for earlier, later in pairwise(times))],
        [row.turn for row in rows],
        [row.request for row in rows],
        [row.body for row in rows],
        [row.secret for row in rows],
    )
    return zlib.compress(_encode(columns), LEVEL)


def unpack(body: bytes) -> list[Row]:
    """The steps of a packed log."""
    columns = _decode(zlib.decompress(body))
    times = accumulate(columns.at)
    fields = zip(times, columns.body, columns.secret, columns.turn, columns.request, strict=True)
    return [Row(number, *row) for number, row in enumerate(fields, 1)]


def number_of(body: bytes, request: str) -> int | None:
    """The number of the step that a request made, if any is in this packed log."""
    requests = _decode_requests(zlib.decompress(body)).request
    return requests.index(request) + 1 if request in requests else None


def persons_in(rows: Iterable[Row]) -> str:
    """The ids of all persons whom these steps name."""
    return " ".join(sorted({who.decode() for row in rows for who in _PERSON.findall(row.body)}))
