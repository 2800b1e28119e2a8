"""A clock that is wrong at the start, or jumps, deletes nothing."""

from __future__ import annotations

import pytest

from lastspike.server.http import services
from lastspike.server.table.now import now_ms

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("jump_s", "deletes"), [(0, True), (30, True), (3600, False), (-90, False)]
)
async def test_an_hour_counts_only_if_both_clocks_agree(
    monkeypatch: pytest.MonkeyPatch, jump_s: int, deletes: bool
) -> None:
    times = [now_ms(), now_ms() + jump_s * 1000]
    monkeypatch.setattr(services, "now_ms", lambda: times.pop(0))
    monkeypatch.setattr(services, "CLEAN_UP_S", 0.01)
    assert await services._hour_by_two_clocks() is deletes


async def test_nothing_is_deleted_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    class Ended(BaseException):
        pass

    async def hour() -> bool:
        done.append("waited")
        if len(done) > 3:
            raise Ended
        return True

    class Logs:
        async def delete_older(self, before: int) -> int:
            done.append("deleted")
            return 0

    class Audit:
        async def delete_older(self, before: int) -> None:
            done.append("audit")

    class Moderation:
        async def delete_ended(self, now: int, before: int) -> None:
            done.append("moderation")

    class Erasure:
        async def finish(self) -> None: ...

    class Fake:
        config = type("Config", (), {"retention_days": 30, "audit_days": 7})
        storage = type(
            "Storage", (), {"logs": Logs(), "audit": Audit(), "moderation": Moderation()}
        )

        erasure = Erasure()

    monkeypatch.setattr(services, "_hour_by_two_clocks", hour)
    with pytest.raises(Ended):
        await services.Services._clean_up(Fake())  # type: ignore[arg-type]
    assert done == ["waited", "deleted", "audit", "moderation", "waited"]
