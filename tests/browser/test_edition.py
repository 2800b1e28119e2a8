"""Your edition: figures shown with where they come from, corrected, kept, played with, studied."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from lastspike.rules.editions.shipped import from_toml, shipped
from lastspike.rules.editions.toml import to_toml
from tests.sizes import in_soak

from .axe import violations
from .layout import faults
from .people import TABLE, MakePerson, Person

STANDARD = shipped("columbia-2015")


def edition(me: Person, where: str = "") -> Person:
    me.come(f"/edition{where}")
    expect(me.heading("Setup")).to_be_visible()
    return me


def cost(me: Person, tile: str) -> Locator:
    return me.field("{tile} cost", tile=tile)


def price(me: Person, city: str, card: int) -> Locator:
    return me.field("{city}, price of card {number}", city=city, number=card)


def enter(field: Locator, value: str) -> None:
    field.fill(value)
    field.press("Tab")


def keep(me: Person, name: str) -> None:
    """Answer what it shall be called."""
    expect(me.dialog).to_have_accessible_name(me.t("Save as your own edition"))
    me.dialog.get_by_label(me.t("Edition name"), exact=True).fill(name)
    me.dialog.get_by_role("button", name=me.t("Save"), exact=True).click()
    expect(me.page.get_by_role("heading", level=1, name=name)).to_be_visible()


def test_corrected_refused_kept_and_played_with(person: MakePerson) -> None:
    me = edition(person("en"))
    expect(cost(me, "A3")).to_have_accessible_description("printed")
    expect(cost(me, "A1")).to_have_accessible_description("reconstructed")
    expect(price(me, "Denver", 2)).to_have_accessible_description("printed")
    expect(me.button("Save as your own edition")).to_be_disabled()

    # Two wrong figures are told beside each, as the command line tells them.
    enter(cost(me, "A1"), "1500")
    enter(price(me, "Omaha", 3), "a lot")
    for field, why in (
        (cost(me, "A1"), "A1 cost: Expected a multiple of 1000, found 1500"),
        (
            price(me, "Omaha", 3),
            "Omaha, price of card 3: Expected a multiple of 1000, found 'a lot'",
        ),
    ):
        expect(field).to_have_attribute("aria-invalid", "true")
        group = me.page.get_by_role("group").filter(has=field)
        expect(group.get_by_text(why, exact=True)).to_be_visible()
    expect(me.button("Play this edition")).to_be_disabled()
    me.button("Undo: {figure}", figure="Omaha, price of card 3").click()
    expect(price(me, "Omaha", 3)).to_have_value("4000")
    expect(price(me, "Omaha", 3)).not_to_have_attribute("aria-invalid", "true")

    enter(cost(me, "A1"), "$4,000")
    expect(cost(me, "A1")).to_have_accessible_description("yours")
    expect(me.page.get_by_text("A1 cost: $1,000 → $4,000", exact=True)).to_be_visible()
    board = me.page.get_by_role("img", name="Map of The Last Spike (Columbia Games, 2015)")
    expect(board).to_contain_text("A1$4k✎")

    # What was corrected outlives a reload, and is kept under a name.
    me.page.reload()
    expect(cost(me, "A1")).to_have_value("4000")
    me.button("Save as your own edition").click()
    keep(me, "My own copy")
    expect(me.page).to_have_url(f"{me.url}/edition/my-own-copy")
    expect(me.button("Save as your own edition")).to_be_disabled()
    expect(cost(me, "A1")).to_have_accessible_description("yours")

    me.button("Play this edition").click()
    me.page.wait_for_url(TABLE)
    expect(me.map).to_contain_text("A1$4k")
    settings = table(me)["settings"]["figures"]
    assert settings["id"] == "my-own-copy"
    assert settings["printed"] == [*STANDARD.printed, "routes.A.costs.1"]
    wanted = copy.deepcopy(STANDARD.to_figures())
    wanted["routes"][0]["costs"][0] = 4000
    wanted |= {"id": "my-own-copy", "name": "My own copy", "printed": settings["printed"]}
    assert settings == wanted

    # It has been played with, so another figure makes another edition.
    edition(me, "/my-own-copy")
    enter(cost(me, "A2"), "5000")
    me.button("Save as your own edition").click()
    keep(me, "My own copy")
    expect(me.page).to_have_url(f"{me.url}/edition/my-own-copy-2")
    me.field("Edition").select_option("my-own-copy")
    expect(cost(me, "A2")).to_have_value("1000")
    me.button("Delete this edition").click()
    expect(me.page).to_have_url(f"{me.url}/edition")
    expect(me.field("Edition").get_by_role("option")).to_have_count(3)


def table(me: Person) -> dict[str, Any]:
    path = me.page.url.replace("/table/", "/api/tables/")
    told: dict[str, Any] = me.page.evaluate("async (path) => (await fetch(path)).json()", path)
    return told


def imported(me: Person, file: Path) -> None:
    with me.page.expect_file_chooser() as chooser:
        me.button("Import TOML").click()
    chooser.value.set_files(file)


def test_a_file_comes_in_and_goes_out(person: MakePerson, tmp_path: Path) -> None:
    raw = copy.deepcopy(STANDARD.to_figures())
    raw |= {"id": "mine", "name": "Chez moi"}
    raw["cities"][0]["payouts"][4] = 50000
    good, bad = tmp_path / "mine.toml", tmp_path / "bad.toml"
    text = "# my copy\n" + to_toml(STANDARD).replace("45000", "50000", 1)
    text = text.replace('"columbia-2015"', '"mine"').replace(STANDARD.name, "Chez moi")
    good.write_text(text, "utf-8")
    bad.write_text(text.replace("hand_size = 4", "hand_size = 0"), "utf-8")

    me = edition(person("fr", width=360, height=640, touch=True))
    imported(me, bad)
    why = "bad.toml, hand_size : Il faut un nombre entier de 1 à 99, et non 0"
    told = me.page.get_by_role("alert")
    expect(told).to_contain_text(re.compile(why.replace(" ", r"\s")))
    imported(me, good)
    expect(me.page).to_have_url(f"{me.url}/edition/mine")
    expect(me.page.get_by_role("heading", level=1, name="Chez moi")).to_be_visible()
    first = me.page.get_by_role("group", name="Saint-Louis", exact=True)
    expect(first.get_by_role("textbox").last).to_have_value("50000")
    with me.page.expect_download() as download:
        me.button("Export TOML").click()
    assert download.value.suggested_filename == "mine.toml"
    out = from_toml(Path(download.value.path()).read_text("utf-8"))
    assert out.to_figures() == raw
    # The same again is the same edition; the id of one that comes with the game is not taken.
    imported(me, good)
    expect(me.field("Edition").get_by_role("option")).to_have_count(3)
    good.write_text(to_toml(STANDARD), "utf-8")
    imported(me, good)
    expect(me.page).to_have_url(f"{me.url}/edition/columbia-2015-2")


def test_by_keys_alone(person: MakePerson) -> None:
    me = edition(person("pt"))
    cost(me, "Z4").focus()
    me.page.keyboard.press("ControlOrMeta+a")
    me.page.keyboard.type("7000")
    me.page.keyboard.press("Enter")
    expect(cost(me, "Z4")).to_have_accessible_description(me.t_as("figure", "yours"))
    me.page.keyboard.press("Escape")
    expect(cost(me, "Z4")).to_have_value("3000")
    expect(cost(me, "Z4")).to_have_accessible_description(me.t_as("figure", "reconstructed"))
    same = me.button("Matches my copy: {title}", title=me.t("Route {letter}", letter="Z"))
    same.focus()
    me.page.keyboard.press("Enter")
    expect(cost(me, "Z4")).to_have_accessible_description(me.t_as("figure", "yours"))
    expect(same).to_be_hidden()
    undo = me.button("Undo: {figure}", figure=me.t("{tile} cost", tile="Z4"))
    undo.focus()
    me.page.keyboard.press("Space")
    expect(cost(me, "Z4")).to_have_accessible_description(me.t_as("figure", "reconstructed"))
    me.button("Save as your own edition").focus()
    me.page.keyboard.press("Enter")
    expect(me.dialog).to_be_visible()
    me.page.keyboard.press("ControlOrMeta+a")
    me.page.keyboard.type("Rota Z")
    me.page.keyboard.press("Enter")
    expect(me.page).to_have_url(f"{me.url}/edition/rota-z")


def test_the_waiting_room_offers_it(person: MakePerson) -> None:
    me = edition(person("en"))
    enter(me.field("Hand size"), "3")
    me.button("Save as your own edition").click()
    keep(me, "Three tiles")
    link = me.make_table("Ada")
    choice = me.field("Edition")
    expect(choice.get_by_role("option")).to_have_count(3)
    choice.select_option("Three tiles")
    expect(choice).to_have_value("three-tiles")
    # Who has not kept it sees it all the same.
    guest = person("ja")
    guest.page.goto(link)
    expect(guest.field("Edition")).to_have_value("three-tiles")
    expect(guest.field("Edition")).to_be_disabled()
    address = guest.page.get_by_role("link", name=guest.t("See all figures")).get_attribute("href")
    edition(guest, f"/{address}".replace("/edition", "", 1))
    expect(guest.field("Hand size")).to_have_value("3")
    choice.select_option(value="columbia-2015")
    expect(choice).to_have_value("columbia-2015")
    choice.select_option("Three tiles")
    me.field("Seat {number}", number=2).select_option(me.t("Greenhorn"))
    me.button("Ready").click()
    expect(me.hand).to_be_visible()
    expect(me.tiles).to_have_count(3)


def test_what_it_plays_like(person: MakePerson) -> None:
    me = edition(person("en"))
    part = me.page.get_by_role("region", name="How does it play?", exact=True)
    part.get_by_label("Players").select_option("2 players")
    part.get_by_role("button", name="Find out").click()
    expect(part.get_by_role("status")).to_contain_text(re.compile(r"A game takes \d\d\.\d turns"))
    expect(part.get_by_text("Player 2", exact=True)).to_be_visible()
    expect(part.get_by_role("listitem").filter(has_text="Denver")).to_contain_text(
        re.compile(r"\$[\d,]+ ± \$[\d,]+")
    )
    part.get_by_text("What each land card returns").click()
    expect(part.get_by_text("Denver 2, $2k", exact=True)).to_be_visible()


def test_there_is_no_such_edition(person: MakePerson) -> None:
    me = person("en")
    me.expect_trouble("Failed to load resource: the server responded with a status of 404")
    me.come("/edition/nowhere-1869")
    expect(
        me.page.get_by_text("Couldn’t load this edition. Try again, or choose another.")
    ).to_be_visible()
    me.button("Editions").click()
    expect(me.heading("Setup")).to_be_visible()


@pytest.mark.parametrize(
    ("language", "width", "dark"), [in_soak("en", 1280, False), ("fr", 360, True)]
)
def test_everybody_can_use_it(person: MakePerson, language: str, width: int, *, dark: bool) -> None:
    me = person(language, width=width, height=740, dark=dark, touch=width < 500)
    me.come("/learn")
    me.button("Editions").click()
    expect(me.heading("Setup")).to_be_visible()
    enter(cost(me, "A1"), "1500")
    enter(cost(me, "A2"), "3000")
    expect(cost(me, "A1")).to_have_attribute("aria-invalid", "true")
    expect(me.button("Play this edition")).to_be_disabled()
    assert not faults(me.page)
    assert not violations(me.page)
