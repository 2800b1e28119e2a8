"""What live tables need of a store: a database on a server, or the browser's own storage."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from typing import Protocol

from lastspike.server.storage.rows import Append
from lastspike.server.table import log_events as e


class Logs(Protocol):
    """The logs of the tables; `storage/queries/logs.py` has the contract of each method."""

    async def append(self, step: Append) -> bool: ...

    def read(self, table_id: str, after: int = 0) -> AsyncIterator[list[e.Step]]: ...

    async def step_of_request(self, table_id: str, request: str) -> int | None: ...

    async def numbers(self, table_ids: Collection[str]) -> dict[str, int]: ...

    async def tables_awaiting_server(self) -> list[str]: ...


class Workers(Protocol):
    """Which workers are alive; `storage/queries/presence.py` has the contracts."""

    async def set_right(self, now: int) -> None: ...

    async def beat(self, now: int) -> None: ...

    async def last_beat(self) -> int | None: ...

    async def workers(self, since: int) -> list[str]: ...

    async def forget_workers(self, before: int) -> None: ...

    async def at_table(
        self, table_id: str, alive_since: int
    ) -> tuple[dict[str, int | None], int]: ...


class Store(Protocol):
    @property
    def shared(self) -> bool:
        """Whether several workers may use it at the same time."""

    @property
    def logs(self) -> Logs: ...

    @property
    def presence(self) -> Workers: ...
