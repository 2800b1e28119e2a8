"""The others' turns are played out on the map one by one, and the ending takes its time."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, expect

from .layout import map_faults
from .people import MakePerson, Person
from .positions import MOMENTS, record_of, take_over
from .screens import record_of as recorded

TICK = 500
"""Milliseconds by which a stopped clock is moved on."""
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def caption(me: Person) -> Locator:
    return me.page.locator(".caption-text")


def skip(me: Person) -> Locator:
    return me.button("Skip")


def laid(me: Person) -> int:
    return me.map.locator(".space.laid").count()


def stop_clock(me: Person) -> None:
    """From now on nothing waits but for `run`; payouts fly in their own time."""
    me.page.clock.pause_at(me.page.evaluate("Date.now() + 1000"))


def run(me: Person, until: Locator, text: str) -> None:
    """Let the clock run until that is shown."""
    for _ in range(100):
        if text in (until.text_content() or ""):
            return
        me.page.clock.run_for(TICK)
    expect(until).to_contain_text(text)


def board(me: Person) -> dict[str, Any]:
    """What the map, the list of players and the log show."""
    shown: dict[str, Any] = me.page.evaluate(
        """() => ({
          laid: document.querySelectorAll(".space.laid").length,
          log: document.querySelectorAll(".turn-entry").length,
          land: document.querySelectorAll(".deed.owned").length,
          cards: document.querySelectorAll(".holding .bars i").length,
          cash: [...document.querySelectorAll(".cash")].map((part) => part.textContent),
        })"""
    )
    return shown


def take_turn(me: Person) -> None:
    """Lay and buy nothing; the others' turns have arrived when the next own one has."""
    me.tiles_to_lay.first.click()
    me.raise_money()
    me.button("End turn").click()
    me.page.clock.run_for(1)  # a part that is pressed is drawn after that
    expect(me.my_turn).to_be_visible()


def test_the_others_turns_are_played_out_one_by_one(person: MakePerson) -> None:
    me = person("en", width=1280, height=720, calm=False, new=True)
    me.page.clock.install()
    take_over(me, "early")
    me.hurry()
    stop_clock(me)
    before = board(me)
    take_turn(me)

    # My own turn is shown at once; it is my turn again, and the map is still at what I did.
    shown = board(me)
    assert shown["laid"] == before["laid"] + 1
    assert shown["log"] == before["log"] + 1
    expect(caption(me)).to_contain_text("You")
    expect(skip(me)).to_be_visible()
    expect(me.map.locator(".fresh")).to_have_count(0)

    # Then each of the others', with its land and in the log, and nothing of those that follow.
    for done, name in enumerate(("Jules", "Flora", "Otto"), 2):
        run(me, caption(me).locator(".player-name"), name)
        shown = board(me)
        assert shown["laid"] == before["laid"] + done
        assert shown["log"] == before["log"] + done
        assert shown["land"] == shown["cards"]
        tile = me.map.locator(".space.last").get_attribute("data-tile") or "-"
        expect(caption(me)).to_contain_text(tile)
        expect(me.log.get_by_role("article").last).to_contain_text(tile)
        expect(me.map.locator(".fresh")).to_have_count(done - 1)
    expect(skip(me)).to_be_hidden()

    # What is new stays marked until I move.
    land = me.composer.locator(".since .piece").filter(has_text=re.compile("buys|free land"))
    assert land.count()
    expect(me.map.locator(".deed.new")).to_have_count(land.count())
    me.page.clock.run_for(60_000)
    expect(me.map.locator(".fresh")).to_have_count(3)

    # Whoever acts waits for nothing: Escape, choosing a tile, looking back.
    for act in ("skip", "choose", "look back"):
        before = board(me)
        take_turn(me)
        assert board(me)["laid"] == before["laid"] + 1
        if act == "skip":
            me.page.keyboard.press("Escape")
        elif act == "choose":
            me.tiles_to_lay.first.click()
        else:
            me.log.get_by_role("button", name="Turn 3", exact=True).click()
        me.page.clock.run_for(1)
        expect(me.log.get_by_role("article")).to_have_count(before["log"] + 5)  # and the deal
        expect(skip(me)).to_be_hidden()
        expect(me.page.locator(".flight")).to_have_count(0)
        if act == "look back":
            assert laid(me) == 3
            me.button("Now").click()
        me.page.clock.run_for(1)
        assert laid(me) == before["laid"] + 4
        me.page.keyboard.press("Backspace")
        expect(me.my_turn).to_be_visible()

    # Nobody watches: nothing piles up.
    before = board(me)
    take_turn(me)
    me.page.evaluate(HIDE, True)
    assert laid(me) == before["laid"] + 4
    me.page.evaluate(HIDE, False)

    # At once, if one wants it so.
    me.button("Settings").click()
    me.dialog.get_by_label("Speed of others’ turns").select_option("All at once")
    me.page.keyboard.press("Escape")
    take_turn(me)
    assert laid(me) == before["laid"] + 8
    expect(caption(me)).to_contain_text("Otto")


STAY = """async (record) => {
  const root = `web/${document.documentElement.dataset.version}/js/`;
  const at = (path) => import(new URL(root + path, document.baseURI).href);
  const [{ Figures }, { Model }, { approaches, stay }] = await Promise.all(
    ["game/figures.js", "game/model.js", "table/motion/playout.js"].map(at));
  const asked = await fetch("api/records", {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(record),
  });
  const model = new Model("");
  model.receive(await asked.json());
  const figures = new Figures(await (await fetch(`api/editions/${record.edition}`)).json());
  return model.turns.map((_, n) => {
    const turns = model.turns.slice(0, n + 1);
    const track = turns.flatMap(({ moves }) => moves.filter((move) => /^[A-Z][1-4]$/.test(move)));
    return [figures.toLastSpike({ track }), stay(figures, turns)];
  });
}"""


def test_the_last_tiles_take_longer(person: MakePerson) -> None:
    """Each that comes nearer to the last spike, from the third before it, and the spike itself."""
    me = person("en")
    me.come()
    lefts = me.page.evaluate(STAY, record_of(MOMENTS["two-left"]))
    usual = lefts[0][1]
    slow = [n for n, (_, ms) in enumerate(lefts) if ms > usual]
    nearer = [
        n for n, (left, _) in enumerate(lefts) if left <= 3 and (n == 0 or lefts[n - 1][0] > left)
    ]
    assert slow == nearer
    assert slow[-1] == len(lefts) - 1
    assert lefts[-1][0] == 0


def test_the_ending(person: MakePerson) -> None:
    """What the last spike brings is shown where it would be driven, and in the turn that drives
    it. Its payouts have landed before the scores come."""
    me = person("en", width=1280, height=720, calm=False, new=True)
    me.page.clock.install()
    take_over(me, "two-left")
    status = me.page.locator(".table-status")
    expect(status).to_contain_text("2 tiles to the last spike (+$20k)")
    badges = me.map.locator(".bonus")
    expect(badges).to_have_count(2)
    expect(me.map.locator(".near")).to_have_count(2)
    expect(me.map.get_by_text("+$20k", exact=True)).to_have_count(0)

    take_over(me, "last-spike")
    expect(status).to_contain_text("1 tile to the last spike (+$20k)")
    expect(me.map.get_by_text("+$20k", exact=True)).to_have_count(2)
    for width, height in ((390, 844), (1920, 1080), (1280, 720)):
        me.resize(width, height)
        assert not map_faults(me.page)
    stop_clock(me)
    me.hand.get_by_role("button", name="W2").click()
    paid = me.composer.get_by_role("list", name="Payouts")
    expect(paid.get_by_role("listitem").first).to_have_text("Last-spike bonus+$20k")
    expect(me.composer).to_contain_text("Cash after this turn: $72,000")

    me.page.evaluate(
        """() => {
          const end = document.querySelector(".finale");
          window.flights = 0;
          new MutationObserver((records) => {
            for (const { addedNodes } of records)
              for (const { classList } of addedNodes)
                window.flights += classList?.contains("flight") ?? false;
          }).observe(document.querySelector(".table"), { childList: true });
          new MutationObserver(() => {
            if (!end.hidden) window.inTheAir ??= document.querySelectorAll(".flight").length;
          }).observe(end, { attributes: true });
        }"""
    )
    me.button("End turn").click()
    me.page.clock.run_for(1)
    expect(me.map.locator(".golden")).to_have_count(1)
    expect(me.page.locator(".spike-banner")).to_contain_text("You drive the last spike")
    expect(me.finale).to_be_hidden()
    expect(me.page.locator(".flight")).to_have_count(0)  # they fly in their own time
    expect(me.finale).to_be_hidden()
    me.page.clock.run_for(10_000)
    expect(me.finale).to_be_visible()
    assert me.page.evaluate("[window.flights, window.inTheAir]") == [7, 0]

    # In the replay it is all there again.
    me.button("Watch again").click()
    me.page.clock.run_for(1000)
    expect(caption(me)).to_contain_text(me.map.locator(".last").get_attribute("data-tile") or "-")
    assert laid(me) == 1
    before = me.page.evaluate("window.flights")
    run(me, caption(me), "finished")
    assert me.page.evaluate("window.flights") > before
    assert 4 <= laid(me) < 48


def test_a_replay_of_a_record_is_told_line_by_line(person: MakePerson) -> None:
    """With less motion nothing flies, and the same is told."""
    me = person("fr", width=390, height=844, touch=True)
    me.come()
    with me.page.expect_file_chooser() as chooser:
        me.button("Choose a file").click()
    chooser.value.set_files(recorded("standard"))
    expect(me.finale).to_be_visible()
    expect(caption(me)).to_be_hidden()
    me.page.keyboard.press("ArrowLeft")
    moves = json.loads(recorded("standard").read_text("utf-8"))["moves"]
    expect(caption(me)).to_be_visible()
    tiles = [move for move in moves if len(move) == 2]
    expect(caption(me)).to_contain_text(tiles[laid(me) - 1])
    expect(me.page.locator(".flight")).to_have_count(0)
