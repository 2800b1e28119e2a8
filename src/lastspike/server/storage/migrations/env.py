"""Run by Alembic: applies the migrations over the given connection."""

from __future__ import annotations

from alembic import context

from lastspike.server.storage.database import VERSION_TABLE
from lastspike.server.storage.models import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
