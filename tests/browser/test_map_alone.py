"""Every choice of a turn is made on the map: by mouse, and by touch on a phone.

In the soak, whole games."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import Locator, expect

from .people import MakePerson, Person

SOAK = os.environ.get("LASTSPIKE_SOAK") == "1"


def press(thing: Locator, touch: bool) -> None:
    thing.tap(force=True) if touch else thing.click(force=True)


def lay(me: Person, touch: bool) -> None:
    """On a phone, a tap that could mean two tiles comes nearer first."""
    far = me.map.get_attribute("viewBox")
    tile = me.map.locator("[data-tile].legal .hit").first
    press(tile, touch)
    me.page.wait_for_function(
        """far => document.querySelector("[data-key=end-turn]")
          || document.querySelector(".map").getAttribute("viewBox") !== far""",
        arg=far,
    )
    if not me.button("End turn").is_visible():
        press(tile, touch)
    expect(me.button("End turn")).to_be_visible()


def play(me: Person, touch: bool) -> int:
    """Until land was bought three times, and for six turns at least; how many there were."""
    end = me.button("End turn")
    selling = me.pattern("{city}: sell land for {amount}", city=".+", amount=".+")
    buying = me.pattern("{city}: buy land for {amount}", city=".+", amount=".+")
    bought = turns = 0
    while (SOAK or bought < 3 or turns < 6) and me.until_mine():
        lay(me, touch)
        while end.is_disabled():
            told = me.composer.text_content() or ""
            press(me.map.get_by_role("button", name=selling).first, touch)
            expect(me.composer).not_to_have_text(told)
        offers = me.map.get_by_role("button", name=buying)
        if offers.count():
            press(offers.first, touch)
            expect(me.composer.get_by_role("button", pressed=True)).to_be_visible()
            bought += 1
        me.end_turn()
        turns += 1
    assert bought > 2
    return turns


@pytest.mark.soak
def test_by_mouse(person: MakePerson) -> None:
    me = person("en", width=1280, height=720)
    me.play_now()
    assert play(me, touch=False) >= 6
    if not SOAK:
        me.finish()
    expect(me.finale).to_be_visible()


@pytest.mark.soak
def test_by_touch(person: MakePerson) -> None:
    me = person("pt-BR", width=390, height=844, touch=True)
    me.play_now()
    assert play(me, touch=True) >= 6
    if not SOAK:
        me.finish()
    expect(me.finale).to_be_visible()
