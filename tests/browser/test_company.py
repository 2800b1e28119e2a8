"""What those at a table notice of each other: words, and the end of it all."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .people import MakePerson


def test_words_are_noticed_and_an_ended_game_looks_ended(person: MakePerson) -> None:
    ada, watcher = person("en"), person("ja")
    ada.come()
    ada.name("Ada")
    ada.play_now()
    watcher.page.goto(ada.page.url)
    expect(watcher.map).to_be_visible()

    ada.say("All aboard!")
    chat = watcher.tab("Chat")
    expect(chat).to_have_class("unread")
    expect(watcher.page.get_by_role("status").filter(has_text="All aboard!")).to_be_visible()
    chat.click()
    expect(chat).not_to_have_class("unread")

    watcher.say("私も見ています")  # whoever only watches is asked for a name, and nothing is lost
    watcher.give_name("Hana")
    expect(watcher.chat).to_contain_text("私も見ています")

    ada.page.on("dialog", lambda asked: asked.accept())
    ada.button("Table menu").click()
    ada.dialog.get_by_role("button", name=ada.t("End the game"), exact=True).click()
    for one in (ada, watcher):
        ended = one.t("This game ended without a result.")
        expect(one.page.get_by_text(ended)).to_be_visible()
        expect(one.page.get_by_text(one.t("now playing"), exact=True)).to_have_count(0)
    ada.composer.get_by_role("button", name=ada.t("Home"), exact=True).click()
    expect(ada.button("Play now")).to_be_visible()


def test_a_table_for_as_many_as_one_likes(person: MakePerson) -> None:
    me = person("pt", width=360, height=640, touch=True)
    me.come()
    me.for_players(6)
    me.give_name("Inês")
    expect(me.heading("Waiting room")).to_be_visible()
    expect(me.page.locator(".seats .seat")).to_have_count(6)


@pytest.mark.parametrize("secure", [True, False], ids=["https", "http"])
def test_a_link_can_be_copied(person: MakePerson, secure: bool) -> None:
    """Also where the page came by http from another machine: there browsers have no clipboard."""
    me = person("fr")
    me.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = me.make_table("Ada")
    if not secure:
        hide = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
        me.page.evaluate(f"window.clipboard = navigator.clipboard; {hide}")
    me.button("Copy link").click()
    expect(me.page.get_by_role("status").filter(has_text=me.t("Link copied."))).to_be_visible()
    read = "(window.clipboard ?? navigator.clipboard).readText()"
    assert me.page.evaluate(read) == link


def test_a_hint_stays_while_it_is_followed_and_names_people(person: MakePerson) -> None:
    me = person("en")
    me.play_now()
    assert me.until_mine()
    me.button("Hint").click()
    advice = me.advice
    expect(advice).to_be_visible()
    told = advice.text_content() or ""
    assert "greenhorn" not in told
    advised = told.split("lay ")[1][:2]
    other = (
        next(
            tile.get_attribute("data-tile")
            for tile in me.tiles_to_lay.all()
            if tile.get_attribute("data-tile") != advised
        )
        if me.tiles_to_lay.count() > 1
        else None
    )
    me.hand.locator(f"[data-tile={advised}]").click()
    expect(me.button("End turn")).to_be_visible()
    expect(advice).to_be_visible()
    if other:
        me.hand.locator(f"[data-tile={other}]").click()
        expect(advice).to_have_count(0)
