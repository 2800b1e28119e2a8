"""The map: large enough to read at any size, and everything on it answers to hover, tap and key."""

from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import Locator, expect

from .layout import map_faults
from .people import MakePerson, Person
from .positions import POSITIONS, take_over
from .screens import record_of
from .words import LANGUAGES

SOAK = os.environ.get("LASTSPIKE_SOAK") == "1"
IN_TEST = {"most-choices": LANGUAGES, "most-land": ("fr",), "six-players": ("ja",)}
"""The languages in which `make test` tries each position."""
SIZES = (
    (1280, 720),
    (1440, 900),
    (1920, 1080),
    (820, 1180),
    (844, 390),
    (390, 844),
    (360, 640),
)
HARDEST = ((1280, 720), (360, 640))


def speak(me: Person, language: str) -> None:
    """With no tile chosen: a draft would be there in the next language too."""
    while me.button("Undo").is_visible():
        before = me.composer.text_content() or ""
        me.button("Undo").click()
        expect(me.composer).not_to_have_text(before)
    me.speak(language)
    assert me.until_mine()


def measured(me: Person, sizes: tuple[tuple[int, int], ...]) -> list[str]:
    """What is wrong at these sizes, on the whole map and as near as a chosen tile brings it."""
    found = []
    for width, height in sizes:
        me.resize(width, height)
        whole = me.button("Show the whole map")
        if whole.is_visible():
            whole.click()
        expect(me.map).not_to_have_class(re.compile("zoomed"))
        found += [f"{me.language} at {width}×{height}: {each}" for each in map_faults(me.page)]
    return found


@pytest.mark.soak
@pytest.mark.parametrize("position", POSITIONS)
def test_everything_can_be_read_at_every_size(person: MakePerson, position: str) -> None:
    """Before and after a tile is chosen, when prices and payouts come on top. All languages
    are tried in one position, French and Japanese in another each. The soak tries every language
    at every size in every position."""
    me = person("en", width=1280, height=720)
    take_over(me, position)
    found = []
    for language in LANGUAGES if SOAK else IN_TEST[position]:
        if language != me.language:
            speak(me, language)
        sizes = SIZES if SOAK or language == IN_TEST[position][0] else HARDEST
        found += measured(me, sizes)
        me.tiles_to_lay.first.click()
        me.raise_money()
        found += measured(me, sizes)
        found += [f"{language}, near: {each}" for each in near(me)]
        me.resize(1280, 720)
    assert not found, "\n" + "\n".join(found)


def near(me: Person) -> list[str]:
    """What is wrong when one comes nearer on a phone; codes and costs come with it."""
    for _ in range(3):
        me.page.keyboard.press("+")
    return map_faults(me.page)


def test_a_desk_shows_codes_and_costs(person: MakePerson) -> None:
    """At a small scale codes go first, then costs; what is left out comes with zoom."""
    me = person("fr", width=1440, height=900)
    take_over(me, "most-choices")
    open_spaces = me.map.locator(".space:not(.laid)")
    expect(open_spaces.locator(".code").first).to_be_visible()
    expect(me.map.get_by_text("10\u202fk$", exact=True).first).to_be_visible()
    me.resize(360, 640)
    expect(open_spaces.locator(".code").first).to_be_hidden()
    expect(open_spaces.locator(".cost").first).to_be_hidden()
    for _ in range(4):
        me.page.keyboard.press("+")
    expect(open_spaces.locator(".code").first).to_be_visible()


def card(me: Person) -> Locator:
    return me.page.get_by_role("region", name=me.t("Map"), exact=True).get_by_role("status")


def middle(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_pointer_tap_and_key_find_out_about_everything(person: MakePerson) -> None:
    me = person("en", width=1280, height=720)
    take_over(me, "most-choices")
    keys, mouse = me.page.keyboard, me.page.mouse
    denver = me.map.get_by_role("button", name="Denver", exact=True)
    route = me.map.get_by_role("button", name="Dodge City–Denver: 3 tiles missing", exact=True)

    # A pointer that stays.
    mouse.move(*middle(denver))
    expect(card(me)).to_contain_text("Lay a tile first, then you can buy land here.")
    expect(card(me)).to_contain_text("1 land card pays $5,000 for each route finished here.")
    expect(card(me)).to_contain_text("Each open route pays")
    mouse.move(*middle(route))
    expect(card(me)).to_contain_text("3 tiles missing")
    expect(card(me)).to_contain_text("E1 $1,000")
    mine = card(me).get_by_role("listitem").filter(has_text="You")
    expect(mine).to_contain_text("+$17,000")
    expect(mine).to_contain_text("Denver $10k")
    mouse.move(*middle(me.map.locator("[data-route=B]")))
    expect(card(me)).to_contain_text("It paid")
    expect(mine).to_contain_text("+$16,000 St. Louis $9k Dodge City $7k")
    mouse.move(5, 5)
    expect(card(me)).to_be_hidden()

    # Keys: one stop, arrows, Enter, Escape.
    me.map.get_by_role("button", name="St. Louis", exact=True).focus()
    assert me.map.locator("[tabindex='0']").count() == 1
    keys.press("ArrowLeft")
    expect(me.map.locator(":focus")).to_have_accessible_name(re.compile("St. Louis|Omaha|Dodge"))
    denver.focus()
    expect(card(me)).to_contain_text("Denver")
    keys.press("Enter")
    expect(card(me).get_by_role("button", name="Close", exact=True)).to_be_visible()
    keys.press("Escape")
    expect(card(me)).to_be_hidden()
    expect(denver).to_be_focused()

    # The last spike: what it brings, and the tiles that lead to it.
    me.page.get_by_role("button", name="5 tiles to the last spike (+$20k)").click()
    expect(card(me)).to_contain_text("gets $20,000, and the game is over")
    expect(card(me)).to_contain_text("5 tiles missing on the shortest way")
    expect(me.map.locator(".space.lit")).to_have_count(5)
    keys.press("Escape")

    # A tile that is dragged to the map is chosen.
    tile = me.hand.get_by_role("button").first
    tile.drag_to(me.map, target_position={"x": 60, "y": 100})
    expect(tile).to_have_attribute("aria-pressed", "true")
    keys.press("Backspace")
    expect(me.my_turn).to_be_visible()

    # A tile is laid, and land bought, by key and by pointer.
    me.map.get_by_role("button", name="Lay D1 on Omaha–Denver for $3,000", exact=True).focus()
    keys.press("Enter")
    expect(me.button("End turn")).to_be_enabled()
    expect(me.map).to_contain_text("+$12k")
    offer = me.map.get_by_role("button", name="St. Louis: buy land for $4,000", exact=True)
    mouse.click(*middle(offer.locator(".tag")))
    expect(me.composer).to_contain_text("Lay D1, buy St. Louis")
    expect(offer.locator(".deed.taken")).to_have_count(1)

    # The card follows the turn that is planned.
    mouse.move(5, 5)
    expect(card(me)).to_be_hidden()
    mouse.move(*middle(offer.locator(".hub")))
    expect(card(me)).to_contain_text("After the turn you’re planning")
    expect(card(me).get_by_role("list", name="Land").locator(".owned")).to_have_count(2)
    mouse.move(*middle(me.map.locator("[data-route=D]")))
    expect(card(me)).to_contain_text("finished")

    # A player: their land, and what each open route would pay them.
    me.players.get_by_role("button").first.click()
    expect(card(me)).to_contain_text("Otto")
    expect(card(me)).to_contain_text("If finished now")
    expect(me.map).to_have_attribute("data-player", "0")
    keys.press("Escape")
    expect(card(me)).to_be_hidden()
    expect(me.map).not_to_have_attribute("data-player", "0")
    expect(me.button("End turn")).to_be_enabled()  # nothing was undone

    # A low, wide place is paper from edge to edge.
    me.resize(1900, 560)
    paper, board = me.map.locator(".paper").bounding_box(), me.map.bounding_box()
    assert paper
    assert board
    assert paper["x"] <= board["x"]
    assert paper["x"] + paper["width"] >= board["x"] + board["width"]

    me.button("Legend").click()
    expect(me.dialog).to_contain_text("bridge")
    expect(me.dialog).to_contain_text("tunnel")


def test_a_tile_of_the_hand_that_can_not_be_laid_says_why(person: MakePerson) -> None:
    """On the map as in the hand."""
    me = person("en", width=1280, height=720)
    take_over(me, "early")
    me.page.mouse.click(*middle(me.map.locator("[data-tile=W2] .hit")))
    expect(me.page.locator("#alerts .alert")).to_contain_text("W2 would cost double")
    expect(card(me)).to_contain_text("4 tiles missing")
    expect(me.my_turn).to_be_visible()


def test_a_thumb_finds_out_about_everything(person: MakePerson) -> None:
    """On a sheet over the lower half of the map, above the hand."""
    me = person("ja", width=390, height=844, touch=True)
    take_over(me, "most-land")
    touch = me.page.touchscreen
    for code, told in (("DEN", "デンバー"), ("ELP", "エル・パソ")):
        touch.tap(*middle(me.map.locator(f"[data-city={code}] .hub")))
        expect(card(me)).to_contain_text(told)
        sheet, board = card(me).bounding_box(), me.map.bounding_box()
        assert sheet
        assert board
        assert sheet["y"] >= board["y"] + board["height"] * 0.4
        hand = me.page.get_by_role("region", name=me.t("Your hand and turn")).bounding_box()
        assert hand
        assert sheet["y"] + sheet["height"] <= hand["y"]
        assert card(me).evaluate("card => card.scrollHeight <= card.clientHeight"), (
            "all is in sight"
        )
        card(me).get_by_role("button", name=me.t("Close"), exact=True).tap()
        expect(card(me)).to_be_hidden()
    touch.tap(*middle(me.map.locator("[data-tile=B2] .hit")))
    expect(card(me)).to_contain_text("B3")

    # Where a thumb covers two tiles that can be laid, it comes nearer first.
    card(me).get_by_role("button", name=me.t("Close"), exact=True).tap()
    first = me.map.locator("[data-tile=U1] .hit")
    touch.tap(*middle(first))
    expect(me.map).to_have_class(re.compile("zoomed"))
    expect(me.button("End turn")).to_have_count(0)
    touch.tap(*middle(first))
    expect(me.button("End turn")).to_be_visible()
    chosen = me.hand.get_by_role("button", name=re.compile(r"^U1\b"))
    expect(chosen).to_have_attribute("aria-pressed", "true")

    # Then land can be bought anywhere, so the whole map is shown again.
    expect(me.map).not_to_have_class(re.compile("zoomed"))
    offer = me.map.locator(".city.offered").first
    touch.tap(*middle(offer.locator(".tag")))
    expect(offer.locator(".deed.taken")).to_have_count(1)


def test_the_last_spike_stays_in_gold(person: MakePerson) -> None:
    """After a reload and in the replay, but not on the turns before it."""
    me = person("fr", width=1280, height=720)
    me.come()
    with me.page.expect_file_chooser() as chooser:
        me.button("Choose a file").click()
    chooser.value.set_files(record_of("standard"))
    expect(me.finale).to_be_visible()
    spike = me.map.locator(".golden")
    expect(spike).to_have_count(1)
    me.page.reload()
    expect(me.finale).to_be_visible()
    expect(spike).to_have_count(1)
    me.page.keyboard.press("ArrowLeft")
    expect(spike).to_have_count(0)
    me.page.keyboard.press("ArrowRight")
    expect(spike).to_have_count(1)


def test_without_aids_the_map_computes_no_payouts(person: MakePerson) -> None:
    me, other = person("en"), person("fr")
    other.sit_down(me.make_table("Ada"), "Grace")
    me.field("Player aids").select_option("Off")
    for one in (me, other):
        one.button("Ready").click()
    expect(me.map).to_be_visible()
    me.page.mouse.move(*middle(me.map.locator("[data-route=A]")))
    expect(card(me)).to_contain_text(re.compile("tiles? missing"))
    expect(card(me)).not_to_contain_text(me.t("If finished now"))
    me.page.mouse.move(*middle(me.map.locator("[data-city=OMA] .hub")))
    expect(card(me)).to_contain_text("1 land card pays $6,000 for each route finished here.")
    expect(card(me)).not_to_contain_text(me.t("Each open route pays"))
