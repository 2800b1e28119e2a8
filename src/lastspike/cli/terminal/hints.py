"""A hint: the turn that a good computer player would make, and its reasons in words."""

from __future__ import annotations

from lastspike.bots.player import later_in_turn
from lastspike.bots.surveyor import Surveyor
from lastspike.locale.account import Teller
from lastspike.rules.moves import Move
from lastspike.rules.view import View, preview
from lastspike.server.hints import tell_reason

__all__ = ["hint", "tell_reason"]


def hint(teller: Teller, view: View, composed: list[Move]) -> list[str]:
    """What Surveyor would do from here on in the viewer's turn."""
    words = teller.words
    here = later_in_turn(view, composed)
    if preview(view, composed).turn_over:
        return [words.say("There is nothing left to choose in this turn.")]
    surveyor = Surveyor("hint")
    moves = surveyor.turn(here)
    texts = " ".join(move.text for move in moves if move.kind != "pass")
    told = [
        words.say("Surveyor would play {moves}:", moves=texts)
        if texts
        else words.say("Surveyor would buy nothing:"),
        "",
    ]
    for reason in surveyor.reasons(here, moves):
        told += [f"- {sentence}" for sentence in tell_reason(teller, reason)]
    return told
