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
        if turns == 6:
            anna.finish(bruno)
    assert turns == 6
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
