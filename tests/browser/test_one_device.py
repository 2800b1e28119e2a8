"""Three people round one device: the curtain shows nothing of a hand."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import WebSocket, expect

from .people import MakePerson, Person
from .screens import curtain

CODE = re.compile(r"\b[A-Z][1-4]\b")


def test_a_curtain_between_people(person: MakePerson) -> None:
    us = person("pt")
    told: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: told.append(json.loads(frame)))

    us.page.on("websocket", listen)
    curtain(us)
    turns = 0
    while True:
        expect(us.show_hand.or_(us.finale)).to_be_visible()
        if us.finale.is_visible():
            break
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
        turns += 1
        if turns == 9:
            us.finish()
    assert turns == 9
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
    for message in told:
        view = message.get("view")
        if view and message.get("looking") is None:
            assert view["hands"] == [None, None, None]
        for step in message.get("steps", []):
            for happening in step["happenings"]:
                for event in happening.get("events", []):
                    if event["event"] == "tile_drawn":
                        assert event.get("tile") is None, message
