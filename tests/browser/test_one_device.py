"""Three people round one device: the curtain shows nothing of a hand."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import WebSocket, expect

from .people import MakePerson, Person
from .screens import curtain

CODE = re.compile(r"\b[A-Z][1-4]\b")


REST = r"""async () => {
  const code = /\b[A-Z][1-4]\b/;
  const found = { turns: 0, shown: [] };
  const one = (selector) => document.querySelector(selector);
  const until = (look) => new Promise((resolve) => {
    const watcher = new MutationObserver(() => tried());
    const tried = () => {
      const seen = look();
      if (!seen) return;
      watcher.disconnect();
      resolve(seen);
    };
    watcher.observe(document.body, { subtree: true, childList: true, attributes: true });
    tried();
  });
  for (;;) {
    const look = () => one(".curtain:not([hidden]) [data-key=look]");
    const finale = () => one(".finale:not([hidden])");
    const next = await until(() => finale() ?? look());
    if (next === finale()) return found;
    const tray = one(".tray").textContent;
    const lit = document.querySelectorAll(".map :is(.mine, .legal, .ghost)").length;
    if (code.test(tray) || one(".tray [data-tile]") || lit) found.shown.push([tray, lit]);
    next.click();
    (await until(() => one(".hand [data-tile]:not([aria-disabled])"))).click();
    while ((await until(() => one("[data-key=end-turn]"))).disabled) {
      const told = one(".composer").textContent;
      one(".sales button").click();
      await until(() => one(".composer").textContent !== told);
    }
    one("[data-key=end-turn]").click();
    await until(() => !one("[data-key=end-turn]"));
    found.turns += 1;
  }
}"""
"""Plays to the end as the people would, and notes whatever a curtain shows of a hand."""


def test_a_curtain_between_people(person: MakePerson) -> None:
    """For a whole game: each has a turn by clicks, the page itself presses the rest."""
    us = person("pt")
    told: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: told.append(json.loads(frame)))

    us.page.on("websocket", listen)
    curtain(us)
    for _ in range(3):
        expect(us.show_hand).to_be_visible()
        assert_nothing_shown(us, told)
        expect(us.players.get_by_text(us.t("you"), exact=True)).to_have_count(0)
        us.show_hand.click()
        expect(us.my_turn).to_be_visible()
        mover = us.players.get_by_role("listitem").filter(has_text=us.t("now playing"))
        expect(us.players.get_by_text(us.t("you"), exact=True)).to_have_count(1)
        expect(mover.get_by_text(us.t("you"), exact=True)).to_be_visible()
        assert 1 <= us.tiles.count() <= 4
        told.clear()
        us.take_turn()
    found = us.page.evaluate(REST)
    assert found["turns"] > 20
    assert not found["shown"]
    assert_nothing_told(told)
    expect(us.finale).to_be_visible()
    why = us.page.get_by_role("region", name=us.pattern("Why {player} won", player=".+"))
    expect(why).to_be_visible()  # several people share the page: nobody is "you"


def assert_nothing_shown(us: Person, told: list[dict[str, Any]]) -> None:
    """Neither to the eye, nor to who listens, nor to who looks into the page or its messages."""
    tray = us.page.get_by_role("region", name=us.t("Your hand and turn"), exact=True)
    assert not CODE.search(tray.text_content() or "")
    assert not CODE.search(tray.aria_snapshot())
    assert not tray.locator("[data-tile]").count()
    # Which spaces the map lights up would tell the hand as well.
    looks = us.page.evaluate(
        """() => [...document.querySelectorAll(".map [data-tile]")].map(space =>
             [space.dataset.tile, [...space.classList].filter(name =>
               ["mine", "legal", "ghost"].includes(name))])"""
    )
    assert len(looks) == 48
    assert not [tile for tile, lit in looks if lit]
    # What was drawn is for the one who drew it.
    draws = us.pattern("draws {tile}", tile=CODE.pattern)
    assert not draws.search(us.log.text_content() or "")
    draws = us.pattern("{player} draws {tile}.", player=r"[^.]+", tile=CODE.pattern)
    assert not draws.search(" ".join(us.page.locator("[aria-live=polite]").all_text_contents()))
    assert_nothing_told(told)


def assert_nothing_told(told: list[dict[str, Any]]) -> None:
    for message in told:
        view = message.get("view")
        if view and view["turn"] is not None and message.get("looking") is None:
            assert view["hands"] == [None, None, None]
        for step in message.get("steps", []):
            for happening in step["happenings"]:
                for event in happening.get("events", []):
                    if event["event"] == "tile_drawn":
                        assert event.get("tile") is None, message
