"""Quick reviews, computed when a game ends."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "quick_review",
        sa.Column(
            "table_id",
            sa.Text,
            sa.ForeignKey("game_table.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("progress", sa.Float, nullable=False),
        sa.Column("beat_at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary),
    )


def downgrade() -> None:
    op.drop_table("quick_review")
