"""The text of an alert, formatted for each receiver: JSON, Discord, Slack, ntfy."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from typing import Literal, NamedTuple

from lastspike.words.language import words_for

Form = Literal["json", "discord", "slack", "ntfy"]
Kind = Literal["your_turn", "game_over"]

_MARKDOWN = re.compile(r"([\\`*_~|\[\]()<>#-])")


class Alert(NamedTuple):
    """It is `player`'s turn at the table at `url`, or the game is over."""

    table: str
    url: str
    player: str
    turn: int
    kind: Kind
    language: str

    def text(self, player: str | None = None) -> str:
        """The sentence; `player` is the name, escaped for the form."""
        words = words_for(self.language)
        name = self.player if player is None else player
        if self.kind == "game_over":
            return words.say("The game is over, {player}: {url}", player=name, url=self.url)
        return words.say("It’s your turn, {player}: {url}", player=name, url=self.url)


def write_alert(form: Form, alert: Alert) -> tuple[bytes, dict[str, str]]:
    """The body and the headers."""
    match form:
        case "discord":
            name = _MARKDOWN.sub(r"\\\1", alert.player)
            return _json({"content": alert.text(name), "allowed_mentions": {"parse": []}})
        case "slack":
            text = alert.text().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            return _json({"text": text})
        case "ntfy":
            title = f"Last Spike: {alert.player}"
            return alert.text().encode(), {
                "Content-Type": "text/plain; charset=utf-8",
                "Title": _header(title),
                "Click": _header(alert.url),
            }
        case "json":
            return _json(
                {
                    "table": alert.table,
                    "url": alert.url,
                    "player": alert.player,
                    "turn": alert.turn,
                    "event": alert.kind,
                    "text": alert.text(),
                }
            )


def _json(content: dict[str, object]) -> tuple[bytes, dict[str, str]]:
    return json.dumps(content).encode(), {"Content-Type": "application/json"}


def _header(text: str) -> str:
    """A header's value, encoded (RFC 2047) if necessary."""
    if text.isascii() and text.isprintable():
        return text
    return f"=?UTF-8?B?{b64encode(text.encode()).decode()}?="
