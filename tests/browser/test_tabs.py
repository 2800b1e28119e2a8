"""Two tabs, going back, reloading, another language in mid-game, a page older than its server."""

from __future__ import annotations

from playwright.sync_api import expect

from lastspike.languages import tag_of

from .people import TABLE, MakePerson, Person


def codes(me: Person) -> list[str]:
    return [text[:2] for text in me.tiles.all_text_contents()]


def test_two_tabs_of_one_person_agree(person: MakePerson) -> None:
    first = person("ja")
    first.play_now()
    second = person("ja", beside=first)
    second.page.goto(first.page.url)
    while first.until_mine() and second.until_mine():
        assert codes(first) == codes(second)
        numbers = first.log.get_by_role("heading").all_text_contents()
        expect(second.log.get_by_role("heading")).to_have_text(numbers)
        # What one composes is its own; what one ends is both's.
        one, other = (first, second) if len(numbers) % 2 else (second, first)
        other.tiles_to_lay.first.click()
        expect(other.button("End turn")).to_be_visible()
        one.take_turn()
        expect(other.button("End turn")).to_have_count(0)
        if len(numbers) > 8:
            break


def test_back_and_reload(person: MakePerson) -> None:
    me = person("en")
    me.play_now()
    me.play_on(1)
    me.until_mine()
    hand, turns = codes(me), me.log.get_by_role("heading").all_text_contents()
    me.page.reload()
    expect(me.my_turn).to_be_visible()
    assert codes(me) == hand
    expect(me.log.get_by_role("heading")).to_have_text(turns)
    me.page.go_back()
    expect(me.button("Play now")).to_be_visible()
    expect(me.heading("Your turn")).to_be_visible()
    me.page.go_forward()
    expect(me.my_turn).to_be_visible()
    assert codes(me) == hand
    me.page.get_by_role("link", name="The Last Spike").click()
    me.page.get_by_role("listitem").get_by_role("link").first.click()
    expect(me.page).to_have_url(TABLE)
    expect(me.my_turn).to_be_visible()
    assert codes(me) == hand
    me.take_turn()


def test_another_language_keeps_the_game(person: MakePerson) -> None:
    me = person("en")
    me.play_now()
    me.play_on(1)
    me.until_mine()
    hand = codes(me)
    articles = me.log.get_by_role("article").count()
    for language, name in (
        ("fr", "Français"),
        ("ja", "日本語"),
        ("pt-BR", "Português (Brasil)"),
        ("pt", "Português (Portugal)"),
    ):
        me.field("Language").select_option(name)
        me.language = language
        expect(me.my_turn).to_be_visible()
        assert me.page.evaluate("document.documentElement.lang") == tag_of(language)
        assert codes(me) == hand
        assert me.log.get_by_role("article").count() == articles
    me.take_turn()
    me.until_mine()
    me.page.reload()
    expect(me.my_turn).to_be_visible()  # still in Portuguese: it is remembered
    me.come()
    expect(me.button("Play now")).to_be_visible()


def test_an_old_page_reloads_itself(person: MakePerson) -> None:
    me = person("fr", new=True)
    me.play_now()
    me.until_mine()
    me.page.add_init_script(
        """const loads = Number(sessionStorage.getItem("loads"));
        sessionStorage.setItem("loads", String(loads + 1));
        new MutationObserver((_, watching) => {
          watching.disconnect();
          document.documentElement.dataset.loads = loads + 1;
          if (!loads) document.documentElement.dataset.version = "0.0.1-older";
        }).observe(document, { childList: true });"""
    )
    me.page.reload()
    expect(me.page.locator("html")).to_have_attribute("data-loads", "2")
    expect(me.my_turn).to_be_visible()
    assert me.page.evaluate("sessionStorage.getItem('loads')") == "2"


def test_news_do_not_swallow_a_click(person: MakePerson) -> None:
    """Something is told between the press and the release of a button."""
    me = person("en")
    me.play_now()
    me.until_mine()
    me.tab("Chat").click()
    other = person("en", beside=me)
    other.page.goto(me.page.url)
    other.until_mine()
    tile = me.tiles_to_lay.first
    tile.hover()
    me.page.mouse.down()
    other.say("Take your time.")
    expect(me.chat).to_contain_text("Take your time.")
    me.page.mouse.up()
    expect(tile).to_have_attribute("aria-pressed", "true")
