"""Learn by playing: the whole lesson by mouse, thumb and keyboard, left and taken up again, and the
real game after it."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from .axe import violations
from .learner import TURNS, Learner
from .people import TABLE, MakePerson, Person
from .test_keyboard import tab_to
from .test_phone import assert_for_thumbs


def test_the_lesson_and_then_a_real_game(person: MakePerson) -> None:
    """The way of somebody who has never heard of the game."""
    me = person("en")
    learner = Learner(me).begin()
    for moves in TURNS:
        learner.take_turn(moves)
    expect(me.finale).to_contain_text(me.t("You win!"))
    for told in ("(double)", "sell Denver", "you get $18k", "last spike: +$20k"):
        expect(me.log).to_contain_text(told)
    assert not violations(me.page)

    me.button("Play a real game").click()
    me.page.wait_for_url(TABLE)
    expect(me.map).to_be_visible()
    me.hurry()
    assert me.play_on(2) == 2
    me.finish()


def test_what_leads_elsewhere_changes_nothing(person: MakePerson) -> None:
    me = person("pt")
    learner = Learner(me).begin()
    learner.take_turn(TURNS[0])
    learner.hear()
    learner.follow("A2")
    me.button("End turn").click()  # too early
    learner.says("For now, buy land in {city}.", city="STL")
    learner.thing("+DEN").click()
    learner.says("For now, buy land in {city}.", city="STL")
    learner.follow("+STL")
    learner.thing("+OMA").click()  # one is enough
    learner.says("For now, just end your turn.")
    me.button("Undo").click()
    learner.says(
        "Now you can buy land. A finished route pays for land at both ends: buy another card "
        "in {city}.",
        city="STL",
    )
    learner.follow("+STL")
    me.end_turn()
    learner.hear()
    learner.thing("V3").click()  # legal, at double cost
    learner.says("For now, try {tile}.", tile="E2")
    expect(me.my_turn).to_be_visible()
    me.tab("Text").click()
    assert me.t("For now, try {tile}.", tile="E2") in me.type("B3")
    learner.take_turn(TURNS[2])
    learner.hear()
    learner.follow("A3")
    learner.thing("-STL1").click()
    learner.says("For now, sell your {city} land.", city="DEN")
    expect(me.page.get_by_role("status").get_by_role("paragraph")).to_have_count(0)


def test_the_lesson_on_a_phone(person: MakePerson) -> None:
    me = person("ja", width=360, height=640, touch=True)
    learner = Learner(me, press=lambda thing: thing.tap()).begin()
    found = []
    for number, moves in enumerate(TURNS):
        learner.hear()
        expect(learner.said).to_be_in_viewport(ratio=0.9)
        if number in (0, 3):
            for move in moves:
                learner.follow(move)
                expect(learner.said).to_be_in_viewport(ratio=0.9)
            assert_for_thumbs(me)
            found += violations(me.page)
            learner.take_turn([])
        else:
            learner.take_turn(moves)
        wide: int = me.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 360
    assert not found
    expect(me.finale.get_by_role("heading").first).to_be_in_viewport()
    me.button("Play a real game").tap()
    me.page.wait_for_url(TABLE)
    expect(me.tiles.first).to_be_in_viewport()


def test_the_lesson_by_keyboard(person: MakePerson) -> None:
    me = person("fr")
    keys = me.page.keyboard

    def by_key(thing: Locator) -> None:
        """Keys where there is one, Tab and Space elsewhere."""
        name = thing.text_content() or ""
        tiles = [tile.text_content() for tile in me.tiles.all()] if me.hand.count() else []
        if name in tiles:
            keys.press(str(1 + tiles.index(name)))
        elif name == me.t("End turn"):
            keys.press("e")
        elif name == me.t("Continue"):
            keys.press("Enter")
        else:
            tab_to(me, thing)
            keys.press("Space")

    learner = Learner(me, by_key).begin()
    for moves in TURNS:
        learner.take_turn(moves)
    tab_to(me, me.button("Play a real game"))
    keys.press("Enter")
    me.page.wait_for_url(TABLE)


def test_the_lesson_is_left_and_taken_up_again(person: MakePerson) -> None:
    me = person("en", dark=True)
    learner = Learner(me).begin()
    for moves in TURNS[:2]:
        learner.take_turn(moves)
    learner.hear()
    asked = learner.said.text_content() or ""
    assert not violations(me.page)
    me.page.get_by_role("link", name="The Last Spike").click()
    me.button("Continue the lesson").click()
    expect(learner.said).to_have_text(asked)
    expect(
        me.log.get_by_role("button", name=me.t("Turn {number}", number=6), exact=True)
    ).to_be_visible()
    me.page.reload()
    expect(learner.said).to_have_text(asked)
    me.field("Language").select_option("Français")
    french = Person.__new__(Person)
    french.__dict__ = {**me.__dict__, "language": "fr"}
    Learner(french).says(
        "None of your tiles is next to track or a city, so you pay double. "
        "Lay a cheap one: {tile}.",
        tile="E2",
    )
    french.button("Start over").click()
    expect(french.button("Continue")).to_be_visible()
    french.button("Table menu").click()
    french.dialog.get_by_role("button", name=french.t("Leave the lesson")).click()
    expect(french.button("Learn by playing")).to_be_visible()


def test_the_others_play_at_a_pace_of_their_own(person: MakePerson) -> None:
    me = person("en", calm=False, new=True)
    me.page.clock.install()
    me.come("/lesson")
    learner = Learner(me)
    learner.press(learner.go_on)
    learner.follow("A1")
    me.end_turn()
    learner.says("The star in {city} marks your land. Now watch the others.", city="STL")
    me.page.clock.run_for(60_000)  # it is worth a word, so it waits
    learner.says("The star in {city} marks your land. Now watch the others.", city="STL")
    learner.press(learner.go_on)
    expect(learner.said).to_contain_text("Mabel")
    me.page.clock.run_for(5_000)
    expect(learner.said).to_contain_text("Jules")
    me.page.clock.run_for(5_000)
    learner.says("{tile} extends the track. Lay it.", tile="A2")
