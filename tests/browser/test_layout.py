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
FONT_SIZE = "getComputedStyle(document.documentElement).fontSize"


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_has_room(person: MakePerson, language: str) -> None:
    """The way to the screens is long: one of the languages also shows text twice as large."""
    me = person(language, width=1440, height=900)
    fonts = me.context.new_cdp_session(me.page)
    me.come()
    found = []
    for screen in all_screens(me):
        for width, height in SIZES if language == "fr" else UPRIGHT:
            me.page.set_viewport_size({"width": width, "height": height})
            found += [f"{screen} at {width}: {fault}" for fault in faults(me.page)]
        if language == "pt":
            me.page.set_viewport_size({"width": 1440, "height": 900})
            fonts.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
            assert me.page.evaluate(FONT_SIZE) == "32px"
            found += [f"{screen} twice as large: {fault}" for fault in faults(me.page)]
            fonts.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
    assert not found, "\n" + "\n".join(found)
