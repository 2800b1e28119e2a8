"""Alerts a person when it is their turn or the game is over, and they are not connected."""

from __future__ import annotations

import asyncio
import logging
from typing import NamedTuple, cast

from lastspike.server.live.presence import Presence
from lastspike.server.live.registry import TableWatcher
from lastspike.server.live.table import LiveTable
from lastspike.server.storage import Storage, WebhookRow
from lastspike.server.table import log_events as e
from lastspike.server.table.now import now_ms
from lastspike.server.table.state import TableState

from .forms import Alert, Form
from .forms import Kind as WebhookKind
from .personal import PersonalAlerts
from .send import AlertSender
from .timing import Kind

log = logging.getLogger(__name__)


class Happening(NamedTuple):
    """What a person is told who is not at the table. `seat` is the one that it is about."""

    person: str
    kind: Kind
    turn: int
    seat: int


class TurnAlerts(TableWatcher):
    """Sends the alerts for the steps that this worker made, so that each is sent once."""

    def __init__(
        self,
        storage: Storage,
        presence: Presence,
        sender: AlertSender,
        base_url: str,
        personal: PersonalAlerts,
    ) -> None:
        self._storage = storage
        self._presence = presence
        self._sender = sender
        self._base_url = base_url
        self._personal = personal
        self._tasks: set[asyncio.Task[None]] = set()

    def changed(self, table: LiveTable, steps: list[e.Step], own: bool) -> None:
        here = {connection.person for connection in table.connections.values()}
        happened = [] if not own else happenings(table.state, steps)
        # No alert for a connected person, such as one who plays several seats on one device.
        if happened := [each for each in happened if each.person not in here]:
            task = asyncio.get_running_loop().create_task(self._alert(table, happened))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _alert(self, table: LiveTable, happened: list[Happening]) -> None:
        try:
            for_table = await self._storage.webhooks.of_table(table.state.id)
            for each in happened:
                if await self._presence.away_since(table, each.person) is None:
                    continue
                if each.kind in ("your_turn", "game_over"):
                    await self._to_webhooks(table, each, for_table)
                await self._personal.tell(
                    table, each.person, each.kind, each.turn, each.seat, now_ms()
                )
        except Exception:
            log.warning("alerts could not be sent", exc_info=True)

    async def _to_webhooks(
        self, table: LiveTable, each: Happening, for_table: list[WebhookRow]
    ) -> None:
        for_person = [
            hook
            for hook in await self._storage.webhooks.of_person(each.person)
            if hook.table_id is None
        ]
        name = next(s.name for s in table.state.seats if s.person == each.person) or ""
        kind: WebhookKind = "game_over" if each.kind == "game_over" else "your_turn"
        for hook in {hook.id: hook for hook in [*for_table, *for_person]}.values():
            self._send(hook, table.state.id, name, each.turn, kind)

    def _send(
        self, hook: WebhookRow, table_id: str, name: str, turn: int, kind: WebhookKind
    ) -> None:
        url = f"{self._base_url}/table/{table_id}"
        alert = Alert(table_id, url, name, turn, kind, hook.language)
        self._sender.send(hook.url, cast(Form, hook.form), alert, hook.person_id or "")


def happenings(state: TableState, steps: list[e.Step]) -> list[Happening]:
    """What these steps, the last of the table, are to its people."""
    events = [event for step in steps for event in step.events]
    if any(isinstance(event, e.GameStarted | e.TurnMade) for event in events):
        if state.status == "over":
            turn = state.turn - 1
            return [Happening(who, "game_over", turn, at) for who, at in state.people().items()]
        seat = state.to_move()
        person = None if seat is None else state.seats[seat].person
        if seat is None or person is None or state.seats[seat].computer is not None:
            return []
        return [Happening(person, "your_turn", state.turn, seat)]
    found = []
    for event in events:
        if isinstance(event, e.Nudged) and (person := state.seats[event.seat].person):
            found.append(Happening(person, "nudge", state.turn, event.by))
        elif isinstance(event, e.SeatTaken) and event.person != state.host:
            found.append(Happening(state.host, "seat_taken", 0, event.seat))
    return found
