"""A hint in the terminal: Tycoon's turn, and its reasons in words."""

from __future__ import annotations

from lastspike.bots.levels import judge_of_turns
from lastspike.bots.player import later_in_turn
from lastspike.rules.moves import Move
from lastspike.rules.view import View, preview, without_others_cash
from lastspike.words.events import Teller
from lastspike.words.hints import may_be_told, tell_reason


def hint(teller: Teller, view: View, composed: list[Move]) -> list[str]:
    """What Tycoon would do in the rest of the viewer's turn."""
    words = teller.words
    here = later_in_turn(without_others_cash(view), composed)
    if preview(view, composed).turn_over:
        return [words.say("There’s nothing left to decide this turn.")]
    tycoon = judge_of_turns()
    moves = tycoon.turn(here)
    texts = " ".join(move.text for move in moves if move.kind != "pass")
    heading = words.say("Tycoon would buy nothing:")
    if texts:
        heading = words.say("Tycoon would play {moves}:", moves=texts)
    shown = [reason for reason in tycoon.reasons(here, moves) if may_be_told(reason, view)]
    return [heading, "", *(f"- {line}" for reason in shown for line in tell_reason(teller, reason))]
