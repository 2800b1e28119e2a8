"""A teaching table: the waiting room says what it is, and all hands lie open on the page."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from .people import MakePerson, Person


def test_all_hands_lie_open_at_a_teaching_table(person: MakePerson) -> None:
    ada, grace, watcher = person("en"), person("fr"), person("ja")
    link = ada.make_table("Ada")
    grace.sit_down(link, "Grace")
    explained = (
        "Teaching table: everybody sees all hands and can discuss what to lay. Nobody sees "
        "the pool."
    )
    expect(ada.page.get_by_text(ada.t(explained))).to_have_count(0)
    ada.field("Hands").select_option(ada.t("Open, for teaching"))
    watcher.page.goto(link)
    for one in (ada, grace, watcher):
        expect(one.page.get_by_text(one.t(explained))).to_be_visible()
    ada.button("Ready").click()
    grace.button("Ready").click()
    for one in (ada, grace):
        expect(one.tiles).to_have_count(4)
        expect(hand_of(one, "Ada" if one is grace else "Grace")).to_be_visible()
    # A computer may move meanwhile; who sits here plays when they like.
    for looks, holder in ((grace, ada), (ada, grace), (watcher, ada), (watcher, grace)):
        tiles = [(tile.text_content() or "")[:2] for tile in holder.tiles.all()]
        name = "Ada" if holder is ada else "Grace"
        expect(hand_of(looks, name)).to_have_accessible_name(
            looks.t("{player} holds {tiles}", player=name, tiles=" ".join(tiles))
        )
    expect(hand_of(ada, "Ada")).to_have_count(0)  # it lies below the map already


def hand_of(looks: Person, name: str) -> Locator:
    return looks.players.get_by_role(
        "img", name=looks.pattern("{player} holds {tiles}", player=name, tiles=".+")
    )
