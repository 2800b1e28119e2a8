"""axe-core finds nothing on any screen that keeps people out, in light and dark."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from .people import MakePerson, Person
from .screens import all_screens

ON_PHONES = ("home", "lesson", "curtain", "waiting-room", "table", "hint", "land", "end")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_violation_on_any_screen(person: MakePerson, scheme: str) -> None:
    me = person("en", width=1280, height=900, dark=scheme == "dark")
    assert not violations(me, every=True)


def test_no_violation_on_a_phone(person: MakePerson) -> None:
    me = person("ja", width=360, height=640, touch=True)
    assert not violations(me, every=False)


def violations(me: Person, *, every: bool) -> list[str]:
    """What is found on every screen, or on those that are another thing on a small one."""
    me.page.emulate_media(reduced_motion="reduce")
    me.come()
    found = []
    for screen in all_screens(me):
        if not every and screen not in ON_PHONES:
            continue
        results: dict[str, Any] = Axe().run(me.page).response
        found += [
            f"{screen}: {violation['id']}: {violation['help']}: "
            f"{node['html'][:160]} ({node.get('failureSummary', '')[-200:]})"
            for violation in results["violations"]
            for node in violation["nodes"][:3]
        ]
    return found
