"""What a seat knows, as text: all that it has seen so far, and what it sees now."""

from __future__ import annotations

import json

from lastspike.rules.board import Seat
from lastspike.rules.events import (
    Bankruptcy,
    Event,
    LandBought,
    LandSold,
    NothingBought,
    TileChosen,
    TileDrawn,
    TrackLaid,
    TurnSkipped,
)
from lastspike.rules.moves import PASS_TEXT, buy_text, lay_text, sell_text
from lastspike.rules.view import view_of, view_to_json

from .course import Course

UNSEEN = "?"


def information(course: Course, seat: Seat) -> str:
    """The information state, with perfect recall: the hand that was dealt, then step for step what
    everybody did and drew, as far as the seat saw it. What else happened follows from that.

    `seat 1 first 2 1<A1.C3.D2.Z4 2 D4 2 +DEN 2<? 0 V1 0<? 1 C3 1<B1`
    """
    open_hands = course.setup.options.hands == "open"
    words = [f"seat {seat}", *(f"first {first}" for first in course.chances[:1])]
    seen_hands = range(course.setup.players) if open_hands else [seat]
    words += [f"{owner}<{_dealt(course, owner)}" for owner in seen_hands]
    for event in course.history:
        if isinstance(event, TileDrawn):
            seen = open_hands or event.seat == seat
            words.append(f"{event.seat}<{event.tile if seen else UNSEEN}")
        elif told := _told(event):
            words.append(told)
    return " ".join(words)


def seen_now(course: Course, seat: Seat) -> str:
    """The observation as text: the seat's view in JSON, without what happened before."""
    if course.position is None:
        return information(course, seat)
    view = view_to_json(view_of(course.position, seat, course.history))
    del view["history"], view["legal"]
    return json.dumps(view)


def _dealt(course: Course, seat: Seat) -> str:
    """A hand as it was dealt, or as far as it is. The order has no meaning."""
    owners = zip(course.owners, course.chances[1:], strict=False)
    return ".".join(course.setup.board.codes[t] for t in sorted(t for o, t in owners if o == seat))


def _told(event: Event) -> str:
    """What everybody sees, by moves and what is no move; nothing for what follows from them."""
    match event:
        case TileChosen() | TrackLaid():
            return f"{event.seat} {lay_text(event.tile)}"
        case LandSold():
            return f"{event.seat} {sell_text(event.city, event.rank)}"
        case LandBought():
            return f"{event.seat} {buy_text(event.city)}"
        case NothingBought():
            return f"{event.seat} {PASS_TEXT}"
        case Bankruptcy():
            return f"{event.seat} bankrupt"
        case TurnSkipped():
            return f"{event.seat} skipped"
        case _:
            return ""
