"""The review on the page: begun by asking, with a bar, kept, and leading back to the board."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.sizes import in_soak

from .people import SLOW, MakePerson, Person
from .screens import RECORDS, record_of

NEVER_REVIEWED = RECORDS / "059-double-empty-pool-n5-shuffle-standard.json"
"""A review is stored, and no other test may have asked for this one."""


def whole(me: Person) -> None:
    for title in (
        "Mistakes",
        "Luck and play",
        "Payouts",
        "What land cost and earned",
    ):
        expect(me.heading(title)).to_be_visible(timeout=4 * SLOW)
    expect(chart(me, "Chance to win")).to_be_visible()


def chart(me: Person, title: str) -> Locator:
    return me.page.get_by_role("slider", name=me.t(title), exact=True)


@pytest.mark.parametrize(("language", "phone"), [in_soak("en", False), ("fr", True)])
def test_of_a_game_just_played(person: MakePerson, language: str, phone: bool) -> None:
    me = person(language, **({"width": 360, "height": 640, "touch": True} if phone else {}))
    me.play_now()
    me.finish()
    me.button("Review the game").click()
    whole(me)
    me.page.reload()
    whole(me)
    decided = me.heading("Turning points").locator("..").get_by_role("button")
    assert decided.count() == 3
    decided.first.click()
    told = decided.first.text_content() or ""
    expect(me.page.locator(".board-head h2")).to_have_text(told.split(",")[0].split("、")[0])
    me.button("See all hands").click()
    hands = me.page.get_by_role("region", name=me.t("Hands at this point"), exact=True)
    expect(hands).to_be_visible()
    expect(me.finale).to_be_hidden()
    me.page.go_back()
    whole(me)
    me.page.evaluate("scrollTo(0, 0)")
    expect(me.back).to_be_in_viewport()
    me.back.click()
    expect(me.finale).to_be_visible()


def test_points_are_explained_before_they_are_counted(person: MakePerson) -> None:
    me = person("en")
    me.play_now()
    me.finish()
    me.button("Review the game").click()
    whole(me)
    told = me.page.get_by_role("main").text_content() or ""
    explained = told.index(me.t("A point is one percentage point of the chance to win."))
    counted = re.search(r"\d points?\b", told)
    assert counted
    assert explained < counted.start()


@pytest.mark.parametrize("language", [in_soak("pt"), "ja"])
def test_of_a_record_by_keyboard(person: MakePerson, language: str) -> None:
    me = person(language)
    me.come()
    with me.page.expect_file_chooser() as chooser:
        me.button("Choose a file").click()
    chooser.value.set_files(record_of("standard"))
    expect(me.finale).to_be_visible()
    me.button("Review the game").focus()
    me.page.keyboard.press("Enter")
    whole(me)
    me.button("Back to the game").focus()
    me.page.keyboard.press("Enter")
    expect(me.finale).to_be_visible()


def test_the_board_moves_with_the_charts(person: MakePerson) -> None:
    """By pointer, click and keys, before anything has been computed; hands are at the table."""
    me = person("en", width=1280, height=720)
    me.come()
    with me.page.expect_file_chooser() as chooser:
        me.button("Choose a file").click()
    chooser.value.set_files(NEVER_REVIEWED)
    me.button("Review the game").click()
    cash, turn = chart(me, "Cash"), me.page.get_by_role("slider", name="Turn", exact=True)
    expect(me.page.get_by_role("progressbar")).to_be_visible()
    expect(cash).to_be_visible()
    last = int(cash.get_attribute("aria-valuemax") or 0)
    expect(me.map).to_have_accessible_name(re.compile(f"Map: {last} of"))

    box = cash.bounding_box()
    assert box
    me.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(turn).not_to_have_value(str(last))
    under = int(turn.input_value())
    assert 0 < under < last
    expect(me.map).to_have_accessible_name(re.compile(f"Map: {under} of"))
    me.page.mouse.move(5, 5)
    expect(turn).to_have_value(str(last))

    me.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    me.page.mouse.move(5, 5)
    expect(turn).to_have_value(str(under))
    cash.press("ArrowLeft")
    expect(turn).to_have_value(str(under - 1))
    expect(cash).to_have_attribute("aria-valuenow", str(under - 1))
    expect(cash).to_have_attribute("aria-valuetext", re.compile(rf"Turn {under - 1}: .*\$"))
    me.page.locator("body").press("ArrowRight")
    expect(turn).to_have_value(str(under))
    me.button("Next turn").click()
    expect(turn).to_have_value(str(under + 1))
    me.button("See all hands").click()
    expect(me.page.get_by_role("region", name="Hands at this point", exact=True)).to_be_visible()
