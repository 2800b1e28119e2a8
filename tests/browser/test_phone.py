"""A whole game on a small phone, by thumb."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from .people import MakePerson, Person

THUMB = 44
"""The least height and width of what a thumb has to hit, in CSS pixels."""


def test_a_whole_game_on_a_phone(person: MakePerson) -> None:
    me = person("ja", width=360, height=640, touch=True)
    me.come()
    assert_for_thumbs(me)
    me.button("Play now").tap()
    expect(me.map).to_be_visible()
    me.hurry()
    turns = 0
    while me.until_mine():
        expect(me.tiles.first).to_be_in_viewport()
        if turns == 1:
            assert_for_thumbs(me)
        me.tiles_to_lay.first.tap()
        end = me.button("End turn")
        expect(end).to_be_in_viewport()
        me.raise_money()
        if me.offers.count():
            me.offers.first.tap()
            expect(me.offers.first).to_have_attribute("aria-pressed", "true")
        if turns == 1:
            assert_for_thumbs(me)
            me.button("Hint").tap()
            expect(me.advice).to_be_in_viewport()
        me.end_turn()
        turns += 1
    assert turns >= 3
    expect(me.finale.get_by_role("heading").first).to_be_in_viewport()
    wide: int = me.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360
    # What does not fit is beside, and the edge at which there is more shows it.
    expect(me.scores).to_have_class(re.compile("more-after"))
    me.scores.evaluate("scores => scores.scrollTo(scores.scrollWidth, 0)")
    expect(me.scores).to_have_class(re.compile("more-before"))
    expect(me.scores).not_to_have_class(re.compile("more-after"))


def assert_for_thumbs(me: Person) -> None:
    """Every control that is shown is large enough."""
    small = [
        f"{label(control)} {box['width']:.0f}×{box['height']:.0f}"
        for role in ("button", "tab", "combobox", "textbox")
        for control in me.page.get_by_role(role).all()
        if (box := control.bounding_box()) and min(box["width"], box["height"]) < THUMB - 0.5
    ]
    assert not small, small


def label(control: Locator) -> str:
    return (control.get_attribute("aria-label") or control.text_content() or "").strip()
