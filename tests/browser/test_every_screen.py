"""On every screen, in every language: text is neither clipped nor overlapping, from a phone to a
desk, and axe-core finds nothing that keeps people out, in light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.server.running import RunningServer
from tests.sizes import SOAK, full_size

from .axe import violations
from .layout import faults
from .people import MakePerson, company
from .screens import Games, all_screens, play
from .words import LANGUAGES

PHONE, ON_ITS_SIDE, TABLET, DESK = (360, 640), (740, 360), (768, 1024), (1440, 900)
ALL = (PHONE, TABLET, DESK)
SIZES = {"en": (PHONE,), "fr": (*ALL, ON_ITS_SIDE), "pt": (PHONE,), "pt-BR": (PHONE,), "ja": ALL}
"""The language with the longest words and the one with other letters have all sizes; the others
have the size with the least room, and all of them in the soak."""
FONT_SIZE = "getComputedStyle(document.documentElement).fontSize"

IN_THE_DARK = ("home", "waiting-room", "table", "land", "end", "review", "rules", "edition")
"""The screens whose dark colours `make test` looks at: they have all parts of the page."""
ON_PHONES = ("home", "lesson", "curtain", "waiting-room", "table", "hint", "land", "end")
"""The screens that are another thing there, in the order in which they come."""
OFF_THE_WAY = (
    *("settings", "learn", "rules", "edition", "daily", "names"),
    *("since", "keys", "menu", "chat", "text-board"),
)
"""Those that are not, and need not be crossed to get to one that is."""


@pytest.fixture(scope="module")
def games(browser: Browser, server: RunningServer) -> Games:
    """Played once for all languages."""
    with company(browser, server.url) as make:
        return play(make())


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
def test_at_a_desk(person: MakePerson, games: Games, language: str) -> None:
    """There are many screens, so the languages share what is looked at besides: axe-core,
    which hardly reads, has the English ones, and text twice as large is Portuguese."""
    me = person(language, width=DESK[0], height=DESK[1])
    fonts = me.context.new_cdp_session(me.page)
    me.come()
    found: list[str] = []
    seen: set[int] = set()
    for screen in all_screens(me, games):
        for width, height in ALL if SOAK and language != "fr" else SIZES[language]:
            me.resize(width, height)
            found += [f"{screen} at {width}: {fault}" for fault in faults(me.page)]
        me.resize(*DESK)
        if language == "en":
            found += [f"{screen}: {violation}" for violation in violations(me.page, seen=seen)]
        if language == "en" and (SOAK or screen in IN_THE_DARK):
            me.page.emulate_media(color_scheme="dark")
            dark = violations(me.page, of_colours=True, seen=seen)
            found += [f"{screen}, dark: {violation}" for violation in dark]
            me.page.emulate_media(color_scheme="light")
        if language == "pt":
            fonts.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
            assert me.page.evaluate(FONT_SIZE) == "32px"
            found += [f"{screen} twice as large: {fault}" for fault in faults(me.page)]
            fonts.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
    assert not found, "\n" + "\n".join(found)


@full_size
def test_on_a_phone(person: MakePerson, games: Games) -> None:
    me = person("ja", width=360, height=640, touch=True)
    me.come()
    found: list[str] = []
    seen: set[int] = set()
    for screen in all_screens(me, games, without=OFF_THE_WAY, until=ON_PHONES[-1]):
        if screen in ON_PHONES:
            found += [f"{screen}: {violation}" for violation in violations(me.page, seen=seen)]
    assert not found, "\n" + "\n".join(found)
