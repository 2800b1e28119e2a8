"""A seat's information state, observation and private information as text."""

from __future__ import annotations

import json
from typing import Any

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
from lastspike.rules.table import UNKNOWN
from lastspike.rules.view import view_of, view_to_json

from .chance_tree import TreeNode

UNSEEN = "?"


def information_state(node: TreeNode, seat: Seat | None) -> str:
    """The information state, with perfect recall: the dealt hand, then every move and draw that the
    seat (None: a spectator) saw. Everything else follows from these.

    `seat 1 first 2 1<A1.C3.D2.Z4 2 D4 2 +DEN 2<? 0 V1 0<? 1 C3 1<B1`
    """
    open_hands = node.setup.options.hands == "open"
    words = ["spectator" if seat is None else f"seat {seat}"]
    words += [f"first {first}" for first in node.chances[:1]]
    for owner in range(node.setup.players):
        if open_hands or owner == seat:
            words.append(f"{owner}<{'.'.join(_dealt(node, owner))}")
    for event in node.history:
        if isinstance(event, TileDrawn):
            seen = open_hands or event.seat == seat
            words.append(f"{event.seat}<{event.tile if seen else UNSEEN}")
        elif text := _public_text(event):
            words.append(text)
    return " ".join(words)


def observation_text(node: TreeNode, seat: Seat | None) -> str:
    """The observation as text: the seat's (None: a spectator's) view in JSON, without history."""
    if node.position is None:
        return information_state(node, seat)
    view = view_to_json(view_of(node.position, seat, node.history))
    del view["history"], view["legal"]
    return json.dumps(view)


def private_text(node: TreeNode, seat: Seat) -> str:
    """The seat's private information in JSON: its tiles, and its cash if that is hidden. Empty if
    there is none."""
    own: dict[str, Any] = {}
    if node.position is None:
        if node.setup.options.hands == "hidden":
            own["hand"] = _dealt(node, seat)
    else:
        view, public = view_of(node.position, seat), view_of(node.position, None)
        if public.hands[seat] is None:
            own["hand"] = [node.setup.board.codes[tile] for tile in view.hand]
        if public.table.cash[seat] == UNKNOWN:
            own["cash"] = view.table.cash[seat]
    return json.dumps(own) if own.get("hand") or "cash" in own else ""


def _dealt(node: TreeNode, seat: Seat) -> list[str]:
    """The tiles dealt to a seat so far. The order has no meaning."""
    owners = zip(node.owners, node.chances[1:], strict=False)
    return [node.setup.board.codes[t] for t in sorted(t for o, t in owners if o == seat)]


def _public_text(event: Event) -> str:
    """The text of a public event; empty if it follows from others."""
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
