"""Whole reviews: the same for the same seed, alike for others, and told as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

import pytest

from lastspike.bots.tycoon.player import USUAL
from lastspike.review import PLAYOUTS, Review, review, review_to_json
from lastspike.review.budget import split
from lastspike.review.estimates import Estimate, estimate
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.records.record import read_record
from tests.rules.helpers import SOAK

from .helpers import conformance_games, quick_game, recorded


def differences(one: Review, other: Review) -> Iterator[float]:
    """Every difference of two reviews of a game, in its stated errors."""
    for a, b in zip(one.turns, other.turns, strict=True):
        if not a.judgement.forced and a.judgement.other == b.judgement.other:
            yield _apart(a.judgement.lead, b.judgement.lead)
    for first, second in zip(one.chances[:-1], other.chances[:-1], strict=True):
        for seat, chance in enumerate(first.chances):
            errors = math.hypot(first.error, second.error)
            yield (chance - second.chances[seat]) / errors
    for mine, theirs in zip(one.luck, other.luck, strict=True):
        for part in ("deal", "draws", "own_draws", "luck", "own_play", "others_play"):
            yield _apart(getattr(mine, part), getattr(theirs, part))


def _apart(one: Estimate, other: Estimate) -> float:
    errors = math.hypot(one.error, other.error)
    return (one.mean - other.mean) / errors if errors else one.mean - other.mean


def contradictions(one: Review, other: Review) -> list[int]:
    """Turns for which one review tells a loss that the other speaks against."""
    return [
        a.number
        for a, b in zip(one.turns, other.turns, strict=True)
        if (loss := a.judgement.loss) is not None and _apart(loss, b.judgement.lead) > 3
    ]


def check_agreement(one: Review, other: Review) -> None:
    found = list(differences(one, other))
    assert max(map(abs, found)) < 4.5
    assert math.sqrt(sum(value**2 for value in found) / len(found)) < 1.3
    assert not contradictions(one, other)
    assert not contradictions(other, one)


def test_two_seeds_agree_within_their_errors() -> None:
    one, other = (review(quick_game(), seed, 1200) for seed in ("one", "other"))
    assert one.chances != other.chances
    check_agreement(one, other)


@pytest.mark.soak
@pytest.mark.skipif(not SOAK, reason="the full figures take long: make soak")
@pytest.mark.parametrize(
    "levels",
    [
        "surveyor clerk surveyor clerk",
        "speculator:40 surveyor clerk greenhorn",
        "clerk surveyor",
        "surveyor surveyor clerk",
        "clerk surveyor clerk surveyor clerk surveyor",
    ],
)
def test_two_seeds_agree_at_full_size(levels: str) -> None:
    record = quick_game(levels, "soak")
    check_agreement(*(review(record, seed, PLAYOUTS) for seed in ("one", "other")))


def test_the_same_seed_gives_the_same_review_and_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    record = quick_game("surveyor clerk", "two")
    one = review(record, "same", 400, lambda done, total: told.append((done, total)))
    assert one == review(record, "same", 400)
    assert told[-1] == (400, 400)
    assert told == sorted(told)
    assert len(told) > 40


def test_what_progress_raises_ends_the_review() -> None:
    def tired(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        review(quick_game(), "tired", 400, tired)


@pytest.mark.soak
def test_no_loss_is_told_below_twice_its_error() -> None:
    playouts = 2000 if SOAK else 1200
    reviewed = review(quick_game("greenhorn greenhorn greenhorn", "losses"), "losses", playouts)
    losses = [turn.judgement for turn in reviewed.turns if turn.judgement.loss]
    assert losses
    for judgement in losses:
        assert judgement.loss == judgement.lead
        assert judgement.lead.mean >= 2 * judgement.lead.error > 0


def test_a_review_is_json_of_codes_and_amounts() -> None:
    reviewed = review(quick_game("surveyor clerk", "two"), "json", 400)
    raw = json.loads(json.dumps(review_to_json(reviewed)))
    assert raw["result"] == quick_game("surveyor clerk", "two").raw["result"]
    reasons = [reason for turn in raw["turns"] for reason in turn["judgement"]["reasons"]]
    assert {"money_left", "good_land"} <= {reason["reason"] for reason in reasons}
    assert raw["facts"]["standings"][0]["turn"] == 0
    assert set(raw["turns"][0]["judgement"]["lead"]) == {"mean", "error"}


def test_games_with_bankrupts_and_games_without_a_turn_can_be_reviewed() -> None:
    short = [record for _, record in conformance_games() if len(record.game.moves) < 12]
    assert min(len(record.game.moves) for record in short) == 0
    assert any(record.game.position.table.bankrupt for record in short)
    for record in short:
        reviewed = review(record, "short", 100)
        assert list(reviewed.result["cash"]) == [a.cash for a in reviewed.facts.accounts]
        assert json.dumps(review_to_json(reviewed))


def test_a_game_that_is_not_over_is_refused() -> None:
    raw = dict(quick_game().raw)
    raw["moves"] = raw["moves"][:10]
    del raw["result"]
    with pytest.raises(LastSpikeError, match="only a game that is over"):
        review(read_record(raw))
    assert recorded(read_record(raw).game).game.moves


def test_a_budget_is_kept() -> None:
    for playouts in (5_000, 40_000):
        budget = split(playouts, 45, 40)
        spent = 2 * budget.chances * 45 + budget.cost * 40
        assert 0.9 * playouts < spent <= playouts
    assert split(PLAYOUTS, 48, 48).hint == USUAL.worlds  # what a hint looks at


def test_an_error_is_never_nothing() -> None:
    assert estimate([1.0] * 10).error > 0.05
    assert estimate([0.0, 1.0] * 50).error == pytest.approx(0.05, rel=0.05)
    assert not estimate([]).clear
    assert Estimate(0.2, 0.1).clear
    assert not Estimate(0.19, 0.1).clear
    assert not Estimate(0.0, 0.0).clear
