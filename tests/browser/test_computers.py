"""A whole game against computer players, by mouse."""

from __future__ import annotations

from playwright.sync_api import expect

from .people import MakePerson


def test_a_whole_game_against_computers(person: MakePerson) -> None:
    me = person("en")
    me.play_now()
    turns = me.play_on()
    assert turns >= 3
    expect(me.finale).to_be_visible()
    rows = me.finale.get_by_role("row")
    expect(rows).to_have_count(5)
    expect(me.button("Play again")).to_be_visible()
