"""Packed logs of finished games, and what lists show of each table in the index of tables."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Sequence
from itertools import accumulate, groupby
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0006"
branch_labels = None
depends_on = None

AT_ONCE = 500
SYMBOLS = ("★", "◆", "●", "▲", "■", "✚")


def upgrade() -> None:
    op.add_column("game_table", sa.Column("players", sa.Text))
    op.add_column("game_table", sa.Column("turn", sa.Integer, nullable=False, server_default="0"))
    op.add_column(
        "game_table",
        sa.Column("awaits_server", sa.Boolean, nullable=False, server_default=sa.true()),
    )
    op.add_column("game_table", sa.Column("packed", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "packed_log",
        sa.Column(
            "table_id",
            sa.Text,
            sa.ForeignKey("game_table.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("persons", sa.Text, nullable=False),
        sa.Column("content", sa.LargeBinary, index=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    _fill_index()


def downgrade() -> None:
    _unpack()
    op.drop_table("packed_log")
    for name in ("packed", "awaits_server", "turn", "players"):
        op.drop_column("game_table", name)


def _unpack() -> None:
    """Store the steps of packed logs as rows again, with new tokens."""
    connection = op.get_bind()
    ids = list(connection.scalars(sa.text("SELECT table_id FROM packed_log ORDER BY table_id")))
    packed = sa.text("SELECT body FROM packed_log WHERE table_id = :id")
    store = sa.text(
        "INSERT INTO step (table_id, number, turn, request, token, at, body, secret)"
        " VALUES (:id, :number, :turn, :request, :token, :at, :body, :secret)"
    )
    for table_id in ids:
        found = connection.scalars(packed, {"id": table_id}).one()
        times, *columns = msgspec.msgpack.decode(zlib.decompress(found))
        rows = zip(accumulate(times), *columns, strict=True)
        steps = [
            dict(zip(("at", "turn", "request", "body", "secret"), row, strict=True))
            | {"id": table_id, "number": number, "token": os.urandom(16)}
            for number, row in enumerate(rows, 1)
        ]
        connection.execute(store, steps)


def _fill_index() -> None:
    """What lists show of the tables that are there: from the few steps that are no turns."""
    connection = op.get_bind()
    ids = list(connection.scalars(sa.text("SELECT id FROM game_table ORDER BY id")))
    steps = sa.text(
        "SELECT table_id, body FROM step"
        " WHERE turn IS NULL AND table_id IN :ids ORDER BY table_id, number"
    ).bindparams(sa.bindparam("ids", expanding=True))
    turns = sa.text(
        "SELECT table_id, max(turn) FROM step WHERE table_id IN :ids GROUP BY table_id"
    ).bindparams(sa.bindparam("ids", expanding=True))
    change = sa.text("UPDATE game_table SET players = :players, turn = :turn WHERE id = :id")
    for begin in range(0, len(ids), AT_ONCE):
        some = {"ids": ids[begin : begin + AT_ONCE]}
        made = {row[0]: row[1] or 0 for row in connection.execute(turns, some)}
        found = connection.execute(steps, some).all()
        rows = []
        for table_id, log in groupby(found, lambda row: row[0]):
            try:
                players, turn = _shown([row[1] for row in log])
            except (ValueError, KeyError, IndexError, TypeError):
                continue  # a damaged log: the table is listed without players
            turn = max(turn, made.get(table_id, 0))
            rows.append({"id": table_id, "players": _encoded(players), "turn": turn})
        if rows:
            connection.execute(change, rows)


def _shown(bodies: Sequence[bytes]) -> tuple[list[str], int]:
    """The players, and the number of turns among these steps."""
    names: list[str] = []
    persons: list[str | None] = []
    turns = 0
    for event in (event for body in bodies for event in _events(body)):
        match event:
            case {"kind": "table_created", "seats": levels}:
                names = [level or "" for level in levels]
                persons = [None] * len(names)
            case {"kind": "seat_taken", "seat": seat, "person": person, "name": name}:
                names[seat], persons[seat] = name, person
            case {"kind": "seat_freed", "seat": seat}:
                names[seat], persons[seat] = "", None
            case {"kind": "seat_set", "seat": seat, "level": level}:
                names[seat], persons[seat] = level or "", None
            case {"kind": "person_forgotten", "person": person}:
                for seat, who in enumerate(persons):
                    if who == person:
                        names[seat], persons[seat] = SYMBOLS[seat], None
            case {"kind": "person_renamed", "names": renamed}:
                for seat, name in renamed.items():
                    names[int(seat)] = name
            case {"kind": "game_imported", "names": given}:
                names = [name or level for name, level in zip(given, names, strict=True)]
            case {"kind": "turn_made"}:
                turns += 1
    return names, turns


def _encoded(players: list[str]) -> str:
    return json.dumps(players, ensure_ascii=False, separators=(",", ":"))


def _events(body: bytes) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = json.loads(body)
    return events
