"""What the operator needs: bans, announcements, reports, and the addresses of connections."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("connection", sa.Column("address", sa.Text))
    op.create_table(
        "ban",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person_id", sa.Text, index=True),
        sa.Column("network", sa.Text),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("ends_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "announcement",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("ends_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "report",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("person_id", sa.Text, nullable=False, index=True),
        sa.Column("about_id", sa.Text, index=True),
        sa.Column("step", sa.Integer),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("settled_at", sa.BigInteger),
        sa.Column("note", sa.Text),
    )


def downgrade() -> None:
    for name in ("report", "announcement", "ban"):
        op.drop_table(name)
    op.drop_column("connection", "address")
