"""Alerts a person when it is their turn or the game is over, and they are not connected."""

from __future__ import annotations

import asyncio
import logging
from typing import cast

from lastspike.server.live.presence import Presence
from lastspike.server.live.registry import TableWatcher
from lastspike.server.live.table import LiveTable
from lastspike.server.storage import Storage, WebhookRow
from lastspike.server.table import log_events as e

from .forms import Alert, Form, Kind
from .send import AlertSender

log = logging.getLogger(__name__)


class TurnAlerts(TableWatcher):
    """Sends the alerts for the steps that this worker made, so that each is sent once."""

    def __init__(
        self, storage: Storage, presence: Presence, sender: AlertSender, base_url: str
    ) -> None:
        self._storage = storage
        self._presence = presence
        self._sender = sender
        self._base_url = base_url
        self._tasks: set[asyncio.Task[None]] = set()

    def changed(self, table: LiveTable, steps: list[e.Step], own: bool) -> None:
        kinds = (e.GameStarted, e.TurnMade)
        if not own or not any(isinstance(each, kinds) for step in steps for each in step.events):
            return
        state = table.state
        if state.status == "over":
            people = [(person, state.turn - 1) for person in state.people()]
            self._start(table, people, "game_over")
            return
        seat = state.to_move()
        if seat is None or state.seats[seat].computer is not None:
            return
        person = state.seats[seat].person
        # No alert for a connected person, such as one who plays several seats on one device.
        if person is not None and person not in {c.person for c in table.connections.values()}:
            self._start(table, [(person, state.turn)], "your_turn")

    def _start(self, table: LiveTable, people: list[tuple[str, int]], kind: Kind) -> None:
        task = asyncio.get_running_loop().create_task(self._alert(table, people, kind))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _alert(self, table: LiveTable, people: list[tuple[str, int]], kind: Kind) -> None:
        try:
            for_table = await self._storage.webhooks.of_table(table.state.id)
            for person, turn in people:
                if await self._presence.away_since(table, person) is None:
                    continue
                for_person = [
                    hook
                    for hook in await self._storage.webhooks.of_person(person)
                    if hook.table_id is None
                ]
                name = next(s.name for s in table.state.seats if s.person == person) or ""
                hooks = {hook.id: hook for hook in [*for_table, *for_person]}
                for hook in hooks.values():
                    self._send(hook, table.state.id, name, turn, kind)
        except Exception:
            log.warning("alerts could not be sent", exc_info=True)

    def _send(self, hook: WebhookRow, table_id: str, name: str, turn: int, kind: Kind) -> None:
        url = f"{self._base_url}/table/{table_id}"
        alert = Alert(table_id, url, name, turn, kind, hook.language)
        self._sender.send(hook.url, cast(Form, hook.form), alert, hook.person_id or "")
