"""The first tables."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "game_table",
        _key("id"),
        sa.Column("status", sa.Text, nullable=False, index=True),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "step",
        _of_table(primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("turn", sa.Integer),
        sa.Column("request", sa.Text),
        sa.Column("token", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("secret", sa.LargeBinary),
    )
    for column in ("turn", "request"):
        given = sa.text(f"{column} IS NOT NULL")
        op.create_index(
            f"uq_step_{column}",
            "step",
            ["table_id", column],
            unique=True,
            sqlite_where=given,
            postgresql_where=given,
        )
    op.create_table(
        "person",
        _key("id"),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "session",
        _key("secret_hash", sa.LargeBinary),
        _of_person(nullable=False, index=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "link",
        _key("token_hash", sa.LargeBinary),
        _of_person(nullable=False, index=True),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "membership",
        _of_table(primary_key=True),
        sa.Column("person_id", sa.Text, primary_key=True, index=True),
        sa.Column("joined_at", sa.BigInteger, nullable=False),
        sa.Column("away_since", sa.BigInteger),
    )
    op.create_table(
        "hidden_chat",
        _of_person(primary_key=True),
        _of_table(primary_key=True, index=True),
        _key("other_id"),
    )
    op.create_table(
        "webhook",
        _key("id"),
        _of_person(index=True),
        _of_table(index=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("form", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
    )
    op.create_table("worker", _key("id"), sa.Column("beat_at", sa.BigInteger, nullable=False))
    op.create_table(
        "connection",
        _key("id"),
        sa.Column("worker_id", sa.Text, nullable=False, index=True),
        sa.Column("table_id", sa.Text, nullable=False, index=True),
        sa.Column("person_id", sa.Text),
    )


def downgrade() -> None:
    for table in (
        "connection",
        "worker",
        "webhook",
        "hidden_chat",
        "membership",
        "link",
        "session",
        "person",
        "step",
        "game_table",
    ):
        op.drop_table(table)


def _key(name: str, kind: type[sa.types.TypeEngine[Any]] = sa.Text) -> sa.Column[Any]:
    return sa.Column(name, kind, primary_key=True)


def _of_table(**options: Any) -> sa.Column[Any]:
    return sa.Column(
        "table_id", sa.Text, sa.ForeignKey("game_table.id", ondelete="CASCADE"), **options
    )


def _of_person(**options: Any) -> sa.Column[Any]:
    return sa.Column(
        "person_id", sa.Text, sa.ForeignKey("person.id", ondelete="CASCADE"), **options
    )
