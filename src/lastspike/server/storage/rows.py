"""What goes into the database and what comes out of it. All times are milliseconds."""

from __future__ import annotations

from typing import NamedTuple


class Index(NamedTuple):
    """Changes of the index over the logs, stored together with the step that causes them."""

    status: str | None = None
    listed: bool | None = None
    joined: tuple[str, ...] = ()
    """Sessions who become members of the table."""
    left: tuple[str, ...] = ()
    """Sessions who are no longer members of it."""


class Append(NamedTuple):
    """A step to be stored; `number`, `turn` and `request` are unique at their table."""

    table_id: str
    number: int
    at: int
    body: bytes
    secret: bytes | None = None
    turn: int | None = None
    request: str | None = None
    index: Index | None = None  # type: ignore[assignment]  # a tuple has a method of that name


class Row(NamedTuple):
    """A stored step."""

    number: int
    at: int
    body: bytes
    secret: bytes | None
    turn: int | None
    request: str | None


class TableRow(NamedTuple):
    id: str
    status: str
    listed: bool
    created_at: int
    changed_at: int


class PersonRow(NamedTuple):
    id: str
    name: str


class ReviewRow(NamedTuple):
    """A review, or how far it was when its worker was last heard of."""

    progress: float
    beat_at: int
    body: bytes | None


class WebhookRow(NamedTuple):
    """Where alerts for a person or for a table go."""

    id: str
    person_id: str | None
    table_id: str | None
    url: str
    form: str
    language: str
