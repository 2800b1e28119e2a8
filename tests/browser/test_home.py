"""Home: settings that are remembered, the rules in a minute, records, and arranging a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from lastspike.languages import LANGUAGES, Language, tag_of

from .people import TABLE, MakePerson
from .screens import record_of


def test_settings_are_remembered(person: MakePerson) -> None:
    me = person("fr", calm=False)
    me.come()
    me.button("Settings").click()
    chosen = {
        "Theme": me.t_as("theme", "Dark"),
        "Sound": me.t("Off"),
        "Motion": me.t("Reduced"),
        "Text board": me.t("Always"),
    }
    for name, value in chosen.items():
        me.dialog.get_by_label(me.t(name), exact=True).select_option(value)
    root = me.page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-motion", "less")
    me.page.reload()
    expect(root).to_have_attribute("data-theme", "dark")
    me.button("Settings").click()
    for name, value in chosen.items():
        field = me.dialog.get_by_label(me.t(name), exact=True)
        expect(field.get_by_role("option", selected=True)).to_have_text(value)
    me.page.keyboard.press("Escape")
    me.button("Play now").click()
    expect(me.tab("Text")).to_have_attribute("aria-selected", "true")


@pytest.mark.parametrize("language", LANGUAGES)
def test_screen_readers_know_the_language(person: MakePerson, language: Language) -> None:
    """Of the page, and of each language's name, which is in that language."""
    me = person(language)
    me.come()
    root = me.page.locator("html")
    expect(root).to_have_attribute("lang", tag_of(language))
    tags = [tag_of(each) for each in LANGUAGES]
    told = "options => options.map(({ lang }) => lang)"
    expect(me.page.locator("#language option")).to_have_count(len(tags))
    assert me.page.locator("#language option").evaluate_all(told) == tags
    me.button("Settings").click()
    choice = me.dialog.get_by_label(me.t("Language"), exact=True)
    expect(choice.locator("option")).to_have_count(len(tags))
    assert choice.locator("option").evaluate_all(told) == tags
    names = ["English", "Français", "Português (Portugal)", "Português (Brasil)", "日本語"]
    assert choice.locator("option").all_text_contents() == names
    choice.select_option("日本語")
    expect(root).to_have_attribute("lang", "ja")
    manifest = me.page.locator("link[rel=manifest]")
    answered = manifest.evaluate("async ({ href }) => (await (await fetch(href)).json()).lang")
    assert answered == "ja"


def test_learn_and_then_play(person: MakePerson) -> None:
    me = person("ja")
    me.come()
    me.button("How to play").click()
    expect(me.page).to_have_url(f"{me.url}/learn")
    expect(me.heading("Good to know")).to_be_visible()
    me.page.reload()
    expect(me.heading("Good to know")).to_be_visible()
    me.button("Play now").click()
    me.page.wait_for_url(TABLE)
    expect(me.map).to_be_visible()


@pytest.mark.parametrize("edition", ["standard", "crooked", "line", "flat"])
def test_a_record_is_opened(person: MakePerson, edition: str) -> None:
    """Also of an edition of its own, whose map nobody has drawn before."""
    record = record_of(edition)
    me = person("pt")
    me.come()
    with me.page.expect_file_chooser() as chooser:
        me.button("Choose a file").click()
    chooser.value.set_files(record)
    expect(me.map).to_be_visible()
    expect(me.finale).to_be_visible()
    expect(
        me.log.get_by_role("button", name=me.t("Turn {number}", number=3), exact=True)
    ).to_be_visible()
    me.button("Home").click()
    expect(me.button("Play now")).to_be_visible()


def test_what_is_no_record_is_refused(person: MakePerson, tmp_path: Path) -> None:
    me = person("fr")
    me.expect_trouble("Failed to load resource: the server responded with a status of 400")
    me.come()
    for name, text in (("notes.txt", "not a game"), ("game.json", '{"format": "lastspike/1"}')):
        (tmp_path / name).write_text(text)
        with me.page.expect_file_chooser() as chooser:
            me.button("Choose a file").click()
        chooser.value.set_files(tmp_path / name)
        expect(me.page.get_by_role("status").get_by_role("paragraph")).not_to_have_count(0)
        expect(me.button("Play now")).to_be_visible()


def test_the_host_arranges_the_table(person: MakePerson) -> None:
    host = person("en")
    link = host.make_table("Ada")
    seats = host.page.get_by_role("listitem")
    seats.nth(1).get_by_role("combobox").select_option(host.t("Surveyor"))
    expect(seats.nth(1)).to_contain_text(host.t("estimates which routes will be finished"))
    seats.nth(2).get_by_role("combobox").select_option(host.t("A person"))
    host.field("Cash").select_option(host.t_as("cash", "Hidden"))
    guest = person("pt")
    guest.page.goto(link)
    expect(guest.field("Cash").get_by_role("option", selected=True)).to_have_text(
        guest.t_as("cash", "Hidden")
    )
    expect(guest.field("Cash")).to_be_disabled()
    guest.button("Sit here").click()
    guest.give_name("Grace")
    expect(seats.nth(2)).to_contain_text("Grace")
    host.button("Remove").click()
    expect(guest.button("Sit here")).to_be_visible()
    host.page.get_by_text(host.t("QR code"), exact=True).click()
    picture = host.page.get_by_role("img", name=host.t("QR code with the link to this table"))
    expect(picture).to_be_visible()
    picture.evaluate("image => image.decode()")
    host.button("Leave the table").click()


def test_there_is_no_such_table(person: MakePerson) -> None:
    me = person("ja")
    me.expect_trouble("WebSocket")
    me.come("/table/AAAAAAAAAAAAAAAAAAAAAA")
    expect(me.heading("This table doesn’t exist")).to_be_visible()
    me.button("Home").click()
    expect(me.button("Play now")).to_be_visible()
