"""A client of the server, for tests, the load benchmark, and bots that play online.

    async with Person("http://127.0.0.1:8869", "Ada") as ada:
        table_id = await ada.create(["me", "surveyor"])
        async with ada.watch(table_id) as table:
            await table.ready()
            await play_to_end(table, choose_first)

Of the project it needs only `lastspike.protocol`.
"""

from .errors import ClientError, LostError, RefusedError
from .person import Person
from .playing import Choose, choose_first, play_to_end
from .table import Table

__all__ = [
    "Choose",
    "ClientError",
    "LostError",
    "Person",
    "RefusedError",
    "Table",
    "choose_first",
    "play_to_end",
]
