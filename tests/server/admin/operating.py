"""The holder of the operator's key, as tests need one."""

from __future__ import annotations

from typing import Any

import httpx

from lastspike.server.admin.key import hash_of
from lastspike.server.table.now import now_ms

KEY = "a-key-that-only-the-operator-of-these-tests-has"
KEY_HASH = hash_of(KEY)
HOUR_MS = 3_600_000


def later(hours: int = 1) -> int:
    return now_ms() + hours * HOUR_MS


class Operating:
    """Asks a real server over HTTP."""

    def __init__(self, url: str, key: str = KEY) -> None:
        self._http = httpx.AsyncClient(
            base_url=f"{url}/api/admin/", headers={"authorization": f"Bearer {key}"}, timeout=30
        )

    async def __aenter__(self) -> Operating:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def get(self, path: str = "", **query: Any) -> Any:
        return _content(await self._http.get(path, params=query))

    async def post(self, path: str, **body: Any) -> Any:
        return _content(await self._http.post(path, json=body))

    async def delete(self, path: str) -> Any:
        return _content(await self._http.delete(path))

    async def audited(self, **about: str) -> list[str]:
        """What the audit log has, the oldest first."""
        return [each["what"] for each in reversed((await self.get("audit", **about))["events"])]


def _content(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()
