"""The tables of the database. `migrations/` creates them; a test compares the two."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    false,
    true,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)


def _of_table(**options: Any) -> Column[str]:
    return Column("table_id", Text, ForeignKey("game_table.id", ondelete="CASCADE"), **options)


def _of_person(**options: Any) -> Column[str]:
    return Column("person_id", Text, ForeignKey("person.id", ondelete="CASCADE"), **options)


game_table = Table(
    "game_table",
    metadata,
    Column("id", Text, primary_key=True),
    Column("status", Text, nullable=False, index=True),
    Column("listed", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    # Not indexed, so that PostgreSQL need not update an index with every step.
    Column("changed_at", BigInteger, nullable=False),
    # What lists show: the players' names or levels as JSON, null if nobody knows, and turns made.
    Column("players", Text),
    Column("turn", Integer, nullable=False, server_default="0"),
    # Whether a game that is being played may need the server: a clock runs, or a computer player's
    # turn has come. A starting server loads these tables alone.
    Column("awaits_server", Boolean, nullable=False, server_default=true()),
    # The steps up to this number are in `packed_log`.
    Column("packed", Integer, nullable=False, server_default="0"),
)

packed_log = Table(
    "packed_log",
    metadata,
    _of_table(primary_key=True),
    Column("last", Integer, nullable=False),
    Column("persons", Text, nullable=False),
    Column("content", LargeBinary, index=True),
    Column("body", LargeBinary, nullable=False),
)

step = Table(
    "step",
    metadata,
    _of_table(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer),
    Column("request", Text),
    Column("token", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("secret", LargeBinary),
)
for _column in (step.c.turn, step.c.request):
    _given = _column.is_not(None)  # partial, so that a step without a value has no entry
    Index(
        f"uq_step_{_column.name}",
        step.c.table_id,
        _column,
        unique=True,
        sqlite_where=_given,
        postgresql_where=_given,
    )

BEING_FORGOTTEN = ""
"""The name of a person whose erasure has begun."""

person = Table(
    "person",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    # When they agreed that their finished games may be published, if they did.
    Column("publishes_since", BigInteger),
)

session = Table(
    "session",
    metadata,
    Column("secret_hash", LargeBinary, primary_key=True),
    _of_person(nullable=False, index=True),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False, server_default="0"),
    # What the browser calls itself and its system, if we know them.
    Column("browser", Text, nullable=False, server_default=""),
    Column("system", Text, nullable=False, server_default=""),
    # Whether the browser has sent the secret in the cookie that only this host can set. From then
    # on no other cookie counts.
    Column("host_only", Boolean, nullable=False, server_default=false()),
)

link = Table(
    "link",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    _of_person(nullable=False, index=True),
    Column("expires_at", BigInteger, nullable=False),
    # A used link is kept until it expires, to notice a second use.
    Column("used_at", BigInteger),
)

membership = Table(
    "membership",
    metadata,
    _of_table(primary_key=True),
    # No foreign key: a step must not be lost because its person is unknown.
    Column("person_id", Text, primary_key=True, index=True),
    Column("joined_at", BigInteger, nullable=False),
    Column("away_since", BigInteger),
)

hidden_chat = Table(
    "hidden_chat",
    metadata,
    _of_person(primary_key=True),
    _of_table(primary_key=True, index=True),
    Column("other_id", Text, primary_key=True),
)

webhook = Table(
    "webhook",
    metadata,
    Column("id", Text, primary_key=True),
    _of_person(index=True),
    _of_table(index=True),
    Column("url", Text, nullable=False),
    Column("form", Text, nullable=False),
    Column("language", Text, nullable=False),
)

alert_choice = Table(
    "alert_choice",
    metadata,
    _of_person(primary_key=True),
    # Which alerts the person wants, and when, as JSON.
    Column("body", Text, nullable=False),
)

alert_channel = Table(
    "alert_channel",
    metadata,
    Column("id", Text, primary_key=True),
    _of_person(nullable=False, index=True),
    # A push subscription of a browser, or an e-mail address.
    Column("kind", Text, nullable=False),
    Column("address", Text, nullable=False, index=True),
    # Of a push subscription: the browser's public key and secret, in base64url.
    Column("public_key", Text, nullable=False, server_default=""),
    Column("auth", Text, nullable=False, server_default=""),
    Column("language", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    # Null until the owner of an e-mail address has confirmed it.
    Column("confirmed_at", BigInteger),
)

waiting_alert = Table(
    "waiting_alert",
    metadata,
    Column("id", Text, primary_key=True),
    _of_person(nullable=False, index=True),
    _of_table(nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("turn", Integer, nullable=False),
    # The seat that the alert is about.
    Column("seat", Integer, nullable=False),
    Column("due_at", BigInteger, nullable=False, index=True),
)

holiday = Table(
    "holiday",
    metadata,
    Column("id", Text, primary_key=True),
    _of_person(nullable=False, index=True),
    Column("begins_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger, nullable=False),
)

server_key = Table(
    "server_key",
    metadata,
    # Keys that the server makes at its first start.
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

worker = Table(
    "worker",
    metadata,
    Column("id", Text, primary_key=True),
    Column("beat_at", BigInteger, nullable=False),
)

connection = Table(
    "connection",
    metadata,
    Column("id", Text, primary_key=True),
    # No foreign keys: a connection may be older than its worker's first heartbeat, and outlive its
    # table for a moment.
    Column("worker_id", Text, nullable=False, index=True),
    Column("table_id", Text, nullable=False, index=True),
    Column("person_id", Text),
    Column("address", Text),
)


def _reviews(name: str) -> Table:
    return Table(
        name,
        metadata,
        _of_table(primary_key=True),
        # While `body` is null, a worker is computing the review, or was at `beat_at`.
        Column("progress", Float, nullable=False),
        Column("beat_at", BigInteger, nullable=False),
        Column("body", LargeBinary),
    )


review = _reviews("review")
quick_review = _reviews("quick_review")

audit_event = Table(
    "audit_event",
    metadata,
    Column("id", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("who", Text, nullable=False, index=True),
    Column("what", Text, nullable=False),
    # No foreign keys: an event outlives what it is about.
    Column("table_id", Text),
    Column("person_id", Text, index=True),
    Column("detail", Text, nullable=False),
)

ban = Table(
    "ban",
    metadata,
    Column("id", Text, primary_key=True),
    # Of a person, or of a network.
    Column("person_id", Text, index=True),
    Column("network", Text),
    Column("reason", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger, nullable=False),
)

announcement = Table(
    "announcement",
    metadata,
    Column("id", Text, primary_key=True),
    Column("text", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger, nullable=False),
)

report = Table(
    "report",
    metadata,
    Column("id", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    # No foreign keys: a report outlives its table.
    Column("table_id", Text, nullable=False),
    Column("person_id", Text, nullable=False, index=True),
    Column("about_id", Text, index=True),
    Column("step", Integer),
    Column("reason", Text, nullable=False),
    Column("settled_at", BigInteger),
    Column("note", Text),
)

daily_chain = Table(
    "daily_chain",
    metadata,
    # The server's own chain, and by its URL one that it follows, as far as it is known. From the
    # last link follow all others: it is secret.
    Column("id", Text, primary_key=True),
    Column("first", Text, nullable=False),
    Column("last", LargeBinary, nullable=False),
    Column("days", Integer, nullable=False),
)

daily_tycoon = Table(
    "daily_tycoon",
    metadata,
    Column("chain", Text, primary_key=True),
    Column("day", Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)

daily_try = Table(
    "daily_try",
    metadata,
    # No foreign key: it is stored before its table, and outlives it.
    Column("table_id", Text, primary_key=True),
    _of_person(nullable=False, index=True),
    Column("chain", Text, nullable=False),
    Column("day", Text, nullable=False),
    Column("ranked", Boolean, nullable=False),
    Column("begun_at", BigInteger, nullable=False),
    # When a worker began to compute the score; another may take over after a while.
    Column("scoring_at", BigInteger, nullable=False, server_default="0"),
    # Null until the score is computed.
    Column("points", Float),
    Column("margin", Float),
    Column("gave_up", Boolean, nullable=False, server_default=false()),
    Column("body", LargeBinary),
)
Index("ix_daily_try_day", daily_try.c.chain, daily_try.c.day)
_waiting = daily_try.c.body.is_(None)
Index(
    "ix_daily_try_waiting",
    daily_try.c.begun_at,
    sqlite_where=_waiting,
    postgresql_where=_waiting,
)
Index(
    "uq_daily_try_ranked",
    daily_try.c.chain,
    daily_try.c.day,
    daily_try.c.person_id,
    unique=True,
    sqlite_where=daily_try.c.ranked,
    postgresql_where=daily_try.c.ranked,
)

daily_listing = Table(
    "daily_listing",
    metadata,
    # Who wants to be in the lists.
    _of_person(primary_key=True),
)
