"""Lost lines and killed servers: the page says so, comes back by itself, and loses nothing."""

from __future__ import annotations

from playwright.sync_api import Browser, Locator, expect

from tests.server.running import RunningServer

from .people import Person, company
from .wire import wire_to

REFUSED = r"WebSocket connection to .* failed|net::ERR_"
"""What Chromium itself writes to the console when there is nobody to talk to."""


def lost(me: Person) -> Locator:
    text = me.t("Connection lost. Reconnecting…")
    return me.page.get_by_role("status").filter(has_text=text)


def mark(me: Person) -> None:
    """So that a reload would be noticed."""
    me.page.evaluate("window.notReloaded = true")


def assert_not_reloaded(me: Person) -> None:
    assert me.page.evaluate("window.notReloaded === true")


def test_a_whole_game_over_a_wire_that_breaks(browser: Browser, server: RunningServer) -> None:
    with wire_to(server.url) as wire, company(browser, wire.url) as person:
        me = person("fr")
        me.expect_trouble(REFUSED)
        me.play_now()
        mark(me)
        turns = 0
        while me.until_mine():
            turns += 1
            if turns == 2:  # while nothing is under way
                wire.cut()
                expect(lost(me)).to_be_visible()
                wire.mend()
                expect(lost(me)).to_be_hidden()
                me.take_turn()
            elif turns == 3:  # with a turn composed, which is sent while nobody listens
                before = me.log.get_by_role("article").count()
                me.tiles_to_lay.first.click()
                me.raise_money()
                wire.cut()
                expect(lost(me)).to_be_visible()
                me.button("End turn").click()
                wire.mend()
                expect(me.button("End turn")).to_have_count(0)
                expect(lost(me)).to_be_hidden()
                mine = me.log.get_by_role("article").nth(before)
                expect(mine).to_contain_text(me.t("You"))
            elif turns == 4:
                me.take_turn()
                me.finish()
            else:
                me.take_turn()
        assert_not_reloaded(me)
        numbers = me.log.get_by_role("heading").all_text_contents()
        assert len(numbers) == len(set(numbers)), "a turn is told twice"


def test_a_whole_game_on_a_server_that_is_killed(
    browser: Browser, own_server: RunningServer
) -> None:
    with company(browser, own_server.url) as person:
        me, other = person("en"), person("ja")
        me.expect_trouble(REFUSED)
        other.expect_trouble(REFUSED)
        me.play_now()
        other.come(me.page.url.removeprefix(own_server.url))
        expect(other.players).to_be_visible()
        mark(me)
        mark(other)
        me.play_on(2)
        me.until_mine()
        hand = me.tiles.all_text_contents()
        own_server.kill()
        expect(lost(me)).to_be_visible()
        expect(lost(other)).to_be_visible()
        expect(me.tiles).to_have_text(hand)
        own_server.start()
        expect(lost(me)).to_be_hidden()
        expect(lost(other)).to_be_hidden()
        expect(me.tiles).to_have_text(hand)
        # Killed once more, with a turn on its way.
        me.tiles_to_lay.first.click()
        me.raise_money()
        own_server.kill()
        me.button("End turn").click()
        own_server.start()
        expect(me.button("End turn")).to_have_count(0)
        me.play_on(2)
        me.finish()
        expect(me.finale).to_be_visible()
        expect(other.finale).to_be_visible()
        for one in (me, other):
            assert_not_reloaded(one)
            numbers = one.log.get_by_role("heading").all_text_contents()
            assert len(numbers) == len(set(numbers)), "a turn is told twice"


def test_a_dead_line_is_noticed_on_waking_up(browser: Browser, server: RunningServer) -> None:
    """Nobody says that the line is dead. What is tapped meanwhile is kept, and shown as pending."""
    with wire_to(server.url) as wire, company(browser, wire.url) as person:
        me = person("en", width=390, height=844, touch=True)
        me.play_now()
        assert me.until_mine()
        mark(me)
        before = me.log.get_by_role("article").count()
        me.tiles_to_lay.first.tap()
        me.raise_money()
        wire.silence()
        wake(me)
        me.button("End turn").tap()
        pending = me.page.locator(".late").get_by_role("button", name="End turn")
        expect(pending).to_be_disabled(timeout=1000)
        kept = "Your last action is saved"
        expect(me.page.get_by_role("status").filter(has_text=kept)).to_be_visible(timeout=2000)
        wire.mend()
        expect(me.button("End turn")).to_have_count(0)
        mine = me.log.get_by_role("article").nth(before)
        expect(mine).to_contain_text("You")
        expect(me.page.locator(".late")).to_have_count(0)
        # Where the line is alive, waking up changes nothing.
        assert me.until_mine()
        me.page.evaluate(
            """() => {
                 const Line = WebSocket;
                 window.lines = 0;
                 window.WebSocket = class extends Line {
                   constructor(...of) { super(...of); window.lines++; }
                 };
               }"""
        )
        wake(me)
        me.take_turn()
        assert me.until_mine()
        assert me.page.evaluate("lines") == 0
        assert_not_reloaded(me)


def wake(me: Person) -> None:
    """As a phone does that is unlocked."""
    me.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
