"""axe-core finds nothing on any screen that keeps people out, in light and dark."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe

from .people import MakePerson, Person
from .screens import all_screens


def test_no_violation_on_any_screen(person: MakePerson) -> None:
    me = person("en", width=1280, height=900)
    me.page.emulate_media(reduced_motion="reduce")
    me.come()
    found = []
    for screen in all_screens(me):
        found += violations(me, screen)
    assert not found, "\n" + "\n".join(found)


def test_no_violation_on_a_phone(person: MakePerson) -> None:
    me = person("ja", width=360, height=640, touch=True)
    me.page.emulate_media(reduced_motion="reduce")
    me.come()
    found = []
    for screen in all_screens(me):
        if screen in ("home", "curtain", "waiting-room", "table", "hint", "land", "end"):
            found += violations(me, screen)
    assert not found, "\n" + "\n".join(found)


def violations(me: Person, screen: str) -> list[str]:
    told = []
    for scheme in ("light", "dark"):
        me.page.emulate_media(color_scheme=scheme)
        results: dict[str, Any] = Axe().run(me.page).response
        told += [
            f"{screen}, {scheme}: {violation['id']}: {violation['help']}: "
            f"{node['html'][:160]} ({node.get('failureSummary', '')[-200:]})"
            for violation in results["violations"]
            for node in violation["nodes"][:3]
        ]
    return told
