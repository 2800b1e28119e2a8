"""The panel below the map: what a turn will do, in one place, without clipping or scrolling."""

from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import expect

from tests.sizes import in_soak

from .axe import violations
from .layout import faults
from .people import MakePerson, Person
from .positions import POSITIONS, take_over
from .words import LANGUAGES

SOAK = os.environ.get("LASTSPIKE_SOAK") == "1"
IN_TEST = {"most-land": LANGUAGES, "most-choices": ("ja",), "six-players": ("fr",)}
"""The languages in which `make test` tries each position."""
DESKS = ((1280, 720), (1440, 900), (1920, 1080))
PHONES = ((360, 640), (390, 844), (820, 1180))
ON_ITS_SIDE = ((844, 390), (667, 375))

MEASURE = """() => {
  const box = (selector) => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return { x, y, width, height };
  };
  const hidden = [".tray", ".plan", ".composer", ".choices"].filter((selector) => {
    const part = document.querySelector(selector);
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = part ?? {};
    return scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1;
  });
  const small = [...document.querySelectorAll(":is(#bar, .table) :is(button, select, input, a)")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .map((each) => [each.textContent, each.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 43.5)
    .map(([text]) => text);
  const { top } = document.querySelector(".tray").getBoundingClientRect();
  const covered = [...document.querySelectorAll(".map :is(.plate, .ring)")]
    .filter((part) => part.getBoundingClientRect().bottom > top).length;
  return { hidden, small, covered, end: box("[data-key=end-turn]"), map: box(".map-box") };
}"""


def most_paid(me: Person) -> None:
    """Choose the tile that says the most."""
    best, most = 0, -1
    for n in range(me.tiles_to_lay.count()):
        me.tiles_to_lay.nth(n).click()
        expect(me.button("End turn")).to_be_visible()
        told = me.composer.get_by_role("listitem").count()
        best, most = (n, told) if told > most else (best, most)
        me.tiles_to_lay.nth(n).click()
        expect(me.my_turn).to_be_visible()
    me.tiles_to_lay.nth(best).click()
    expect(me.button("End turn")).to_be_visible()


@pytest.mark.soak
@pytest.mark.parametrize("name", POSITIONS)
def test_nothing_of_the_panel_is_out_of_sight(person: MakePerson, name: str) -> None:
    """In every language, on phones and desks, where there is most to say. All languages are tried
    in one position, French and Japanese in another each, and in the soak all in all."""
    me = person("en", width=1280, height=720)
    take_over(me, name)
    most_paid(me)
    found = []
    for language in LANGUAGES if SOAK else IN_TEST[name]:
        me.speak(language)
        expect(me.button("End turn")).to_be_visible()
        me.raise_money()
        for width, height in (*DESKS, *PHONES, *ON_ITS_SIDE):
            me.resize(width, height)
            seen = me.page.evaluate(MEASURE)
            where = f"{language} at {width}×{height}"
            if width >= 1280:
                found += [f"{where}: {part} scrolls" for part in seen["hidden"]]
                if seen["map"]["height"] < 0.6 * height:
                    found.append(f"{where}: the map has {seen['map']['height']} of {height}")
            if width < 1280 and seen["end"]["y"] + seen["end"]["height"] > height:
                found.append(f"{where}: End turn is out of sight")
            if height > width and seen["covered"]:
                found.append(f"{where}: the panel covers {seen['covered']} parts of cities")
            found += [f"{where}: “{text}” is smaller than a thumb" for text in seen["small"]]
            if SOAK or language in ("fr", "ja"):
                found += [f"{where}: {fault}" for fault in faults(me.page)]
    assert not found, "\n".join(found)


def test_the_draft_stands_still_and_survives(person: MakePerson) -> None:
    """End turn says what it will do and stays in its place; a reload brings back every choice."""
    me = person("en", width=1280, height=720)
    take_over(me, "most-choices")
    me.tiles_to_lay.first.click()
    end = me.button("End turn")
    expect(end).to_have_accessible_description(me.pattern("Lay {tile}", tile=".*"))
    tile = (me.hand.get_by_role("button", pressed=True).text_content() or "")[:2]
    before = end.bounding_box()
    offer = me.offers.nth(2)
    city = (offer.locator("span").first.text_content() or "").strip()
    offer.click()
    expect(end).to_have_accessible_description(me.t("Lay {tile}, buy {city}", tile=tile, city=city))
    assert end.bounding_box() == before
    assert me.composer.get_by_text(
        me.pattern("Cash after this turn: {amount}", amount=".+")
    ).count()

    me.page.reload()
    expect(end).to_have_accessible_description(me.t("Lay {tile}, buy {city}", tile=tile, city=city))
    expect(me.offers.nth(2)).to_have_attribute("aria-pressed", "true")
    assert me.offers.count() > 3, "the other land stays on offer"

    me.end_turn()
    expect(me.log).to_contain_text(f"buy {city}")
    me.until_mine()
    me.page.reload()
    expect(me.my_turn).to_be_visible()


def test_land_that_can_not_be_bought_says_why(person: MakePerson) -> None:
    me = person("en", width=1280, height=720)
    take_over(me, "most-land")
    me.tiles_to_lay.first.click()
    expect(me.button("End turn")).to_be_visible()
    group = me.composer.get_by_role("group")
    expect(group.get_by_text("sold out").first).to_be_visible()
    offered = me.offers.count()
    told = group.locator(":scope > *").count()
    assert told == 9
    assert 0 < offered < told


@pytest.mark.soak
def test_a_hint_takes_no_room(person: MakePerson) -> None:
    """At a desk it stands beside the log, whole; on a phone its reasons fold before land."""
    me = person("en", width=1280, height=720)
    take_over(me, "six-players")
    for language in LANGUAGES if SOAK else ("fr", "ja"):
        me.speak(language)
        for draft in (False, True):
            if draft:
                me.tiles_to_lay.first.click()
                me.raise_money()
            me.button("Hint").click()
            expect(me.advice).to_be_visible()
            board, height = me.map.bounding_box(), "part => part.scrollHeight - part.clientHeight"
            assert board
            assert board["height"] >= 0.6 * 720
            assert me.page.locator(".hint-beside").evaluate(height) <= 1, (language, draft)
            assert me.page.locator(".plan").evaluate(height) <= 1
            me.button("Hint").click()
            expect(me.advice).to_have_count(0)
        while me.button("Undo").is_visible():
            told = me.composer.text_content() or ""
            me.button("Undo").click()
            expect(me.composer).not_to_have_text(told)
    me.resize(390, 844)
    me.tiles_to_lay.first.click()
    me.raise_money()
    me.button("Hint").click()
    expect(me.advice.get_by_role("listitem")).to_have_count(0)
    expect(me.offers.last).to_be_in_viewport()
    expect(me.button("End turn")).to_be_in_viewport()
    me.advice.get_by_text(me.t("Why?")).click()
    expect(me.advice.get_by_role("listitem").first).to_be_visible()


def test_what_land_adds_is_said(person: MakePerson) -> None:
    me = person("en", width=1440, height=900)
    take_over(me, "most-choices")
    me.hand.get_by_role("button", name=re.compile("^D1")).click()
    laramie = me.composer.get_by_role("button", name=re.compile("^Laramie"))
    expect(laramie).to_have_attribute(
        "title", "Adds $10,000 to each of 2 payouts that may still come."
    )
    laramie.click()
    expect(me.composer).to_contain_text("Adds $10,000 to each of 2 payouts that may still come.")


def test_the_figures_of_land_are_explained_until_some_is_bought(person: MakePerson) -> None:
    me = person("en", width=390, height=844)
    take_over(me, "early")
    explained = me.composer.get_by_text(re.compile(r"“\+\$\d+k\s×\s\d” means"))
    me.tiles_to_lay.first.click()
    told = "“+$7k × 3” means that the card adds $7,000 to each of 3 payouts that may still come."
    expect(explained).to_have_text(told)
    me.offers.first.click()
    expect(me.composer).to_contain_text(re.compile("Adds .* still come"))
    me.end_turn()
    while me.until_mine():
        me.tiles_to_lay.first.click()
        expect(me.button("End turn")).to_be_visible()
        if me.offers.count():
            break
        me.end_turn()  # the tile brought free land
    expect(me.composer.get_by_text("Buy one land card, or end your turn:")).to_be_visible()
    expect(explained).to_have_count(0)


def test_a_hint_can_be_set_up(person: MakePerson) -> None:
    me = person("en", width=1280, height=720)
    take_over(me, "most-choices")
    me.button("Hint").click()
    me.button("Use this hint").click()
    expect(me.button("End turn")).to_be_enabled()
    pressed = me.hand.get_by_role("button", pressed=True)
    expect(pressed).to_have_count(1)
    assert "advised" in (pressed.get_attribute("class") or "")

    # With land chosen, it is about the land as well.
    other = me.offers.and_(me.page.locator("[aria-pressed=false]")).first
    other.click()
    expect(me.advice).to_have_count(0)
    me.button("Hint").click()
    expect(me.advice).to_contain_text("Tycoon, the strongest computer player, would lay")
    expect(me.button("Use this hint")).to_be_visible()


def test_keys_reach_land_soon(person: MakePerson) -> None:
    """From the chosen tile to the first land: the rest of the hand, not the log."""
    me = person("en", width=1280, height=720)
    take_over(me, "most-choices")
    me.tiles_to_lay.first.focus()
    me.page.keyboard.press("Enter")
    expect(me.button("End turn")).to_be_visible()
    first = me.offers.first
    for _ in range(6):
        me.page.keyboard.press("Tab")
        if first.evaluate("part => part === document.activeElement"):
            return
    raise AssertionError("the first land is more than six tabs away")


def test_every_state_is_open_to_everybody(person: MakePerson) -> None:
    """What axe-core finds while a turn is composed, advised, looked back from, or read about."""
    me = person("en", width=390, height=844)
    take_over(me, "most-choices")
    most_paid(me)
    found = violations(me.page)
    me.button("Hint").click()
    expect(me.advice).to_be_visible()
    found += violations(me.page)
    me.page.keyboard.press("Backspace")
    me.page.keyboard.press("ArrowLeft")
    expect(me.page.get_by_role("group", name=me.t("Replay"), exact=True)).to_be_visible()
    found += violations(me.page)
    me.map.get_by_role("button", name="Denver", exact=True).focus()
    me.page.keyboard.press("Enter")
    expect(me.page.locator(".map-card")).to_be_visible()
    found += violations(me.page)
    assert not found, "\n".join(found)


SIDE_BY_SIDE = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const parts = [...document.querySelectorAll(".replay > *")].filter((part) => part.offsetWidth);
  const small = parts.filter((part) => part.matches("button, input"))
    .map((part) => [part.dataset.key, part.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 43.5).map(([key]) => key);
  const outside = parts.map((part) => part.getBoundingClientRect())
    .filter(({ left, right, bottom }) => left < 0 || right > innerWidth || bottom > innerHeight);
  return { small, outside: outside.length, wide: document.documentElement.scrollWidth - innerWidth,
    through: getComputedStyle(document.querySelector(".tray")).opacity !== "1",
    beside: box(".map-box").right <= box(".tray").left,
    card: document.querySelector(".map-card:not([hidden])")?.getBoundingClientRect().bottom ?? 0 };
}"""


@pytest.mark.parametrize(("width", "height"), [(360, 640), in_soak(667, 375), (844, 390)])
def test_the_past_fits_a_phone(person: MakePerson, width: int, height: int) -> None:
    """Its controls are in sight, and the hand doesn't let through what is behind it. On its side,
    the map is on the left, whole, with its card."""
    me = person("fr", width=width, height=height, touch=True)
    take_over(me, "most-choices")
    me.page.keyboard.press("ArrowLeft")
    replay = me.page.get_by_role("group", name=me.t("Replay"), exact=True)
    expect(replay).to_be_visible()
    me.map.get_by_role("button", name="Denver", exact=True).focus()
    me.page.keyboard.press("Enter")
    expect(me.page.locator(".map-card")).to_be_visible()
    seen = me.page.evaluate(SIDE_BY_SIDE)
    assert seen["card"] <= height
    assert seen["beside"] == (width > height)
    assert not seen["small"]
    assert not seen["outside"]
    assert not seen["through"]
    assert seen["wide"] <= 0


def test_payouts_fly_to_the_players(person: MakePerson) -> None:
    """Each payout of a turn, once; and none where less motion is wanted."""
    seen = """() => {
      window.flights = 0;
      new MutationObserver((all) => {
        for (const { addedNodes } of all)
          for (const node of addedNodes) window.flights += node.matches?.(".flight") ? 1 : 0;
      }).observe(document.body, { childList: true, subtree: true });
    }"""
    for calm in (False, True):
        me = person("en", width=1280, height=720, calm=calm, new=True)
        take_over(me, "most-choices")
        most_paid(me)
        paid = me.composer.get_by_role("list", name="Payouts").get_by_role("listitem").count()
        assert paid > 1
        me.page.evaluate(seen)
        before = me.players.text_content()
        me.end_turn()
        expect(me.players).not_to_have_text(before or "")
        me.until_mine()
        flights = me.page.evaluate("window.flights")
        assert flights == 0 if calm else flights >= paid


def test_cash_counts_up_to_what_everybody_has(person: MakePerson) -> None:
    """With all motion, the list ends at the amounts that the text board tells."""
    me = person("en", width=1280, height=720, calm=False, new=True)
    take_over(me, "most-land")
    me.take_turn()
    assert me.until_mine()
    me.tab("Text").click()
    names = "|".join(me.players.locator(".player-name").all_text_contents())
    told = re.findall(rf"(?:{names}).*?(\$[\d,]*\d)", me.type("players"))
    assert len(told) == 4, told
    for cash, amount in zip(me.players.locator(".cash").all(), told, strict=True):
        expect(cash).to_have_text(amount)
