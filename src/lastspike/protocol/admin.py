"""The bodies of the operator's requests and responses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from .settings import Name, PersonId, Settings, Status
from .socket import Announcement, SeatInfo

Reason = Annotated[str, Meta(min_length=1, max_length=300)]
Network = Annotated[str, Meta(min_length=2, max_length=60)]
Time = Annotated[int, Meta(ge=0, le=2**53)]

# ---- requests -------------------------------------------------------------------------------


class Because(Struct, frozen=True, forbid_unknown_fields=True):
    """Why the operator does it, for the audit log."""

    reason: Reason


class Redact(Struct, frozen=True, forbid_unknown_fields=True):
    """The step with the message to remove."""

    step: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    reason: Reason


class Rename(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    reason: Reason


class NewBan(Struct, frozen=True, forbid_unknown_fields=True):
    """Of a `person` or of a `network`, such as `203.0.113.0/24` or one address. The banned person
    reads the reason."""

    reason: Reason
    ends: Time
    person: PersonId | None = None
    network: Network | None = None


class NewAnnouncement(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=500)]
    ends: Time


class Settle(Struct, frozen=True, forbid_unknown_fields=True):
    """What came of a report; may be empty."""

    note: Annotated[str, Meta(max_length=300)] = ""


# ---- responses ------------------------------------------------------------------------------


class Load(Struct, frozen=True):
    """The load of this machine since its workers started; `commit_ms` is the mean time to store a
    turn. `load` is the mean number of busy processes in the last minute, for so many `cores`."""

    sockets: int
    tables: int
    turns: int
    commit_ms: float | None
    load: float | None
    cores: int


class Instance(Struct, frozen=True):
    """The server as the operator sees it. `tables` counts them by status."""

    name: str | None
    version: str
    now: int
    workers: int
    load: Load
    tables: dict[str, int]
    persons: int
    connections: int
    open_reports: int
    bans: int
    announcements: list[Announcement]


class Somebody(Struct, frozen=True):
    """A person by id; the name is null for one who is gone."""

    person: str
    name: str | None


class TableKept(Struct, frozen=True):
    """A table in the operator's list, with the persons who sit there."""

    table: str
    status: Status
    public: bool
    created: int
    changed: int
    persons: list[Somebody]
    connections: int


class TablesKept(Struct, frozen=True):
    """To see more, ask for those changed `before` the last one's time; null at the end."""

    tables: list[TableKept]
    before: int | None


class Line(Struct, frozen=True):
    """A message in a table's chat, at a step. Its text is "…" once it was removed."""

    step: int
    at: int
    channel: Literal["players", "spectators"]
    person: str
    name: str
    text: str


class TableDetails(Struct, frozen=True):
    """All that the operator sees of a table: no hands, no cash, nothing of the game."""

    table: str
    status: Status
    created: int
    changed: int
    turn: int
    settings: Settings
    seats: list[SeatInfo]
    host: str
    chat: list[Line]
    connections: list[ConnectionKept]


class ConnectionKept(Struct, frozen=True):
    """An open socket: whose it is, and the address that it comes from, or its IPv6 network."""

    table: str
    person: str | None
    name: str | None
    address: str | None


class ConnectionsKept(Struct, frozen=True):
    """At most 500 of `count`."""

    count: int
    connections: list[ConnectionKept]


class PersonKept(Struct, frozen=True):
    """A person in the operator's list. `banned` is the end of their ban."""

    person: str
    name: str
    created: int
    tables: int
    devices: int
    connections: int
    banned: int | None


class PersonsKept(Struct, frozen=True):
    """At most 50, the newest first."""

    persons: list[PersonKept]


class PersonDetails(Struct, frozen=True):
    """A person with their tables, the last changed first, and the addresses in use."""

    about: PersonKept
    tables: list[TableKept]
    addresses: list[str]


class Ban(Struct, frozen=True):
    id: str
    person: str | None
    name: str | None
    network: str | None
    reason: str
    made: int
    ends: int


class Bans(Struct, frozen=True):
    bans: list[Ban]


class Announcements(Struct, frozen=True):
    announcements: list[Announcement]


class Report(Struct, frozen=True):
    """A report by a person, about another or a message, if they named one. `context` has the
    messages around it, or the last ones at the table; `gone` means that the table is deleted."""

    id: str
    at: int
    table: str
    by: Somebody
    about: Somebody | None
    step: int | None
    reason: str
    context: list[Line]
    gone: bool
    settled: int | None
    note: str | None


class Reports(Struct, frozen=True):
    reports: list[Report]


class Audited(Struct, frozen=True):
    """An event of the audit log. `who` is `operator`, `system`, `anybody`, `erased` or a person."""

    id: str
    at: int
    who: str
    what: str
    table: str | None
    person: str | None
    detail: dict[str, Any]


class AuditLog(Struct, frozen=True):
    """To see more, ask for those `before` the last one's id."""

    events: list[Audited]


class Managed(Struct, frozen=True):
    """The id of what the operator made, or of what they changed."""

    id: str


# ---- the page --------------------------------------------------------------------------------


class Site(Struct, frozen=True):
    """What the page knows when it is loaded: the server's name, whether there is more to say about
    it, and the announcements that hold."""

    name: str | None
    about: bool
    announcements: list[Announcement]
    daily: bool = False
