"""The history checker: what everybody at a table was told, held against the table's log.

Every acknowledged turn is there once and in order; on each connection, each step that its viewer
may see was told once and in order; and no message shows what the viewer may not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from lastspike.server.table.views import Viewer, steps_for
from tests.server.accounting import account_for
from tests.server.accounts import Truth, no_secret_in
from tests.server.players import Log, Memory
from tests.server.wiretap import TEXT, Message


class Heard(NamedTuple):
    """All messages that went to one viewer and came from them; `person` is None for nobody."""

    name: str
    person: str | None
    messages: Sequence[Message]


class HistoryError(AssertionError):
    """Somebody was told something else than what happened."""


def check_history(log: Log, memory: Memory, heard: Iterable[Heard]) -> int:
    """Raise `HistoryError` or `Leak` at the first thing that is wrong; returns how many steps were
    told. The game is over."""
    _acknowledged_once(log, memory)
    try:
        log.check(memory)
    except AssertionError as wrong:
        raise HistoryError(f"table {memory.table_id}: {wrong}") from wrong
    truth = Truth(memory.table_id, log.rows)
    told = 0
    for each in heard:
        told += _told_in_order(log, each)
        account_for(each.messages, truth, each.person)
        # The record has the secrets, when the game is over.
        open_now = (m.body for m in each.messages if m.to_viewer and b'"seed":' not in m.body)
        no_secret_in(b"\n".join(open_now), truth, each.name)
    return told


def _acknowledged_once(log: Log, memory: Memory) -> None:
    """However often a request was sent, it made one step, and each acknowledgement named it."""
    numbers: dict[tuple[str, str], int] = {}
    for person, request, number in memory.acknowledged:
        if numbers.setdefault((person, request.id), number) != number:
            raise HistoryError(f"{request} was acknowledged as two steps")
        made = [row.number for row in log.rows if row.request == f"{person}:{request.id}"]
        if made != [number]:
            raise HistoryError(f"{request} was acknowledged as {number} and is in {made}")


def _told_in_order(log: Log, heard: Heard) -> int:
    """On each connection, the visible steps after those that the viewer said to have."""
    seated = bool(log.state.seats_of(heard.person))
    visible = [step.number for step in steps_for(log.state, log.steps, Viewer(seated=seated))]
    told = 0
    for connection, messages in by_connection(heard.messages):
        numbers, after = _numbers(messages)
        expected = [number for number in visible if number > after]
        if numbers != expected[: len(numbers)]:
            pairs = enumerate(zip(numbers, expected, strict=False))
            at = next((place for place, (n, e) in pairs if n != e), len(expected))
            part = slice(max(0, at - 1), at + 2)
            raise HistoryError(
                f"{heard.name}, connection {connection}: told {numbers[part]} where"
                f" {expected[part]} happened"
            )
        told += len(numbers)
    return told


def _numbers(messages: Iterable[Message]) -> tuple[list[int], int]:
    """The steps told on one connection, and the last one that its viewer said to have."""
    numbers: list[int] = []
    after = 0
    for message in messages:
        if message.kind != "frame" or message.code != TEXT:
            continue
        content: dict[str, Any] = msgspec.json.decode(message.body)
        if not message.to_viewer:
            if content["type"] == "hello":
                after = content.get("have") or 0
            continue
        told = [step["number"] for step in content.get("steps", ())]
        if content["type"] == "welcome" and told and told[0] <= after:
            after = 0  # the server tells everything again
        numbers += told
    return numbers, after


def by_connection(messages: Iterable[Message]) -> Iterator[tuple[int, list[Message]]]:
    found: dict[int, list[Message]] = {}
    for message in messages:
        found.setdefault(message.connection, []).append(message)
    yield from found.items()
