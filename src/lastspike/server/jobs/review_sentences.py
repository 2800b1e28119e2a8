"""A review as JSON, with its reasons as sentences in every language."""

from __future__ import annotations

from typing import Any

from lastspike.bots.explain.reasons import Reason
from lastspike.languages import LANGUAGES
from lastspike.review import Review, review_to_json
from lastspike.rules.records.record import Record
from lastspike.words.events import Teller
from lastspike.words.hints import tell_reason
from lastspike.words.language import words_for


def review_with_sentences(found: Review, record: Record, names: list[str]) -> dict[str, Any]:
    """The reasons for a better turn: `words` to the player whose turn it was, `about` for everybody
    else."""
    result = review_to_json(found)
    edition = record.game.setup.edition
    tellers = {language: Teller(edition, names, words_for(language)) for language in LANGUAGES}
    for turn, raw in zip(found.turns, result["turns"], strict=True):
        if turn.judgement.loss is not None:
            reasons = turn.judgement.reasons
            for key, player in (("words", None), ("about", names[turn.seat])):
                raw[key] = {
                    language: _sentences(teller, reasons, player)
                    for language, teller in tellers.items()
                }
    return result


def _sentences(teller: Teller, reasons: tuple[Reason, ...], player: str | None) -> list[str]:
    return [line for reason in reasons for line in tell_reason(teller, reason, player)]
