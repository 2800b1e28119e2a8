"""The quick review: the full review's form, near its figures, from the same game."""

from __future__ import annotations

import json
import math

import pytest

from lastspike.review import quick, review, review_to_json
from lastspike.review.quick import quick_review
from lastspike.rules.editions import figures
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.game import Game
from lastspike.rules.records.record import read_record
from lastspike.rules.records.shuffle import Stream, seed_of_text
from lastspike.rules.table import setup

from .helpers import conformance_games, play_to_the_end, quick_game, recorded


def test_it_has_the_form_of_a_review_without_judged_turns() -> None:
    record = quick_game()
    full = review_to_json(review(record, "full", 300))
    found = json.loads(json.dumps(review_to_json(quick_review(record, "quick"))))
    assert set(found) == set(full)
    assert found["turns"] == []
    for key in ("facts", "result", "edition", "players"):
        assert found[key] == json.loads(json.dumps(full[key]))
    for key in ("chances", "deciding", "luck"):
        assert len(found[key]) == len(full[key])
        assert set(found[key][0]) == set(full[key][0])


@pytest.mark.parametrize("levels", ["clerk surveyor", "clerk surveyor greenhorn clerk"])
def test_chances_and_the_parts_of_luck_add_up(levels: str) -> None:
    found = quick_review(quick_game(levels, "sums"), "sums")
    players = len(levels.split())
    for at in found.chances:
        assert sum(at.chances) == pytest.approx(1)
        assert min(at.chances) >= 0
    assert found.chances[-1].chances[found.result["winners"][0]] == 1
    assert found.chances[-1].error == 0
    for luck in found.luck:
        parts = luck.deal.mean + luck.draws.mean + luck.own_play.mean + luck.others_play.mean
        assert luck.fair + parts == pytest.approx(luck.result)
        assert luck.fair == 1 / players
    assert len(found.deciding) == 3
    assert found.deciding[0].moved >= found.deciding[1].moved


def test_it_agrees_with_the_full_review_within_its_errors() -> None:
    record = quick_game()
    full, found = review(record, "full", 3000), quick_review(record, "quick")
    apart = [
        (one - other) ** 2
        for a, b in zip(full.chances[:-1], found.chances[:-1], strict=True)
        for one, other in zip(a.chances, b.chances, strict=True)
    ]
    error = math.hypot(quick.CHANCE_ERROR, max(at.error for at in full.chances))
    assert math.sqrt(sum(apart) / len(apart)) < 1.3 * error


def test_the_same_seed_gives_the_same_figures_and_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    record = quick_game("surveyor clerk", "two")
    one = quick_review(record, "same", lambda done, total: told.append((done, total)))
    assert one == quick_review(record, "same")
    rounds = quick.NEAR * quick.WORLDS // quick.ROUND
    assert told == [(done, rounds) for done in range(1, rounds + 1)]


def test_without_time_the_net_alone_speaks() -> None:
    told: list[tuple[int, int]] = []
    record = quick_game("surveyor clerk", "two")
    found = quick_review(record, "hurry", lambda done, total: told.append((done, total)), seconds=0)
    assert not told
    assert len(found.chances) == len(quick_review(record, "hurry").chances)
    assert all(sum(at.chances) == pytest.approx(1) for at in found.chances)
    assert found.deciding
    assert found.luck


def test_short_games_and_games_with_bankrupts_have_one() -> None:
    records = [record for _, record in conformance_games()]
    short = [record for record in records if len(record.game.moves) < 12]
    assert min(len(record.game.moves) for record in short) == 0
    for record in short:
        found = quick_review(record, "short")
        assert list(found.result["cash"]) == [account.cash for account in found.facts.accounts]
        assert json.dumps(review_to_json(found))


def test_a_map_without_a_net_has_the_facts_alone() -> None:
    raw = shipped().to_figures()
    raw["id"] = "elsewhere"
    raw["start"], raw["finish"] = "LAR", "ELP"
    game = Game.shuffled(setup(figures.read(raw), 3), Stream(seed_of_text("elsewhere")))
    play_to_the_end(game, ["clerk"] * 3)
    found = quick_review(recorded(game))
    assert (found.chances, found.deciding, found.luck, found.turns) == ((), (), (), ())
    assert found.playouts == 0
    assert [account.cash for account in found.facts.accounts] == list(found.result["cash"])


def test_a_game_that_is_not_over_is_refused() -> None:
    raw = dict(quick_game().raw)
    raw["moves"] = raw["moves"][:10]
    del raw["result"]
    with pytest.raises(LastSpikeError, match="only a game that is over"):
        quick_review(read_record(raw))
