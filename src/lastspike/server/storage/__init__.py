"""The database: logs and the index of tables, persons, presence, alerts, reviews, backup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import StorageDown
from .rows import Append, PersonRow, ReviewRow, Row, SessionRow, TableRow, WebhookRow

if TYPE_CHECKING:
    from .storage import Storage

__all__ = [
    "Append",
    "PersonRow",
    "ReviewRow",
    "Row",
    "SessionRow",
    "Storage",
    "StorageDown",
    "TableRow",
    "WebhookRow",
]


def __getattr__(name: str) -> Any:
    """`Storage` needs SQLAlchemy, and the errors and rows don't: it is imported when it is used."""
    if name == "Storage":
        from .storage import Storage

        return Storage
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
