"""Whether a person agrees that their finished games are published."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("publishes_since", sa.BigInteger))


def downgrade() -> None:
    op.drop_column("person", "publishes_since")
