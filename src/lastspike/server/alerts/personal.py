"""Personal alerts: a person’s push subscriptions and e-mail addresses, and what waits for them.

An alert that may not be sent at once waits in the database, also through a restart. Before it is
sent it is checked again: a turn that was made meanwhile needs no alert.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import secrets
from collections import defaultdict
from collections.abc import Iterable
from typing import cast

import msgspec

from lastspike.protocol import AlertChoices
from lastspike.server.config.settings import Config
from lastspike.server.live.presence import Presence
from lastspike.server.live.registry import TableRegistry
from lastspike.server.live.table import LiveTable
from lastspike.server.storage import Storage
from lastspike.server.storage.rows import ChannelRow, WaitingAlertRow
from lastspike.server.table.errors import NotFound
from lastspike.server.table.now import now_ms
from lastspike.server.table.state import TableState

from .mail import MailSender
from .messages import Item, alert_mail, confirmation_mail, item_of, push_content
from .pace import Pace
from .push import PushKey, new_key
from .send import AlertSender
from .timing import Kind, remind_at, send_at

log = logging.getLogger(__name__)

LOOK_S = 5.0
"""How often the server looks for alerts that are due."""
URGENT = frozenset({"nudge", "reminder", "your_turn"})


class PersonalAlerts:
    def __init__(
        self,
        config: Config,
        storage: Storage,
        registry: TableRegistry,
        presence: Presence,
        sender: AlertSender,
        mail: MailSender,
    ) -> None:
        self._storage = storage
        self._registry = registry
        self._presence = presence
        self._sender = sender
        self._mail = mail
        self._pace = Pace()
        self._base_url = config.page_url
        self._contact = config.push_contact
        self._key: PushKey | None = None
        self._token_key = b""
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Read the server’s keys, which its first start makes."""
        private = await self._storage.alerts.key("push", new_key())
        self._key = PushKey(private, self._contact)
        self._token_key = await self._storage.alerts.key("mail-links", secrets.token_bytes(32))

    @property
    def push_key(self) -> str:
        return self._started.public

    @property
    def can_mail(self) -> bool:
        return self._mail.available

    # ---- what happens ----------------------------------------------------------------------

    async def tell(
        self, table: LiveTable, person: str, kind: Kind, turn: int, seat: int, now: int
    ) -> None:
        """Something happened to a person who is not at the table: send it, or let it wait."""
        channels = await self._confirmed(person)
        if not channels:
            return
        choices = await self.choices_of(person)
        if kind == "seat_taken" and not _is_taken(table.state, seat):
            return
        wait: list[tuple[Kind, int]] = []
        at = send_at(choices, kind, self._pace.earliest(person, table.state.id, kind, now))
        if at is not None and at > now:
            wait.append((kind, at))
        elif at is not None:
            self._send(channels, [item_of(kind, table.state, person, seat, now)], now)
        if kind == "your_turn" and (deadline := table.state.deadline()) is not None:
            remind = remind_at(choices, table.state.turn_began, deadline, now)
            if remind is not None:
                wait.append(("reminder", remind))
        rows = [
            WaitingAlertRow(
                secrets.token_urlsafe(12), person, table.state.id, each, turn, seat, due
            )
            for each, due in wait
        ]
        await self._storage.alerts.wait(rows)

    async def send_due(self, now: int) -> None:
        """Send what waited until now, in one message for each person."""
        of: defaultdict[str, list[WaitingAlertRow]] = defaultdict(list)
        for row in await self._storage.alerts.take_due(now):
            of[row.person_id].append(row)
        for person, rows in of.items():
            try:
                await self._send_rows(person, rows, now)
            except Exception:
                log.warning("waiting alerts could not be sent", exc_info=True)

    async def run(self) -> None:
        """Look for alerts that are due, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.send_due(now_ms())
            except Exception:
                log.warning("no look at the waiting alerts; trying again", exc_info=True)

    async def _send_rows(self, person: str, rows: list[WaitingAlertRow], now: int) -> None:
        choices = await self.choices_of(person)
        items: dict[tuple[str, str], Item] = {}
        for row in rows:
            item = await self._still_true(row, choices, now)
            if item is not None:
                items[row.table_id, row.kind] = item
        if items:
            self._send(await self._confirmed(person), _without_doubles(items.values()), now)

    async def _still_true(
        self, row: WaitingAlertRow, choices: AlertChoices, now: int
    ) -> Item | None:
        """The alert, if it still makes sense. One that is due later than thought waits again."""
        kind = cast(Kind, row.kind)
        try:
            table = await self._registry.newest(row.table_id)
        except NotFound:
            return None
        state = table.state
        if kind in ("your_turn", "reminder", "nudge"):
            seat = state.to_move()
            mine = seat is not None and state.seats[seat].person == row.person_id
            if not mine or state.turn != row.turn or state.seats[seat or 0].computer is not None:
                return None
        elif kind == "seat_taken" and not _is_taken(state, row.seat):
            return None
        if await self._presence.away_since(table, row.person_id) is None:
            return None
        if kind == "reminder":
            deadline = state.deadline()
            if deadline is None:
                return None
            later = remind_at(choices, state.turn_began, deadline, now)
            if later is not None:  # there was a holiday, or the server was down
                await self._storage.alerts.wait([row._replace(due_at=later)])
                return None
        return item_of(kind, state, row.person_id, row.seat, now)

    # ---- where it goes ---------------------------------------------------------------------

    async def choices_of(self, person: str) -> AlertChoices:
        body = await self._storage.alerts.choices(person)
        return AlertChoices() if body is None else msgspec.json.decode(body, type=AlertChoices)

    async def _confirmed(self, person: str) -> list[ChannelRow]:
        channels = await self._storage.alerts.channels_of(person)
        return [each for each in channels if each.confirmed_at is not None]

    def _send(self, channels: list[ChannelRow], items: list[Item], now: int) -> None:
        if channels:
            alerts = [(item.table, item.kind) for item in items]
            self._pace.sent(channels[0].person_id, alerts, now)
        for channel in channels:
            try:
                if channel.kind == "mail":
                    stop = f"{self._base_url}/unsubscribe/{self.token('stop', channel.id)}"
                    mail = alert_mail(items, self._base_url, channel.language, stop)
                    self._mail.send(channel.address, mail)
                else:
                    self._push(channel, items)
            except Exception as error:  # an odd address or key must not hold up the others
                log.warning("an alert could not be written: %s", type(error).__name__)

    def _push(self, channel: ChannelRow, items: list[Item]) -> None:
        content, headers = self._started.request(
            channel.address,
            channel.public_key,
            channel.auth,
            push_content(items, self._base_url, channel.language),
            urgent=any(item.kind in URGENT for item in items),
        )
        owner = channel.person_id
        gone = lambda: self._drop(channel.id)  # noqa: E731
        self._sender.post(channel.address, content, headers, owner, gone)

    def _drop(self, channel_id: str) -> None:
        """The push service no longer knows this subscription."""
        task = asyncio.get_running_loop().create_task(
            self._storage.alerts.delete_channel(channel_id)
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def ask_to_confirm(self, channel: ChannelRow) -> None:
        url = f"{self._base_url}/alerts#confirm={self.token('confirm', channel.id)}"
        self._mail.send(channel.address, confirmation_mail(url, channel.language))

    # ---- tokens in links -------------------------------------------------------------------

    def token(self, what: str, channel_id: str) -> str:
        """A token for a link in an e-mail, which nobody can make without the server’s key."""
        mac = hmac.new(self._token_key, f"{what}:{channel_id}".encode(), hashlib.sha256)
        return f"{channel_id}.{mac.hexdigest()[:40]}"

    def channel_of(self, what: str, token: str) -> str:
        """The channel that such a token names."""
        channel_id = token.partition(".")[0]
        right = self.token(what, channel_id)
        if not hmac.compare_digest(right.encode(), token.encode()):
            raise NotFound("this link is not valid")
        return channel_id

    @property
    def _started(self) -> PushKey:
        if self._key is None:
            raise RuntimeError("alerts are sent once they are started")
        return self._key


def _is_taken(state: TableState, seat: int) -> bool:
    """Whether the person who took a seat is still there, before the start."""
    seats = state.seats[seat : seat + 1]
    return state.status == "waiting" and any(each.person is not None for each in seats)


def _without_doubles(items: Iterable[Item]) -> list[Item]:
    """No alert of a turn beside a reminder of it."""
    found = list(items)
    urgent = {item.table for item in found if item.kind in ("reminder", "nudge")}
    return [item for item in found if item.kind != "your_turn" or item.table not in urgent]
