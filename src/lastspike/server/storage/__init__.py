"""The database: a table's log and the index over it, persons, presence, alerts, backup."""

from .errors import StorageDown
from .rows import Append, PersonRow, ReviewRow, Row, TableRow, WebhookRow
from .storage import Storage

__all__ = [
    "Append",
    "PersonRow",
    "ReviewRow",
    "Row",
    "Storage",
    "StorageDown",
    "TableRow",
    "WebhookRow",
]
