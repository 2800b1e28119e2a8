"""The rows of the database. All times are milliseconds."""

from __future__ import annotations

from typing import NamedTuple

from lastspike.server.table import log_events as e

DELETED = -1
"""The number of a step, in news of a table that is gone."""
ALIVE_MS = 7_000
"""A worker whose heartbeat is older than this counts as dead."""


class Append(NamedTuple):
    """A step to store; `number`, `turn` and `request` are unique per table."""

    table_id: str
    number: int
    at: int
    body: bytes
    secret: bytes | None = None
    turn: int | None = None
    request: str | None = None
    index: e.Index | None = None  # type: ignore[assignment]  # a tuple has a method of that name


class Row(NamedTuple):
    """A stored step."""

    number: int
    at: int
    body: bytes
    secret: bytes | None
    turn: int | None
    request: str | None


def to_append(table_id: str, step: e.Step, index: e.Index | None = None) -> Append:
    body, secret = e.to_stored(step)
    return Append(table_id, step.number, step.at, body, secret, step.turn, step.request, index)


def to_step(row: Row) -> e.Step:
    return e.from_stored(*row)


class TableRow(NamedTuple):
    id: str
    status: str
    listed: bool
    created_at: int
    changed_at: int
    players: str | None = None
    """The players' names or levels, as JSON."""
    turn: int = 0
    """How many turns were made."""


class PersonRow(NamedTuple):
    id: str
    name: str


class SessionRow(NamedTuple):
    """A device of a person: the hash of its secret, and what is known about it."""

    secret_hash: bytes
    created_at: int
    expires_at: int
    seen_at: int = 0
    browser: str = ""
    system: str = ""
    host_only: bool = False


class ReviewRow(NamedTuple):
    """A review, or its progress at its worker's last heartbeat."""

    progress: float
    beat_at: int
    body: bytes | None


class WebhookRow(NamedTuple):
    """A URL for the alerts of a person or a table."""

    id: str
    person_id: str | None
    table_id: str | None
    url: str
    form: str
    language: str


class ChannelRow(NamedTuple):
    """Where the alerts of a person go: a browser's push subscription, with its key and secret, or
    an e-mail address, which counts once it is confirmed."""

    id: str
    person_id: str
    kind: str
    address: str
    public_key: str
    auth: str
    language: str
    created_at: int
    confirmed_at: int | None


class WaitingAlertRow(NamedTuple):
    """An alert to send at `due_at`, if it is still true then."""

    id: str
    person_id: str
    table_id: str
    kind: str
    turn: int
    seat: int
    due_at: int


class HolidayRow(NamedTuple):
    id: str
    person_id: str
    begins_at: int
    ends_at: int


class BanRow(NamedTuple):
    """A ban of a person or of a network, until `ends_at`."""

    id: str
    person_id: str | None
    network: str | None
    reason: str
    created_at: int
    ends_at: int


class AnnouncementRow(NamedTuple):
    id: str
    text: str
    created_at: int
    ends_at: int


class ReportRow(NamedTuple):
    """A report by a person about a table, somebody there (`about_id`) or a line of its chat (the
    number of its `step`). Once it is settled, with the operator's note."""

    id: str
    at: int
    table_id: str
    person_id: str
    about_id: str | None
    step: int | None
    reason: str
    settled_at: int | None = None
    note: str | None = None
