"""Where one is stays: the page at its top, the log at the newest turn, a row of cards where it was
scrolled. And what there is to tell since one's last turn."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .people import MakePerson
from .positions import take_over


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 720)])
def test_the_log_opens_at_the_newest_turn(person: MakePerson, width: int, height: int) -> None:
    """Also behind another tab, and where it grows meanwhile."""
    me = person("fr", width=width, height=height, touch=width < 500)
    me.come()
    me.page.evaluate(
        """() => {
             const kept = JSON.parse(localStorage.getItem("lastspike.settings") ?? "{}");
             localStorage.setItem("lastspike.settings", JSON.stringify({ ...kept, text: "on" }));
           }"""
    )
    take_over(me, "most-land")
    expect(me.tab("Text")).to_have_attribute("aria-selected", "true")
    me.tab("Log").click()
    newest = me.log.get_by_role("article").last
    seen = """entry => {
      const box = entry.getBoundingClientRect(), log = entry.parentElement.getBoundingClientRect();
      return box.bottom <= log.bottom + 1 && box.top >= log.top - 1;
    }"""
    assert newest.evaluate(seen)
    before = me.log.get_by_role("article").count()
    me.tab("Land").click()
    me.hurry()
    me.take_turn()
    me.until_mine()
    me.tab("Log").click()
    assert me.log.get_by_role("article").count() > before
    assert newest.evaluate(seen)


def test_all_land_stays_in_sight(person: MakePerson) -> None:
    """Choosing scrolls nothing away: the row of land needs no scrolling."""
    me = person("en", width=390, height=844, touch=True)
    take_over(me, "most-choices")
    for tile in me.tiles_to_lay.all():
        tile.tap()
        expect(me.button("End turn")).to_be_visible()
        if me.offers.count() > 4:
            break
    row = me.composer.get_by_role("group")
    assert row.evaluate("row => row.scrollWidth <= row.clientWidth")
    me.offers.last.tap()
    expect(me.offers.last).to_have_attribute("aria-pressed", "true")
    for offer in me.offers.all():
        expect(offer).to_be_in_viewport()

    # With land chosen there is still something to decide, and the hint doesn't deny it.
    me.button("Hint").tap()
    advice = me.advice
    expect(advice).to_contain_text("Tycoon, the strongest computer player, would")


def test_nothing_is_told_since_a_turn_that_nobody_made(person: MakePerson) -> None:
    me = person("en", width=390, height=844, touch=True)
    me.play_now()
    assert me.until_mine()
    watcher = person("fr", width=390, height=844, touch=True)
    watcher.page.goto(me.page.url)
    expect(watcher.map).to_be_visible()
    for one in (me, watcher):
        expect(one.button("Since your last turn")).to_have_count(0)
        one.page.keyboard.press("s")
        expect(one.dialog).to_have_count(0)
    me.take_turn()
    assert me.until_mine()
    me.page.keyboard.press("s")
    expect(me.dialog).to_have_accessible_name(me.t("Since your last turn"))
    expect(watcher.button("Since your last turn")).to_have_count(0)


def test_a_table_opens_at_its_top(person: MakePerson) -> None:
    """Whoever was at the foot of the waiting room, or reloads at the foot of the table."""
    ada, bob = (person("en", width=390, height=600, touch=True) for _ in range(2))
    ada.come()
    ada.for_players(2)
    ada.give_name("Ada")
    bob.sit_down(ada.field("Link to this table").input_value(), "Bob")
    bob.button("Ready").tap()
    ada.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert ada.page.evaluate("scrollY") > 100
    ada.button("Ready").evaluate("button => button.click()")
    expect(ada.map).to_be_visible()
    assert ada.page.evaluate("scrollY") == 0
    ada.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert ada.page.evaluate("scrollY") > 100
    ada.page.reload()
    expect(ada.map).to_be_visible()
    assert ada.page.evaluate("scrollY") == 0


def test_the_page_ends_where_the_list_of_land_ends(person: MakePerson) -> None:
    """What only a screen reader reads in it must not make the page longer."""
    me = person("en", width=390, height=844, touch=True)
    take_over(me, "most-land")
    me.tab("Land").click()
    expect(me.page.get_by_role("table", name="Cities")).to_be_visible()
    ends = me.page.evaluate(
        "[document.documentElement.scrollHeight, document.body.getBoundingClientRect().height]"
    )
    assert abs(ends[0] - ends[1]) < 2
