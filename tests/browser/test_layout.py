"""Text is neither clipped nor overlapping, in any language, from a phone to a desk."""

from __future__ import annotations

import pytest

from .layout import faults
from .people import MakePerson
from .screens import all_screens
from .words import LANGUAGES

UPRIGHT = ((360, 640), (768, 1024), (1440, 900))
SIZES = (*UPRIGHT, (740, 360))
"""A phone on its side is tried in the language with the longest words."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_has_room(person: MakePerson, language: str) -> None:
    me = person(language, width=1440, height=900)
    me.come()
    found = []
    for screen in all_screens(me):
        for width, height in SIZES if language == "fr" else UPRIGHT:
            me.page.set_viewport_size({"width": width, "height": height})
            found += [f"{screen} at {width}: {fault}" for fault in faults(me.page)]
    assert not found, "\n" + "\n".join(found)


def test_text_twice_as_large_has_room(person: MakePerson) -> None:
    me = person("en", width=1440, height=900)
    fonts = me.context.new_cdp_session(me.page)
    fonts.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    me.come()
    found = []
    for screen in all_screens(me):
        found += [f"{screen}: {fault}" for fault in faults(me.page)]
    assert not found, "\n" + "\n".join(found)
