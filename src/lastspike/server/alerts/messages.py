"""The texts of personal alerts: what a push notification and an e-mail say.

They are made from what everybody at the table may know: names, whose turn it is, and the deadline.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import NamedTuple

import msgspec

from lastspike.server.table.state import TableState
from lastspike.words.language import Words, words_for
from lastspike.words.names import level_names

from .headers import POLICY
from .timing import HOUR_MS, Kind

MOST_LISTED = 20
"""Alerts in one message."""


class Item(NamedTuple):
    """One thing that happened. `others` are the other players; `who` is the one that the alert is
    about; `left` is how long the person still has, in milliseconds."""

    kind: Kind
    table: str
    others: tuple[str, ...]
    who: str = ""
    left: int | None = None


def item_of(kind: Kind, state: TableState, person: str, seat: int, now: int) -> Item:
    """An alert about a table, for a person who sits there."""
    mine = state.seats_of(person)
    others = tuple(
        each.name or each.level or "" for n, each in enumerate(state.seats) if n not in mine
    )
    deadline = state.deadline()
    left = None if deadline is None else max(0, deadline - now)
    who = state.seats[seat].name or "" if seat < len(state.seats) else ""
    return Item(kind, state.id, tuple(name for name in others if name), who, left)


def sentence(item: Item, words: Words) -> str:
    """What happened, in one sentence."""
    levels = level_names(words)
    names = [levels[name].name if name in levels else name for name in item.others]
    players = words.listed(names)
    match item.kind:
        case "your_turn":
            if item.left is None:
                return words.say("It’s your turn against {players}.", players=players)
            left = time_left(item.left, words)
            return words.say(
                "It’s your turn against {players}. Time left: {time}.", players=players, time=left
            )
        case "reminder":
            left = time_left(item.left or 0, words)
            return words.say(
                "Your time against {players} is running out: {time} left.",
                players=players,
                time=left,
            )
        case "nudge":
            return words.say("{player} is waiting for you to play.", player=item.who)
        case "seat_taken":
            return words.say("{player} has taken a seat at your table.", player=item.who)
        case "game_over":
            return words.say("Your game against {players} is over.", players=players)


def time_left(ms: int, words: Words) -> str:
    """In days and hours, in hours, or in minutes; hours are rounded."""
    hours = (ms + HOUR_MS // 2) // HOUR_MS if ms >= HOUR_MS else 0
    days = hours // 24
    if days and hours % 24:
        return words.say(
            "{days} {hours}",
            days=words.count("{n} day", "{n} days", days),
            hours=words.count("{n} hour", "{n} hours", hours % 24),
        )
    if days:
        return words.count("{n} day", "{n} days", days)
    if hours:
        return words.count("{n} hour", "{n} hours", hours)
    return words.count("{n} minute", "{n} minutes", ms // 60_000)


def push_content(items: Sequence[Item], base_url: str, language: str) -> bytes:
    """The payload of a push message, which only the browser can read."""
    words = words_for(language)
    texts = [sentence(item, words) for item in items[:MOST_LISTED]]
    one = items[0].table if len({item.table for item in items}) == 1 else None
    return msgspec.json.encode(
        {
            "title": "The Last Spike",
            "body": "\n".join(texts),
            "tag": one or "digest",
            "url": f"{base_url}/table/{one}" if one else f"{base_url}/",
            "language": language,
        }
    )


def alert_mail(
    items: Sequence[Item], base_url: str, language: str, unsubscribe: str
) -> EmailMessage:
    """An e-mail with a link to each table. `unsubscribe` is the URL that ends these e-mails."""
    words = words_for(language)
    shown = items[:MOST_LISTED]
    parts = [f"{sentence(item, words)}\n{base_url}/table/{item.table}" for item in shown]
    settings = words.say("Choose which alerts you get: {url}", url=f"{base_url}/alerts")
    stop = words.say("Stop these e-mails: {url}", url=unsubscribe)
    subject = (
        sentence(shown[0], words)
        if len(shown) == 1
        else words.count("{n} alert from your games", "{n} alerts from your games", len(shown))
    )
    mail = _mail(subject, "\n\n".join([*parts, f"--\n{settings}\n{stop}"]), language)
    mail["List-Unsubscribe"] = f"<{unsubscribe}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return mail


def confirmation_mail(confirm: str, language: str) -> EmailMessage:
    """The e-mail that asks the owner of an address to confirm it. It holds no text by the person
    who entered the address."""
    words = words_for(language)
    body = "\n\n".join(
        (
            words.say(
                "To get e-mail alerts about your turns, open this link and confirm your address:"
            ),
            confirm,
            words.say(
                "If you didn’t ask for this, ignore this e-mail. You won’t hear from us again."
            ),
        )
    )
    return _mail(words.say("Confirm your e-mail address for The Last Spike"), body, language)


def _mail(subject: str, body: str, language: str) -> EmailMessage:
    mail = EmailMessage(policy=POLICY)
    mail["Subject"] = " ".join(subject.split())
    mail["Date"] = format_datetime(datetime.now(UTC))
    mail["Message-ID"] = make_msgid(domain="lastspike.invalid")
    mail["Auto-Submitted"] = "auto-generated"
    mail["Content-Language"] = language
    mail.set_content(body)
    return mail
