"""axe-core finds nothing on any screen that keeps people out, in light and dark."""

from __future__ import annotations

from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe

from .people import MakePerson, Person
from .screens import all_screens

ON_PHONES = ("home", "lesson", "curtain", "waiting-room", "table", "hint", "land", "end")
"""The screens that are another thing there, in the order in which they come."""


Scheme = Literal["light", "dark"]


def test_no_violation_on_any_screen(person: MakePerson) -> None:
    me = person("en", width=1280, height=900)
    me.page.emulate_media(reduced_motion="reduce")
    me.come()
    found = []
    for screen in all_screens(me):
        found += violations(me, screen, "light")
        found += violations(me, screen, "dark")
        me.page.emulate_media(color_scheme="light")
    assert not found


def test_no_violation_on_a_phone(person: MakePerson) -> None:
    me = person("ja", width=360, height=640, touch=True)
    me.page.emulate_media(reduced_motion="reduce")
    me.come()
    found = []
    for screen in all_screens(me):
        if screen in ON_PHONES:
            found += violations(me, screen, "light")
        if screen == ON_PHONES[-1]:
            break
    assert not found


def violations(me: Person, screen: str, scheme: Scheme) -> list[str]:
    me.page.emulate_media(color_scheme=scheme)
    results: dict[str, Any] = Axe().run(me.page).response
    return [
        f"{screen}, {scheme}: {violation['id']}: {violation['help']}: "
        f"{node['html'][:160]} ({node.get('failureSummary', '')[-200:]})"
        for violation in results["violations"]
        for node in violation["nodes"][:3]
    ]
