"""The Daily Deal: the server's own chain, tries with their scores, Tycoon's games, and listings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "daily_chain",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("first", sa.Text, nullable=False),
        sa.Column("last", sa.LargeBinary, nullable=False),
        sa.Column("days", sa.Integer, nullable=False),
    )
    op.create_table(
        "daily_tycoon",
        sa.Column("chain", sa.Text, primary_key=True),
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "daily_try",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column(
            "person_id",
            sa.Text,
            sa.ForeignKey("person.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("chain", sa.Text, nullable=False),
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("ranked", sa.Boolean, nullable=False),
        sa.Column("begun_at", sa.BigInteger, nullable=False),
        sa.Column("scoring_at", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("points", sa.Float),
        sa.Column("margin", sa.Float),
        sa.Column("gave_up", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("body", sa.LargeBinary),
    )
    op.create_index("ix_daily_try_day", "daily_try", ["chain", "day"])
    waiting, ranked = sa.text("body IS NULL"), sa.text("ranked")
    op.create_index(
        "ix_daily_try_waiting",
        "daily_try",
        ["begun_at"],
        sqlite_where=waiting,
        postgresql_where=waiting,
    )
    op.create_index(
        "uq_daily_try_ranked",
        "daily_try",
        ["chain", "day", "person_id"],
        unique=True,
        sqlite_where=ranked,
        postgresql_where=ranked,
    )
    op.create_table(
        "daily_listing",
        sa.Column(
            "person_id",
            sa.Text,
            sa.ForeignKey("person.id", ondelete="CASCADE"),
            primary_key=True,
        ),
    )


def downgrade() -> None:
    for name in ("daily_listing", "daily_try", "daily_tycoon", "daily_chain"):
        op.drop_table(name)
