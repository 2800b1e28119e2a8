"""A message redraws the parts of the table that show what it changes, once, and no others."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .people import MakePerson, Person

WATCH = """() => {
  const parts = {
    players: ".players", hand: ".hand", composer: ".composer", status: ".table-status",
    log: ".log", chat: ".chat-lines", map: ".map",
  };
  window.redrawn = {};
  for (const [name, selector] of Object.entries(parts)) {
    const element = document.querySelector(selector);
    const what = name === "map" ? { attributeFilter: ["aria-label"] } : { childList: true };
    new MutationObserver((records) => {
      window.redrawn[name] = (window.redrawn[name] ?? 0) + records.length;
    }).observe(element, what);
  }
}"""
"""Filling a part replaces its children, which is one record; the map, which only changes classes,
sets its name whenever it is drawn."""


def drawn(person: Person) -> dict[str, int]:
    """How often each part was drawn since the last question."""
    found: dict[str, int] = person.page.evaluate(
        "() => { const found = window.redrawn; window.redrawn = {}; return found; }"
    )
    return found


@pytest.fixture
def two(person: MakePerson) -> tuple[Person, Person]:
    """Two people at a table of two: who moves first, and the other."""
    ada, bob = person("en"), person("fr")
    ada.come()
    ada.for_players(2)
    ada.give_name("Ada")
    bob.sit_down(ada.field("Link to this table").input_value(), "Bob")
    for one in (ada, bob):
        one.button("Ready").click()
    for one in (ada, bob):
        expect(one.map).to_be_visible()
        one.page.wait_for_load_state("networkidle")
        one.page.evaluate(WATCH)
    moves_first = ada.my_turn.or_(ada.page.get_by_text("Bob’s turn."))
    expect(moves_first).to_be_visible()
    return (ada, bob) if ada.my_turn.is_visible() else (bob, ada)


def test_a_message_redraws_what_it_changes(two: tuple[Person, Person]) -> None:
    mover, other = two
    drawn(mover), drawn(other)

    mover.tiles_to_lay.first.click()
    expect(mover.button("End turn")).to_be_enabled()
    assert drawn(mover) == {"composer": 1, "hand": 1, "map": 1}
    assert drawn(other) == {}

    mover.end_turn()
    expect(other.my_turn).to_be_visible()
    once = {"players": 1, "hand": 1, "composer": 1, "status": 1, "log": 1, "map": 1}
    assert drawn(other) == once
    assert drawn(mover) == once | {"composer": 2}  # first that the turn is on its way

    mover.say("All aboard!")
    noted = other.page.get_by_role("status").filter(has_text="All aboard!")
    expect(noted).to_be_visible()
    assert drawn(other) == {"chat": 1}
    assert drawn(mover) == {"chat": 1}

    mover.page.close()
    expect(other.players).to_contain_text(other.t("away"))
    assert drawn(other) == {"players": 1}
