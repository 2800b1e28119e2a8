"""A whole game against computer players, by mouse, and what comes after it."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .people import TABLE, MakePerson


def test_a_whole_game_against_computers(person: MakePerson) -> None:
    me = person("en")
    me.play_now()
    assert me.play_on() >= 3
    expect(me.finale).to_be_visible()
    expect(me.finale.get_by_role("heading").first).to_be_visible()
    expect(me.finale.get_by_role("row")).to_have_count(5)
    expect(me.log).to_contain_text(me.t("The game is over."))
    with me.page.expect_download() as download:
        me.page.get_by_role("link", name=me.t("Download the record")).click()
    assert '"lastspike/1"' in download.value.path().read_text("utf-8")

    before = me.page.url
    me.button("Play again").click()
    expect(me.page).not_to_have_url(before)
    expect(me.page).to_have_url(TABLE)
    expect(me.map).to_have_accessible_name(re.compile("^Map: 0|Map: [123] of 48"))

    me.page.get_by_role("link", name="The Last Spike").click()
    games = me.page.get_by_role("listitem")
    expect(me.heading("Your turn").or_(me.heading("Your games"))).to_be_visible()
    ended = me.pattern("rank {rank} of {players}", rank=r"\d", players=r"\d")
    won = games.filter(has_text=me.t_as("game", "won"))
    expect(games.filter(has_text=ended).or_(won)).to_have_count(1)


def test_the_map_shows_what_a_click_would_lay(person: MakePerson) -> None:
    me = person("pt")
    me.play_now()
    me.until_mine()
    tile = me.tiles_to_lay.first
    code = (tile.text_content() or "")[:2]
    tile.click()
    expect(tile).to_have_attribute("aria-pressed", "true")
    expect(me.button("End turn")).to_be_enabled()
    me.button("Undo").click()
    expect(me.my_turn).to_be_visible()
    # The same by the space on the map.
    me.map.get_by_text(code, exact=True).click(force=True)
    chosen = me.hand.get_by_role("button", name=re.compile(f"^{code}\\b"))
    expect(chosen).to_have_attribute("aria-pressed", "true")
    me.button("Hint").click()
    expect(me.advice).to_be_visible()
    assert me.page.title().startswith("● ")


def test_a_tile_keeps_still_under_the_pointer(person: MakePerson) -> None:
    """One that moved away from under it would come back, and go again, for ever."""
    me = person("en")
    me.play_now()
    me.until_mine()
    tile = me.tiles_to_lay.first
    tile.scroll_into_view_if_needed()
    before = tile.bounding_box()
    assert before is not None
    me.page.mouse.move(before["x"] + before["width"] / 2, before["y"] + before["height"] - 1)
    frame = "() => new Promise((done) => requestAnimationFrame(done))"
    for _ in range(20):
        me.page.evaluate(frame)
        assert tile.bounding_box() == before
