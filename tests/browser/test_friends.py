"""Two browsers at one table and a third that watches, each in a language of its own."""

from __future__ import annotations

from playwright.sync_api import expect

from .people import MakePerson, Person


def test_two_browsers_play_and_a_third_watches(person: MakePerson) -> None:
    anna, bruno, chie = person("fr", calm=False), person("pt"), person("ja")
    link = anna.make_table("Anna")
    bruno.sit_down(link, "Bruno")
    chie.page.goto(link)
    for one in (anna, bruno, chie):
        seats = one.page.get_by_role("listitem")
        expect(seats.filter(has_text="Anna")).to_be_visible()
        expect(seats.filter(has_text="Bruno")).to_be_visible()
    expect(
        chie.page.get_by_text(chie.t("Every seat is taken. You can stay and watch."))
    ).to_be_visible()

    anna.button("Ready").click()
    expect(bruno.page.get_by_text(bruno.t("ready"), exact=True)).to_be_visible()
    bruno.button("Ready").click()
    for one in (anna, bruno, chie):
        expect(one.players.get_by_role("listitem")).to_have_count(4)
        expect(one.players).to_contain_text("Anna")
        expect(one.players).to_contain_text("Bruno")
    anna.hurry()

    anna.say("Bonne chance !")
    bruno.tab("Chat").click()
    expect(bruno.chat).to_contain_text("Bonne chance !")
    bruno.say("Obrigado!")
    expect(anna.chat).to_contain_text("Obrigado!")
    chie.tab("Chat").click()
    expect(chie.chat).to_contain_text("Obrigado!")
    for one in (anna, bruno):
        one.tab("Log").click()

    expect(chie.tiles).to_have_count(0)
    turns = 0
    while True:
        anna_or_bruno = anna.my_turn.or_(anna.finale)
        waiting = anna.page.get_by_text(anna.t("{player}’s turn.", player="Bruno"))
        expect(anna_or_bruno.or_(waiting)).to_be_visible()
        if anna.finale.is_visible():
            break
        mover = anna if anna.my_turn.is_visible() else bruno
        if mover.until_mine():
            mover.take_turn()
            turns += 1
        if turns == 3:
            anna.finish(bruno)
    assert turns == 3
    for one in (anna, bruno, chie):
        expect(one.finale).to_be_visible()
        expect(one.finale).to_contain_text(one.t("You") if one is anna else "Anna")
    assert cash(anna) == cash(bruno) == cash(chie)
    expect(chie.button("Play again")).to_have_count(0)


def cash(one: Person) -> list[str]:
    """What each has in the end, without how a language writes it."""
    rows = one.finale.get_by_role("row").all()[1:]
    told = [row.locator(".total .wide").text_content() or "" for row in rows]
    return ["".join(filter(str.isdigit, text)) for text in told]


def test_a_game_ends_when_both_agree(person: MakePerson) -> None:
    """One suggests it, and takes it back; the other is told. Then both want it."""
    ada, bob = person("en"), person("fr")
    for one in (ada, bob):
        one.page.on("dialog", lambda dialog: dialog.accept())
    link = ada.make_table("Ada")
    bob.sit_down(link, "Bob")
    for one in (ada, bob):
        one.button("Ready").click()
    for one in (ada, bob):
        expect(one.players.get_by_role("listitem")).to_have_count(4)

    def press(one: Person, message: str) -> None:
        one.button("Table menu").click()
        one.dialog.get_by_role("button", name=one.t(message)).click()
        expect(one.dialog).to_have_count(0)

    wish = (
        "{player} wants to end the game without a result. If you agree, say so in the table menu."
    )
    press(ada, "Suggest ending the game")
    expect(bob.page.get_by_text(bob.t(wish, player="Ada"))).to_be_visible()
    press(ada, "Keep playing after all")
    expect(
        bob.page.get_by_text(bob.t("{player} would rather play on.", player="Ada"))
    ).to_be_visible()
    press(bob, "Suggest ending the game")
    expect(ada.page.get_by_text(ada.t(wish, player="Bob"))).to_be_visible()
    press(ada, "Agree to end the game")
    for one in (ada, bob):
        expect(one.page.get_by_text(one.t("This game ended without a result."))).to_be_visible()
