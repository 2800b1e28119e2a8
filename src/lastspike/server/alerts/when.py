"""When somebody is alerted: it is their turn, or the game is over, and they are not here."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Literal, cast

from lastspike.server.config.settings import Config
from lastspike.server.live.presence import Presence
from lastspike.server.live.table import LiveTable
from lastspike.server.table import log_events as e

from .send import Alert, AlertSender

if TYPE_CHECKING:
    from lastspike.server.storage import Storage
    from lastspike.server.storage.rows import WebhookRow

log = logging.getLogger(__name__)


class TurnAlerts:
    """Only the worker that made a step alerts of it, so that there is one alert."""

    def __init__(
        self, storage: Storage, presence: Presence, alerts: AlertSender, config: Config
    ) -> None:
        self._storage = storage
        self._presence = presence
        self._alerts = alerts
        self._base = (config.base_url or f"http://{config.host}:{config.port}").rstrip("/")
        self._tasks: set[asyncio.Task[None]] = set()

    def consider(self, table: LiveTable, steps: list[e.Step]) -> None:
        kinds = (e.GameStarted, e.TurnMade)
        if not any(isinstance(each, kinds) for step in steps for each in step.events):
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
        # Whoever has just moved themselves, round one device, needs no alert.
        if person is not None and person not in {c.person for c in table.connections.values()}:
            self._start(table, [(person, state.turn)], "your_turn")

    def _start(
        self,
        table: LiveTable,
        people: list[tuple[str, int]],
        kind: Literal["your_turn", "game_over"],
    ) -> None:
        task = asyncio.get_running_loop().create_task(self._alert(table, people, kind))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _alert(
        self,
        table: LiveTable,
        people: list[tuple[str, int]],
        kind: Literal["your_turn", "game_over"],
    ) -> None:
        try:
            for_table = await self._storage.webhooks_of_table(table.state.id)
            for person, turn in people:
                if await self._presence.away_since(table, person) is None:
                    continue
                for_person = [
                    hook
                    for hook in await self._storage.webhooks_of_person(person)
                    if hook.table_id is None
                ]
                name = next(s.name for s in table.state.seats if s.person == person) or ""
                hooks = {hook.id: hook for hook in [*for_table, *for_person]}
                for hook in hooks.values():
                    self._send(hook, table.state.id, name, turn, kind)
        except Exception:
            log.warning("alerts could not be sent", exc_info=True)

    def _send(
        self,
        hook: WebhookRow,
        table_id: str,
        name: str,
        turn: int,
        kind: Literal["your_turn", "game_over"],
    ) -> None:
        url = f"{self._base}/table/{table_id}"
        alert = Alert(table_id, url, name, turn, kind, hook.language)
        form = cast(Literal["json", "discord", "slack", "ntfy"], hook.form)
        self._alerts.send(hook.url, form, alert)
