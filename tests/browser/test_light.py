"""How light the page is, and that nothing moves under your eyes. Times are in `bench/page.py`."""

from __future__ import annotations

from playwright.sync_api import expect

from .people import MakePerson
from .weight import weigh

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
