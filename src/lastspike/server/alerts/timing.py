"""When alerts are sent: quiet hours, a daily digest, and reminders. Pure functions of the choices
of a person and of the time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo

from lastspike.protocol import AlertChoices
from lastspike.rules.errors import LastSpikeError

Kind = Literal["your_turn", "game_over", "seat_taken", "nudge", "reminder"]

HOUR_MS = 3_600_000
SHORTEST_REMINDED_MS = 4 * HOUR_MS
"""Nobody is reminded of a turn that may take less than this."""
MOST_AHEAD_MS = 12 * HOUR_MS
"""How long before the time runs out a reminder comes at most; otherwise in the last quarter."""


def check_choices(choices: AlertChoices) -> None:
    """`LastSpikeError` if the server doesn't know the time zone."""
    try:
        ZoneInfo(choices.zone)
    except (OSError, ValueError, LookupError):  # ZoneInfoNotFoundError is a KeyError
        raise LastSpikeError("there is no time zone {zone}", zone=choices.zone) from None


def send_at(choices: AlertChoices, kind: Kind, now: int) -> int | None:
    """When to send an alert: now, in the next digest, or after the quiet hours; None if the person
    doesn't want it."""
    wanted = {
        "your_turn": choices.turns,
        "game_over": choices.over,
        "seat_taken": choices.seats,
        "reminder": choices.remind,
        "nudge": True,
    }[kind]
    if not wanted:
        return None
    if choices.digest and kind in ("your_turn", "game_over", "seat_taken"):
        return quiet_end(choices, next_digest(choices, now))
    return quiet_end(choices, now)


def next_digest(choices: AlertChoices, now: int) -> int:
    """The next time of the digest, later than now."""
    return _next(now, choices.digest_at, _zone(choices))


def quiet_end(choices: AlertChoices, now: int) -> int:
    """Now, or the end of the quiet hours if now is within them."""
    if not choices.quiet or choices.quiet_from == choices.quiet_to:
        return now
    zone = _zone(choices)
    there = datetime.fromtimestamp(now / 1000, zone)
    minute = there.hour * 60 + there.minute
    begin, end = choices.quiet_from, choices.quiet_to
    within = begin <= minute < end if begin < end else minute >= begin or minute < end
    return _next(now, end, zone) if within else now


def remind_at(choices: AlertChoices, began: int, deadline: int, now: int) -> int | None:
    """When to remind a person that their time runs out; None if they don't want it or it makes no
    sense. If that is in their quiet hours and those end too late, it is before them."""
    time = deadline - began
    if not choices.remind or time < SHORTEST_REMINDED_MS:
        return None
    at = deadline - min(time // 4, MOST_AHEAD_MS)
    after = quiet_end(choices, at)
    if after >= deadline - HOUR_MS:
        after = _last(at, choices.quiet_from, _zone(choices)) - 1
    return after if after > now else None


def _zone(choices: AlertChoices) -> tzinfo:
    try:
        return ZoneInfo(choices.zone)
    except (OSError, ValueError, LookupError):
        return UTC


def _next(now: int, minute: int, zone: tzinfo) -> int:
    """The next moment after now at this minute of a day there."""
    there = datetime.fromtimestamp(now / 1000, zone)
    for days in range(3):
        at = _on(there + timedelta(days=days), minute)
        if at > now:
            return at
    raise AssertionError("a day has this minute")


def _last(now: int, minute: int, zone: tzinfo) -> int:
    """The last moment up to now at this minute of a day there."""
    there = datetime.fromtimestamp(now / 1000, zone)
    at = _on(there, minute)
    return at if at <= now else _on(there - timedelta(days=1), minute)


def _on(day: datetime, minute: int) -> int:
    at = day.replace(hour=minute // 60, minute=minute % 60, second=0, microsecond=0, fold=0)
    return int(at.timestamp() * 1000)
