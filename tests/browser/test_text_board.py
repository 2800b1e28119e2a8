"""The table in words: a whole game by typed moves and questions, as with a screen reader."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .people import MakePerson, Person
from .positions import take_over
from .test_panel import most_paid

WIDE_HAND = "".join(chr(ord(letter) + 0xFEE0) for letter in "hand")
TILE = re.compile(r"\b[A-Z][1-4]\b")


def opened(person: MakePerson, language: str) -> Person:
    me = person(language)
    me.play_now()
    me.until_mine()
    me.page.keyboard.press("t")
    expect(me.field("Type a move or a question")).to_be_focused()
    return me


def test_a_whole_game_by_typed_moves(person: MakePerson) -> None:
    me = opened(person, "pt")
    turns = 0
    while me.until_mine():
        tiles = TILE.findall(me.type("turn"))
        answer = me.type(tiles[0].lower())
        sales = re.findall(r"-[A-Z]{3}\d", answer)
        while sales:
            answer = me.type(sales[0])
            sales = re.findall(r"-[A-Z]{3}\d", answer)
        offers = re.findall(r"\+[A-Z]{3}\b", answer)
        if offers:
            me.type(offers[0])
            expect(me.composer.get_by_role("button", pressed=True)).to_have_count(1)
        field = me.field("Type a move or a question")
        field.fill("end")
        field.press("Enter")
        expect(me.button("End turn")).to_have_count(0)
        turns += 1
    assert turns >= 3
    assert me.type("turn") == me.t("The game is over.")


def test_questions(person: MakePerson) -> None:
    me = opened(person, "fr")
    hand = me.type("hand")
    shown = [text[:2] for text in me.tiles.all_text_contents()]
    assert TILE.findall(hand) == shown
    assert "V1" in me.type("route V")
    assert "Denver" in me.type("city DEN")
    assert "Mabel" in me.type("player 2")
    assert len(me.type("players").split("\n")) == 8
    assert "X, Y, Z" in me.type("route Q")
    assert "DEN" in me.type("city nowhere")
    assert "Mabel (2)" in me.type("player 9")
    assert me.type("end") == me.t("Your turn isn’t complete yet.")
    assert me.type("to the moon") == me.t(
        "That’s neither a move nor a question. Type “help” for a list."
    )
    assert me.type("help")
    assert me.type("hint")
    me.type(TILE.findall(me.type("turn"))[0])
    assert me.type("back")
    expect(me.my_turn).to_be_visible()
    me.take_turn()
    me.until_mine()
    told = me.type("since")
    assert told.count("Mabel") >= 1
    # A move that the rules forbid gets their reason, and changes nothing.
    laid = next(iter(set(TILE.findall(told))))
    me.field("Type a move or a question").fill(laid)
    me.page.keyboard.press("Enter")
    expect(me.page.get_by_role("status").filter(has_text=re.compile(r"\w")).last).to_be_visible()
    expect(me.my_turn).to_be_visible()


def test_wide_letters_and_input_methods(person: MakePerson) -> None:
    """Typed input is NFKC-normalised, and Enter that ends a composition sends nothing."""
    me = opened(person, "ja")
    assert me.type(WIDE_HAND) == me.type("hand")
    field = me.field("Type a move or a question")
    lines = me.page.get_by_role("log", name=me.t("Answers"), exact=True).get_by_role("paragraph")
    before = lines.count()
    methods = me.context.new_cdp_session(me.page)
    field.focus()
    methods.send(
        "Input.imeSetComposition", {"text": "はんど", "selectionStart": 3, "selectionEnd": 3}
    )
    field.press("Enter")
    assert lines.count() == before
    methods.send("Input.insertText", {"text": "hand"})
    expect(field).to_have_value("hand")
    field.press("Enter")
    expect(lines).not_to_have_count(before)


def announced(me: Person) -> list[str]:
    """What was announced since the last question."""
    told: list[str] = me.page.locator("#announce").evaluate(
        """region => {
             const told = [...region.children].map(({ textContent }) => textContent);
             region.replaceChildren();
             return told;
           }"""
    )
    return told


def test_choices_are_announced_once(person: MakePerson) -> None:
    """By key and as text: the choice, its cost, what it pays, what ending the turn does."""
    me = person("en", width=1280, height=720)
    take_over(me, "most-choices")
    announced(me)
    last = me.page.locator("#announce p").last
    most_paid(me)
    tile = (me.hand.get_by_role("button", pressed=True).text_content() or "")[:2]
    for told in (
        "Lay ",
        " for $",
        "You get $",
        "Cash after this turn: $",
        f"End turn: Lay {tile}.",
    ):
        expect(last).to_contain_text(told)
    announced(me)
    me.page.keyboard.press("b")  # to the land for sale
    expect(me.offers.first).to_be_focused()
    expect(me.offers.first).to_have_accessible_name(re.compile(r"^[\w. ]+: buy land for \$\d,000$"))
    me.page.keyboard.press("Enter")
    expect(me.offers.first).to_have_attribute("aria-pressed", "true")
    expect(last).to_contain_text(
        re.compile(rf"now: You buy .+ for \$.+ End turn: Lay {tile}, buy .+\.$")
    )
    assert len(announced(me)) == 1
    me.page.keyboard.press("Backspace")
    expect(last).to_contain_text("Lay ")
    me.page.keyboard.press("Backspace")
    expect(last).to_have_text("Your turn: lay a tile.")
    me.page.keyboard.press("t")
    announced(me)
    for typed in (tile, "hint", "back", "hand"):
        answer = me.type(typed)
        assert "\n".join(announced(me)) == answer, "said once, as it stands on the board"
    region = me.page.get_by_role("log", name="Answers", exact=True)
    expect(region).to_have_attribute("aria-live", "off")


def test_free_land_and_the_near_end_are_announced(person: MakePerson) -> None:
    """Why nothing can be bought, and how many tiles are missing, as the panel and the map show."""
    me = person("en")
    take_over(me, "last-spike")
    last = me.page.locator("#announce p").last
    expect(last).to_have_text(
        re.compile(r"It’s your turn\. You can lay: .*W2.*\. 1 tile to the last spike\.")
    )
    me.play_now()
    why = "You got free land, so you can’t buy this turn."
    free = False
    while not free and me.until_mine():
        me.tiles_to_lay.first.click()
        expect(me.button("End turn")).to_be_visible()
        free = why in (me.composer.text_content() or "")
        if free:
            expect(last).to_contain_text("You get the free land in")
            expect(last).to_contain_text(why)
        me.raise_money()
        me.end_turn()
    assert free


def test_announcements_wait_for_their_reader(person: MakePerson) -> None:
    """However many come at once."""
    found = (
        person("en")
        .come()
        .page.evaluate(
            """async () => {
             const { version } = document.documentElement.dataset;
             const at = `${document.baseURI}web/${version}/js/lib/ui/announce.js`;
             const { announce } = await import(at);
             for (let n = 0; n < 20; n++) announce(`${n}`);
             return [...document.querySelectorAll("#announce p")].length;
           }"""
        )
    )
    assert found == 20


def test_what_happens_is_announced(person: MakePerson) -> None:
    me = person("en")
    me.play_now()
    me.play_on(1)
    live = me.page.locator("#announce")
    me.until_mine()
    told = me.pattern("It’s your turn. You can lay: {tiles}", tiles="[A-Z][1-4 A-Z]*")
    expect(live.locator("p").last).to_have_text(told)  # after the others’ moves
    expect(live).to_contain_text("lays")
    me.button("Settings").click()
    me.dialog.get_by_label(me.t("Screen reader announcements")).select_option(
        me.t_as("announcements", "Short")
    )
    me.page.keyboard.press("Escape")
    live.evaluate("region => region.replaceChildren()")
    me.play_on(1)
    me.until_mine()
    expect(live).to_contain_text(re.compile(r"Mabel: [A-Z][1-4]\."))
    expect(live).not_to_contain_text("lays")
    expect(live.locator("p").last).to_have_text("It’s your turn.")
    me.button("Settings").click()
    me.dialog.get_by_label(me.t("Screen reader announcements")).select_option(me.t("Off"))
    me.page.keyboard.press("Escape")
    expect(me.dialog).to_have_count(0)
    before = live.text_content() or ""
    me.take_turn()
    me.until_mine()
    expect(live).to_have_text(before)
