"""How light the page is, and that nothing moves under your eyes. Times are in `bench/page.py`."""

from __future__ import annotations

import os
from itertools import cycle, product

import pytest
from playwright.sync_api import expect

from .people import MakePerson
from .positions import POSITIONS, take_over
from .weight import weigh
from .words import LANGUAGES

SOAK = os.environ.get("LASTSPIKE_SOAK") == "1"

FIRST_VISIT_BYTES = 150_000
FIRST_VISIT_REQUESTS = 15

SHIFTS = """
  window.shifts = [];
  const named = (source) => source.node?.outerHTML?.slice(0, 120);
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries())
      if (!shift.hadRecentInput)
        window.shifts.push([shift.value, shift.sources.map(named)]);
  }).observe({ type: "layout-shift", buffered: true });
"""


BUTTONS = """() => Object.fromEntries(
  [...document.querySelectorAll(".tray [data-key]")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [each.dataset.key, [x, y, width, height].map(Math.round).join()];
  }))"""


def test_first_visit_is_light(person: MakePerson) -> None:
    """The home page, and a whole table after it: all that the page ever loads."""
    for language in ("en", "ja"):
        me = person(language, new=True)
        weight = weigh(me)
        me.come()
        expect(me.button("Play now")).to_be_visible()
        me.page.wait_for_load_state("networkidle")
        home = sum(weight.values())
        me.button("Play now").click()
        expect(me.map).to_be_visible()
        me.page.wait_for_load_state("networkidle")
        listed = "\n".join(f"{size:7} {address}" for address, size in sorted(weight.items()))
        assert home > 10_000, listed
        assert sum(weight.values()) < FIRST_VISIT_BYTES, listed
        assert len(weight) <= FIRST_VISIT_REQUESTS, listed


def test_a_visit_again_loads_next_to_nothing(person: MakePerson) -> None:
    me = person("fr", new=True)
    me.come()
    expect(me.button("Play now")).to_be_visible()
    weight = weigh(me)
    me.page.goto(me.url)
    expect(me.button("Play now")).to_be_visible()
    me.page.wait_for_load_state("networkidle")
    assert sum(weight.values()) < 20_000, weight


def test_nothing_shifts(person: MakePerson) -> None:
    """Neither while home loads nor while a table opens and computers play."""
    for language, width, height in (("en", 1280, 800), ("ja", 360, 640)):
        me = person(language, width=width, height=height, touch=width < 500, calm=False, new=True)
        me.page.add_init_script(SHIFTS)
        me.come()
        expect(me.button("Play now")).to_be_visible()
        me.page.wait_for_load_state("networkidle")
        at_home = me.page.evaluate("window.shifts")
        assert not at_home, at_home
        me.button("Play now").click()
        me.until_mine()
        me.page.evaluate("window.shifts.length = 0")
        me.page.reload()
        me.until_mine()
        me.page.wait_for_load_state("networkidle")
        at_table = me.page.evaluate("window.shifts")
        assert sum(value for value, _ in at_table) < 0.001, at_table


SIZES = ((360, 640), (390, 844), (844, 390), (820, 1180), (1280, 720), (1440, 900), (1920, 1080))
CASES = (
    list(product(POSITIONS, LANGUAGES, SIZES))
    if SOAK
    else sorted(zip(cycle(POSITIONS), cycle(LANGUAGES), SIZES, strict=False))
)
"""Every position in every language at every size in the soak; else each of them at least once."""


@pytest.mark.soak
def test_nothing_shifts_at_a_table(person: MakePerson) -> None:
    """While it opens where there is most to see; and no choice of land moves another button."""
    me = person("en", calm=False, new=True)
    me.page.add_init_script(SHIFTS)
    me.expect_trouble("preloaded using link preload")  # of the system's language, not the chosen
    found = []
    for name in POSITIONS:
        take_over(me, name)
        for _, language, (width, height) in (case for case in CASES if case[0] == name):
            me.speak(language)
            me.resize(width, height)
            me.page.reload()
            me.until_mine()
            expect(me.tiles_to_lay.first).to_be_visible()
            where = f"{name}, {language}, {width}×{height}: "
            found += [
                f"{where}{shift}"
                for shift in me.page.evaluate("window.shifts")
                if shift[0] > 0.0005
            ]
            me.tiles_to_lay.first.click()
            me.raise_money()
            before = me.page.evaluate(BUTTONS)
            offer = me.offers.first
            offer.click()
            expect(offer).to_have_attribute("aria-pressed", "true")
            after = me.page.evaluate(BUTTONS)
            found += [f"{where}{key} moves" for key in before if after.get(key) != before[key]]
            while me.button("Undo").is_visible():
                before = me.composer.text_content() or ""
                me.button("Undo").click()
                expect(me.composer).not_to_have_text(before)
    assert not found, "\n".join(found)


def test_it_can_be_installed(person: MakePerson) -> None:
    me = person("en")
    me.come()
    answer = me.context.new_cdp_session(me.page).send("Page.getAppManifest")
    assert answer["url"]
    assert not answer["errors"], answer["errors"]
    icons = me.page.evaluate(
        """async () => {
             const address = document.querySelector("link[rel=manifest]").href;
             const manifest = await (await fetch(address)).json();
             return Promise.all(manifest.icons.map(async (icon) =>
               (await fetch(new URL(icon.src, address))).headers.get("content-type")));
           }"""
    )
    assert icons
    assert all(icon.startswith("image/") for icon in icons)
