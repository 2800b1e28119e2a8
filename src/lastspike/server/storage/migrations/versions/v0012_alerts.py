"""Where alerts go besides webhooks, which ones a person wants, those that wait, holidays, and the
keys of the server."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

TABLES = ("alert_choice", "alert_channel", "waiting_alert", "holiday", "server_key")


def upgrade() -> None:
    op.create_table(
        "alert_choice",
        _of("person", primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "alert_channel",
        sa.Column("id", sa.Text, primary_key=True),
        _of("person", nullable=False, index=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False, index=True),
        sa.Column("public_key", sa.Text, nullable=False, server_default=""),
        sa.Column("auth", sa.Text, nullable=False, server_default=""),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("confirmed_at", sa.BigInteger),
    )
    op.create_table(
        "waiting_alert",
        sa.Column("id", sa.Text, primary_key=True),
        _of("person", nullable=False, index=True),
        _of("table", nullable=False, index=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("due_at", sa.BigInteger, nullable=False, index=True),
    )
    op.create_table(
        "holiday",
        sa.Column("id", sa.Text, primary_key=True),
        _of("person", nullable=False, index=True),
        sa.Column("begins_at", sa.BigInteger, nullable=False),
        sa.Column("ends_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "server_key",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    for name in TABLES:
        op.drop_table(name)


def _of(what: str, **options: Any) -> sa.Column[str]:
    target = "game_table.id" if what == "table" else "person.id"
    return sa.Column(f"{what}_id", sa.Text, sa.ForeignKey(target, ondelete="CASCADE"), **options)
