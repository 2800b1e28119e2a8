"""What a session's device is, when it was last seen, and which links were used."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "session", sa.Column("seen_at", sa.BigInteger, nullable=False, server_default="0")
    )
    op.add_column("session", sa.Column("browser", sa.Text, nullable=False, server_default=""))
    op.add_column("session", sa.Column("system", sa.Text, nullable=False, server_default=""))
    op.add_column(
        "session",
        sa.Column("host_only", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.execute("UPDATE session SET seen_at = created_at")
    op.add_column("link", sa.Column("used_at", sa.BigInteger))


def downgrade() -> None:
    op.drop_column("link", "used_at")
    for name in ("host_only", "system", "browser", "seen_at"):
        op.drop_column("session", name)
