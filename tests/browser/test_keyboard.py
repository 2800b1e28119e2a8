"""By keyboard alone: a way to everything, the focus always in sight, keys for what is frequent."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from .people import TABLE, MakePerson, Person
from .positions import take_over

FOCUS = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const style = getComputedStyle(element);
  const seen = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2)
    || style.boxShadow !== "none" && element.matches(":focus-visible");
  const box = element.getBoundingClientRect();
  return { seen, shown: box.width > 0 && box.height > 0,
    what: element.outerHTML.slice(0, 120) };
}"""


def tab_to(me: Person, target: Locator, key: str = "Tab", most: int = 60) -> None:
    """Go on with Tab until it has the focus, which must be seen on the way."""
    expect(target).to_be_visible()
    for _ in range(most):
        me.page.keyboard.press(key)
        focus = me.page.evaluate(FOCUS)
        if focus:
            assert focus["seen"], f"the focus is not seen on {focus['what']}"
            assert focus["shown"], f"the focus is on something hidden: {focus['what']}"
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"{target} can't be reached by {key}")


def test_a_whole_game_by_keyboard(person: MakePerson) -> None:
    me = person("fr")
    keys = me.page.keyboard
    me.come()
    tab_to(me, me.field("Level"))
    keys.press("Home")  # the first level: Greenhorn
    tab_to(me, me.button("Play now"), "Shift+Tab")
    keys.press("Enter")
    me.page.wait_for_url(TABLE)
    expect(me.map).to_be_visible()

    keys.press("m")
    expect(me.dialog).to_be_visible()
    tab_to(me, me.dialog.get_by_label(me.t("Computer speed")))
    keys.press("Home")
    keys.press("Escape")
    expect(me.dialog).to_have_count(0)

    keys.press("?")
    expect(me.dialog).to_contain_text(me.t("End turn"))
    keys.press("Escape")
    expect(me.dialog).to_have_count(0)

    turns = 0
    while me.until_mine():
        if turns == 1:
            turn_by_tab(me)
        else:
            turn_by_keys(me)
        turns += 1
    assert turns >= 3
    expect(me.finale).to_be_focused()
    tab_to(me, me.button("Play again"))
    keys.press("Enter")
    expect(me.finale).to_have_count(0)
    expect(me.map).to_be_visible()


def turn_by_tab(me: Person) -> None:
    """Through all that lies between, with Tab, Enter and Space."""
    keys = me.page.keyboard
    tab_to(me, me.tiles_to_lay.first)
    keys.press("Enter")
    end = me.button("End turn")
    expect(end).to_be_visible()
    raise_money_by_tab(me)
    if me.offers.count():
        tab_to(me, me.offers.first)
        keys.press("Space")
        expect(me.offers.first).to_have_attribute("aria-pressed", "true")
        expect(me.offers.first).to_be_focused()
    tab_to(me, end, "Shift+Tab")
    keys.press("Enter")
    expect(end).to_have_count(0)


def raise_money_by_tab(me: Person) -> None:
    end = me.button("End turn")
    while end.is_disabled():
        said = me.composer.text_content() or ""
        tab_to(me, me.composer.get_by_role("button", name=me.sale).first)
        me.page.keyboard.press("Space")
        expect(me.composer).not_to_have_text(said)


def turn_by_keys(me: Person) -> None:
    """With the shortcuts: a digit for the tile, e to end."""
    keys = me.page.keyboard
    first = me.tiles_to_lay.first
    number = 1 + [tile == first.text_content() for tile in me.tiles.all_text_contents()].index(True)
    keys.press(str(number))
    end = me.button("End turn")
    expect(end).to_be_visible()
    raise_money_by_tab(me)
    keys.press("e")
    expect(end).to_have_count(0)


def test_the_focus_stays_at_the_hand(person: MakePerson) -> None:
    """After a turn, the hand is one key away; and so are the keys from a field."""
    me = person("en")
    keys = me.page.keyboard
    me.play_now()
    assert me.until_mine()
    me.tiles_to_lay.first.focus()
    keys.press("Enter")
    end = me.button("End turn")
    end.focus()
    keys.press("Enter")
    expect(end).to_have_count(0)
    tray = me.page.get_by_role("region", name=me.t("Your hand and turn"), exact=True)
    expect(tray).to_be_focused()
    assert me.until_mine()
    expect(tray).to_be_focused()
    assert me.page.evaluate(FOCUS)["seen"]
    keys.press("Tab")
    expect(me.tiles.first).to_be_focused()
    for key, name in (("t", "Text"), ("c", "Chat")):
        keys.press(key)
        expect(me.page.locator("input:focus")).to_be_visible()
        keys.press("Escape")
        expect(me.tab(name)).to_be_focused()
    keys.press("h")
    expect(me.advice).to_be_visible()


def test_the_past_is_announced(person: MakePerson) -> None:
    """And the way back."""
    me = person("en")
    keys = me.page.keyboard
    take_over(me, "six-players")
    said = me.page.locator("#announce p").last
    past = me.page.get_by_role("group", name=me.t("Replay"), exact=True)
    keys.press("ArrowLeft")
    expect(said).to_have_text(
        re.compile(r"Turn 28\. .+: [A-Z][1-4]\..* Press Esc to return to the present\.")
    )
    keys.press("ArrowLeft")
    expect(said).to_have_text(re.compile(r"Turn 27\. .+: [A-Z][1-4]\."))
    expect(said).not_to_contain_text("Esc")
    keys.press("Escape")
    expect(said).to_have_text("You’re looking at the table as it is now.")
    expect(past).to_be_hidden()
    keys.press("ArrowRight")  # there is nothing later
    expect(past).to_be_hidden()
    keys.press("ArrowLeft")
    for _ in range(2):
        keys.press("ArrowRight")
    expect(past).to_be_hidden()


def test_every_key_does_what_it_says(person: MakePerson) -> None:
    me = person("pt")
    keys = me.page.keyboard
    me.play_now()
    me.play_on(1)
    me.until_mine()
    for key, name in (("l", "Log"), ("d", "Land"), ("c", "Chat"), ("t", "Text")):
        keys.press(key)
        expect(me.tab(name)).to_have_attribute("aria-selected", "true")
        if key in "ct":  # in a field a letter is a letter
            keys.press("l")
            expect(me.tab(name)).to_have_attribute("aria-selected", "true")
            me.tab(name).focus()
    me.tab("Text").press("ArrowLeft")
    expect(me.tab("Chat")).to_be_focused()
    expect(me.tab("Chat")).to_have_attribute("aria-selected", "true")
    keys.press("s")
    expect(me.dialog).to_have_accessible_name(me.t("Since your last turn"))
    keys.press("Escape")
    expect(me.dialog).to_have_count(0)
    me.tiles_to_lay.first.focus()
    keys.press("Space")
    expect(me.button("End turn")).to_be_visible()
    keys.press("Backspace")
    expect(me.my_turn).to_be_visible()
    keys.press("h")
    expect(me.advice).to_be_visible()
    before = me.map.get_attribute("viewBox")
    keys.press("+")
    expect(me.map).not_to_have_attribute("viewBox", before or "")
    keys.press("-")
    expect(me.map).to_have_attribute("viewBox", before or "")
