"""Somebody who takes the lesson and does what the coach says."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from lastspike.server.http.routes.lessons import LEARNER, lesson_messages

from .people import Person

Press = Callable[[Locator], None]

LESSON = lesson_messages("first", version="")
CITIES = {
    city["code"]: city for city in LESSON["welcome"]["table"]["settings"]["figures"]["cities"]
}
TURNS: list[list[str]] = [turn["moves"] for turn in LESSON["turns"] if turn["seat"] == LEARNER]
"""The learner's own turns."""


class Learner:
    """A person in the lesson, who presses things in a way of their own."""

    def __init__(self, me: Person, press: Press = lambda thing: thing.click()) -> None:
        self.me = me
        self.press = press
        self.coach = me.page.get_by_role("region", name=me.t("Coach"), exact=True)
        self.said = self.coach.get_by_role("status")
        self.go_on = me.button("Continue")

    def begin(self) -> Learner:
        """From home, with others who wait until one goes on."""
        self.me.come()
        self.press(self.me.button("Learn by playing"))
        self.says(
            "You and two others build one railway from {start} to {finish}. When the line is "
            "complete, the player with the most cash wins.",
            start="STL",
            finish="SAC",
        )
        return self

    def says(self, message: str, **facts: str) -> None:
        """Cities are given by their codes."""
        named = {key: self.city(fact) if fact in CITIES else fact for key, fact in facts.items()}
        expect(self.said).to_have_text(self.me.t(message, **named))

    def city(self, code: str) -> str:
        name: str = CITIES[code]["names"].get(self.me.language, CITIES[code]["name"])
        return name

    def hear(self) -> None:
        """Go on until it is one's turn to do something."""
        while self.go_on.count():
            before = self.said.text_content() or ""
            self.press(self.go_on)
            expect(self.said).not_to_have_text(before)

    def thing(self, move: str) -> Locator:
        """What has to be pressed for a move."""
        me = self.me
        if move.startswith("-"):
            name = me.t("Sell {card}", card=move[1:])
            return me.composer.get_by_role("button", name=re.compile(f"^{name}"))
        if move.startswith("+"):
            return me.offers.filter(has_text=self.city(move[1:]))
        return me.hand.get_by_role("button", name=re.compile(f"^{move}"))

    def follow(self, move: str) -> None:
        """Make a move and wait for what the coach says then."""
        before = self.said.text_content() or ""
        thing = self.thing(move)
        expect(thing).to_be_in_viewport()
        self.press(thing)
        expect(self.said).not_to_have_text(before)

    def take_turn(self, moves: list[str]) -> None:
        self.hear()
        for move in moves:
            self.follow(move)
        end = self.me.button("End turn")
        expect(end).to_be_in_viewport()
        self.press(end)
        expect(end).to_have_count(0)
