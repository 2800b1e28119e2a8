"""What the operator does. Each action is written to the audit log, whoever asks for it: the page
and `lastspike admin` send the same requests."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from functools import partial
from typing import Any, TypeVar

from lastspike import protocol as p
from lastspike.rules.errors import LastSpikeError
from lastspike.server.live.registry import TableRegistry
from lastspike.server.people.erasure import Erasure
from lastspike.server.storage import Storage
from lastspike.server.storage.queries.audit import OPERATOR, What
from lastspike.server.storage.queries.moderation import ANNOUNCEMENTS, BANS
from lastspike.server.storage.rows import DELETED, AnnouncementRow, BanRow
from lastspike.server.table import commands
from lastspike.server.table.errors import Conflict, NotFound
from lastspike.server.table.log_events import Draft
from lastspike.server.table.now import now_ms
from lastspike.server.table.randomness import new_seed
from lastspike.server.table.state import TableState
from lastspike.server.table.text import clean_name

from .announcements import Announcements
from .bans import Bans, network_of
from .rewriting import Rewriting

MOST_BANS = 1000
MOST_ANNOUNCEMENTS = 5
LONGEST_MS = 3650 * 86_400_000
"""A ban or an announcement ends within ten years."""

T = TypeVar("T")


class Operator:
    def __init__(
        self,
        storage: Storage,
        registry: TableRegistry,
        erasure: Erasure,
        bans: Bans,
        announcements: Announcements,
    ) -> None:
        self._storage = storage
        self._registry = registry
        self._erasure = erasure
        self._bans = bans
        self._announcements = announcements
        self._rewriting = Rewriting(storage, registry)

    # ---- tables -----------------------------------------------------------------------------

    async def close_table(self, table_id: str, reason: str) -> None:
        """End a table; a running game ends without a result."""
        table = await self._registry.newest(table_id)
        if await table.act(commands.close_by_operator):
            await self._audit("table_closed", table=table_id, reason=reason)

    async def delete_table(self, table_id: str, reason: str) -> None:
        """Delete a table with its log, chat and reviews; the sockets there close."""
        if await self._storage.logs.table(table_id) is None:
            raise NotFound("there is no such table")
        await whole(self._delete_table(table_id, reason))

    async def _delete_table(self, table_id: str, reason: str) -> None:
        await self._storage.logs.delete_table(table_id)
        await self._audit("table_deleted", table=table_id, reason=reason)
        self._registry.deleted(table_id)
        await self._storage.presence.announce(table_id, DELETED)
        await self._storage.personal_data.wipe()

    async def redact(self, table_id: str, step: int, reason: str) -> None:
        """Remove the text of a message, for everybody and from the log."""
        await whole(self._redact(table_id, step, reason))

    async def _redact(self, table_id: str, step: int, reason: str) -> None:
        person = await self._rewriting.redact(table_id, step)
        await self._audit("chat_redacted", table=table_id, person=person, step=step, reason=reason)

    # ---- persons ----------------------------------------------------------------------------

    async def rename(self, person: str, name: str, reason: str) -> None:
        """Give a person another name everywhere; the old one is gone from all logs."""
        name = clean_name(name)
        await self._known(person)
        await whole(self._rename(person, name, reason))

    async def _rename(self, person: str, name: str, reason: str) -> None:
        await self._rewriting.rename(person, name)
        await self._audit("person_renamed", person=person, name=name, reason=reason)

    async def erase(self, person: str, reason: str) -> None:
        """Erase a person as they themselves could."""
        await self._known(person)
        # Before: erasure removes from the event whom it was about.
        await self._audit("person_erased", person=person, reason=reason)
        await self._erasure.erase(person)

    async def _known(self, person: str) -> None:
        if await self._storage.overview.person(person) is None:
            raise NotFound("there is no such person")

    # ---- bans -------------------------------------------------------------------------------

    async def ban(self, new: p.NewBan) -> str:
        """Ban a person or a network; returns the ban's id. Their sockets close on every worker,
        and computer players take over their seats until they return."""
        if (new.person is None) == (new.network is None):
            raise LastSpikeError("a ban must name either a person or a network")
        network = None
        if new.network is not None:
            try:
                network = str(network_of(new.network))
            except ValueError:
                raise LastSpikeError(
                    "not an IP address or network: {text}", text=new.network
                ) from None
        if new.person is not None:
            await self._known(new.person)
        now = now_ms()
        _check_end(new.ends, now)
        if len(await self._storage.moderation.bans(now)) >= MOST_BANS:
            raise Conflict("there are {most} bans already; end some of them", most=MOST_BANS)
        row = BanRow(secrets.token_hex(6), new.person, network, new.reason, now, new.ends)
        await whole(self._ban(row))
        return row.id

    async def _ban(self, row: BanRow) -> None:
        await self._storage.moderation.add_ban(row)
        place = {"network": row.network} if row.network else {}
        await self._audit(
            "banned", person=row.person_id, until=row.ends_at, reason=row.reason, **place
        )
        await self._bans_changed()
        if row.person_id is not None:
            await self._stand_in_for(row.person_id)

    async def _stand_in_for(self, person: str) -> None:
        """Nobody waits for somebody who may not come: a computer plays for them, as if they had
        left until they return."""
        for status in ("waiting", "playing"):
            for found in await self._storage.logs.tables_of(person, None, status):
                leave = partial(_left, person=person, seed=new_seed())
                try:
                    await (await self._registry.newest(found.id)).act(leave)
                except (NotFound, Conflict):  # gone, or too busy: the host can do it as well
                    continue

    async def end_ban(self, ban_id: str) -> None:
        row = await self._storage.moderation.end_ban(ban_id)
        if row is None:
            raise NotFound("there is no such ban")
        place = {"network": row.network} if row.network else {}
        await self._audit("ban_ended", person=row.person_id, **place)
        await self._bans_changed()

    async def _bans_changed(self) -> None:
        await self._bans.load()
        await self._storage.moderation.tell(BANS)

    # ---- announcements ----------------------------------------------------------------------

    async def announce(self, new: p.NewAnnouncement) -> str:
        """Tell everybody who is connected now or comes before it ends; returns its id."""
        now = now_ms()
        _check_end(new.ends, now)
        text = " ".join(new.text.split())
        if not text:
            raise LastSpikeError("this message has no visible text")
        if len(await self._storage.moderation.announcements(now)) >= MOST_ANNOUNCEMENTS:
            raise Conflict(
                "there are {most} announcements already; end one of them", most=MOST_ANNOUNCEMENTS
            )
        row = AnnouncementRow(secrets.token_hex(6), text, now, new.ends)
        await self._storage.moderation.add_announcement(row)
        await self._audit("announced", text=text, until=new.ends)
        await self._announcements_changed()
        return row.id

    async def end_announcement(self, announcement_id: str) -> None:
        if not await self._storage.moderation.end_announcement(announcement_id):
            raise NotFound("there is no such announcement")
        await self._audit("announcement_ended", announcement=announcement_id)
        await self._announcements_changed()

    async def _announcements_changed(self) -> None:
        await self._announcements.load()
        await self._storage.moderation.tell(ANNOUNCEMENTS)

    # ---- reports ----------------------------------------------------------------------------

    async def settle(self, report_id: str, note: str) -> None:
        row = await self._storage.moderation.settle(report_id, now_ms(), note)
        if row is None:
            raise NotFound("there is no such open report")
        about = {"note": note} if note else {}
        await self._audit("report_settled", table=row.table_id, person=row.about_id, **about)

    async def _audit(
        self,
        what: What,
        *,
        table: str | None = None,
        person: str | None = None,
        **detail: str | int,
    ) -> None:
        await self._storage.audit.add(
            now_ms(), OPERATOR, what, table=table, person=person, **detail
        )


async def whole(work: Coroutine[Any, Any, T]) -> T:
    """Finish what has begun, even if the caller disconnects."""
    return await asyncio.shield(asyncio.ensure_future(work))


def _left(state: TableState, *, person: str, seed: bytes) -> Draft | None:
    return commands.leave(state, person, False, seed)


def _check_end(ends: int, now: int) -> None:
    if not now < ends <= now + LONGEST_MS:
        raise LastSpikeError("the end must be in the future, and within ten years")
