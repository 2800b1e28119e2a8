"""Home: settings that are remembered, the rules in a minute, records, arranging a table, my games,
and addresses that lead nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from lastspike.languages import LANGUAGES, Language, tag_of
from tests.sizes import in_soak

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


@pytest.mark.parametrize(
    "edition", [in_soak("standard"), "crooked", in_soak("line"), in_soak("flat")]
)
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
    host.page.wait_for_load_state("networkidle")  # then nothing fills the room again
    shots = []
    for text in ("____", "    "):
        field = host.field("Link to this table")
        field.evaluate("(field, text) => { field.value = text; }", text)
        shots.append(field.screenshot())
    assert shots[0] != shots[1], "the underscores of the link are cut off"
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


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/tabel/AAAAAAAAAAAAAAAAAAAAAA", "This page doesn’t exist"),
        ("/history/of-what", "This page doesn’t exist"),
        ("/table/AAAA", "This table doesn’t exist"),
    ],
)
def test_an_unknown_address_gets_a_page(person: MakePerson, path: str, title: str) -> None:
    me = person("fr")
    me.expect_trouble("status of 404")
    answer = me.page.goto(me.url + path)
    assert answer is not None
    assert answer.status == 404
    expect(me.heading(title)).to_be_visible()
    me.button("Home").click()
    expect(me.button("Play now")).to_be_visible()
    expect(me.page).to_have_url(f"{me.url}/")


def test_programs_get_json_from_an_unknown_address(person: MakePerson) -> None:
    me = person("fr")
    for path, accept in (("/api/nothing", "text/html"), ("/nothing", "application/json")):
        answer = me.page.request.get(me.url + path, headers={"accept": accept})
        assert (answer.status, answer.json()["template"]) == (404, "there is nothing here")


def test_opponents_are_chosen_and_remembered(person: MakePerson) -> None:
    me = person("en")
    me.come()
    me.field("Opponents").select_option("2")
    me.field("Level").select_option("surveyor")
    expect(me.field("Opponent {number}", number=1)).to_have_count(0)
    me.field("Level").select_option("each")
    expect(me.field("Opponent {number}", number=1)).to_have_value("surveyor")
    me.field("Opponent {number}", number=1).select_option("greenhorn")
    me.field("Opponent {number}", number=2).select_option("clerk")
    me.page.reload()
    expect(me.field("Opponents")).to_have_value("2")
    expect(me.field("Opponent {number}", number=1)).to_have_value("greenhorn")
    expect(me.field("Opponent {number}", number=2)).to_have_value("clerk")
    me.field("Opponents").select_option("3")
    expect(me.field("Opponent {number}", number=3)).to_have_value("surveyor")
    me.button("Play now").click()
    expect(me.players.get_by_role("listitem")).to_have_count(4)
    for name in ("Greenhorn", "Clerk", "Surveyor"):
        expect(me.players).to_contain_text(name)


def test_people_share_a_device_with_computers(person: MakePerson) -> None:
    us = person("ja")
    us.come()
    us.button("Choose players").click()
    computers = us.dialog.get_by_label(us.t("Computer players"), exact=True)
    computers.select_option("4")
    for number, name in enumerate(("Ada", "Grace", "Blaise"), 1):
        us.dialog.get_by_label(us.t("Player {number}", number=number)).fill(name)
    expect(computers).to_have_value("3")  # six in all
    us.dialog.get_by_label(us.t("Level"), exact=True).select_option("greenhorn")
    us.dialog.get_by_role("button", name=us.t("Start the game"), exact=True).click()
    expect(us.players.get_by_role("listitem")).to_have_count(6)
    for name, times in (("Ada", 1), ("Blaise", 1), (us.t("Greenhorn"), 3)):
        expect(us.players.get_by_role("listitem").filter(has_text=name)).to_have_count(times)
    us.come()
    us.button("Settings").click()
    expect(us.field("Your name")).to_have_value("Ada")  # asked once


def test_a_name_is_asked_once_and_can_be_changed(person: MakePerson) -> None:
    me = person("en")
    me.come()
    me.button("Settings").click()
    me.field("Your name").fill("Zoë")
    me.page.keyboard.press("Escape")
    me.for_players(2)
    expect(me.heading("Waiting room")).to_be_visible()
    expect(me.page.get_by_role("listitem").filter(has_text="Zoë")).to_be_visible()
    me.button("Settings").click()
    me.field("Your name").fill("Zora")
    with me.page.expect_response(lambda answer: answer.url.endswith("/api/me")):
        me.page.keyboard.press("Escape")
    assert me.page.request.get(f"{me.url}/api/me").json()["name"] == "Zora"


def test_running_games_come_first_with_turn_and_time(person: MakePerson) -> None:
    me = person("fr", new=True)
    me.expect_trouble("net::ERR_FAILED")
    me.come()
    made = me.page.evaluate(
        """async () => (await fetch("api/tables/", {
             method: "POST",
             headers: { "content-type": "application/json" },
             body: JSON.stringify({
               name: "Ada", seats: ["me", "me"], names: { 1: "Grace" },
               settings: { clock: { kind: "days", days: 2 } },
             }),
           })).json()"""
    )
    me.come(f"/table/{made['table']}?begin")
    expect(me.show_hand).to_be_visible()
    me.play_now()
    assert me.until_mine()
    for offline in (False, True):
        if offline:  # what is known from the last visit is there at once
            me.page.route("**/api/me/tables", lambda route: route.abort())
        me.come()
        games = me.heading("Your turn").locator("../..")
        rows = games.get_by_role("listitem")
        expect(rows).to_have_count(2)
        expect(rows.filter(has_text=me.t("your turn"))).to_have_count(2)
        left = rows.filter(has_text="Grace")
        expect(left).to_contain_text(me.pattern("{time} left", time=r"(?:2\s?j|1\s?j\s23\s?h)"))
        play, first = me.button("Play now").bounding_box(), games.bounding_box()
        assert first
        assert play
        assert first["y"] < play["y"]


def test_there_is_no_such_table(person: MakePerson) -> None:
    me = person("ja")
    me.expect_trouble("WebSocket")
    me.come("/table/AAAAAAAAAAAAAAAAAAAAAA")
    expect(me.heading("This table doesn’t exist")).to_be_visible()
    me.button("Home").click()
    expect(me.button("Play now")).to_be_visible()


def test_a_newcomer_is_first_told_what_the_game_is(person: MakePerson) -> None:
    me = person().come()

    def order() -> list[str]:
        titles = ("The Last Spike", "Daily Deal", "Learn", "Play with friends")
        headings = me.page.get_by_role("main").get_by_role("heading")
        expect(headings.filter(has_text="Daily Deal")).to_be_visible()
        boxes = {title: headings.filter(has_text=title).bounding_box() for title in titles}
        return sorted(titles, key=lambda title: [(b["y"], b["x"]) for b in [boxes[title]] if b])

    assert order() == ["The Last Spike", "Learn", "Play with friends", "Daily Deal"]
    me.name("Ada")
    assert order() == ["Daily Deal", "The Last Spike", "Play with friends", "Learn"]
