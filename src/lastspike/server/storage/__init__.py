"""The database: logs and the index of tables, persons, presence, alerts, reviews, backup."""

from .errors import StorageDown
from .rows import Append, PersonRow, ReviewRow, Row, SessionRow, TableRow, WebhookRow
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
