"""What a device is, in plain words, from the User-Agent that its browser sends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

LONGEST = 400
"""Characters of a User-Agent that are looked at."""

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Version/", "Safari"),
)
"""In this order: most browsers also claim to be others."""
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
)


class Device(NamedTuple):
    """A browser and its system, each empty if unknown. Nothing else of the User-Agent is kept, so
    that it tells two people apart as little as possible."""

    browser: str = ""
    system: str = ""


UNKNOWN = Device()


def device_of(headers: Mapping[str, str]) -> Device:
    """The device that sends these headers, whose names are in lower case."""
    agent = headers.get("user-agent", "")[:LONGEST]
    return Device(_first(agent, _BROWSERS), _first(agent, _SYSTEMS))


def _first(agent: str, names: Sequence[tuple[str, str]]) -> str:
    return next((name for sign, name in names if sign in agent), "")
