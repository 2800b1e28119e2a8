"""What is wrong with the text on a screen: clipped, cut short, overlapping, or out of sight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from .people import Person
from .words import LANGUAGES

_PAGE = Path(__file__).with_name("layout.js").read_text("utf-8")
_MAP = Path(__file__).with_name("map.js").read_text("utf-8")


def faults(page: Page) -> list[str]:
    """One line for each thing that a person would see to be wrong on what is shown now."""
    found: list[str] = page.evaluate(f"async () => [...({_PAGE})(), ...await ({_MAP})()]")
    return found


def faults_in_every_language(me: Person, screen: str, ready: Callable[[], object]) -> list[str]:
    """The same for what is shown now in each language; `ready` waits until it is drawn."""
    own, found = me.language, []
    for language in [*(each for each in LANGUAGES if each != own), own]:
        me.speak(language)
        ready()
        found += [f"{screen}, {language}: {fault}" for fault in faults(me.page)]
    return found


def map_faults(page: Page) -> list[str]:
    """What is too small on the map, lies on another thing, or is cut off."""
    found: list[str] = page.evaluate(_MAP)
    return found
