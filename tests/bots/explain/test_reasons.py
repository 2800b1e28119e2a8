"""Reasons: facts that are true of the position, and words for each in every language."""

from __future__ import annotations

from typing import get_args

import pytest

from lastspike.bots.explain import reasons
from lastspike.bots.levels import make_player
from lastspike.bots.speculator import Speculator
from lastspike.bots.surveyor import Surveyor
from lastspike.cli.play.terminal.hints import hint
from lastspike.languages import LANGUAGES
from lastspike.rules import Game, Position, Stream, seed_of_text, setup, shipped, view_of
from lastspike.rules.events import FirstPlayer
from lastspike.words.events import Teller
from lastspike.words.hints import tell_reason
from lastspike.words.language import words_for
from tests.bots.test_sensible import WORKED
from tests.rules.helpers import layout
from tests.sizes import SOAK

SAMPLES: list[reasons.Reason] = [
    reasons.OnlyMove(),
    reasons.WinsNow(12_000),
    reasons.WinsNow(0),
    reasons.WinsNow(-5_000),
    reasons.WouldLose("V3", 1, 5_000),
    reasons.PaidNow("V", 12_000, 7_000),
    reasons.FreeGrant("OMA", 14_000),
    reasons.RouteLikelier("A", 40, 62),
    reasons.Cheapest(1_000),
    reasons.GoodLand("DEN", 2_000, 13_000),
    reasons.DeniesLand("DEN", 2),
    reasons.KeepsCash(9_000),
    reasons.MoneyLeft(17_000),
    reasons.SellsLeast("OMA2", 3_000),
    reasons.WantsTheEnd(1),
    reasons.FearsTheEnd(3),
    reasons.KeepsSpike("V3"),
    reasons.WinChance(61, 48),
    reasons.WinChance(22, 22),
]


def why(position: Position) -> tuple[reasons.Reason, ...]:
    view = view_of(position, position.table.turn, [FirstPlayer(0)])
    surveyor = Surveyor("why")
    return surveyor.reasons(view, surveyor.turn(view))


def test_every_kind_has_a_sample() -> None:
    assert {type(sample) for sample in SAMPLES} == set(get_args(reasons.Reason))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", SAMPLES, ids=lambda reason: type(reason).__name__)
def test_every_reason_has_words(reason: reasons.Reason, language: str) -> None:
    teller = Teller(shipped(), ["Ada", "Bo", "Cy"], words_for(language))
    (sentence,) = tell_reason(teller, reason)
    assert "{" not in sentence
    assert sentence.endswith((".", "。"))


def test_a_winning_last_spike_says_by_how_much() -> None:
    position = layout("C1 V3", track=WORKED, cash=(30_000, 35_000, 40_000))
    assert why(position)[0] == reasons.WinsNow(30_000 - 3_000 + 20_000 - 40_000)


@pytest.mark.parametrize(
    ("ahead", "yours", "theirs"),
    [
        (5_000, "and you win by $5,000.", "and Ada wins by $5,000."),
        (0, "and you’re tied for the most cash.", "and Ada is tied for the most cash."),
        (-5_000, "but you lose by $5,000.", "but Ada loses by $5,000."),
    ],
)
def test_a_last_spike_wins_or_loses(ahead: int, yours: str, theirs: str) -> None:
    teller = Teller(shipped(), ["Ada", "Bo"], words_for("en"))
    assert [*tell_reason(teller, reasons.WinsNow(ahead))] == [f"It’s the last spike, {yours}"]
    told = tell_reason(teller, reasons.WinsNow(ahead), "Ada")
    assert [*told] == [f"It’s the last spike, {theirs}"]


def test_a_losing_last_spike_says_who_would_win() -> None:
    position = layout("C1 V3", track=WORKED, cash=(10_000, 60_000, 40_000))
    assert reasons.WouldLose("V3", 1, 60_000 - 27_000) in why(position)


def test_a_finished_route_says_whom_it_pays() -> None:
    position = layout(
        "A4 V2", track="A1 A2 A3 D1 V1", land="STL:001.. OMA:2....", cash=(20_000,) * 3
    )
    assert reasons.PaidNow("A", 18_000, 9_000 + 6_000) in why(position)


def test_a_free_grant_names_its_city() -> None:
    position = layout("A1 V2", track="V1", cash=(40_000,) * 3)
    assert any(
        isinstance(reason, reasons.FreeGrant) and reason.city == "STL" for reason in why(position)
    )


def test_the_only_tile_is_called_that() -> None:
    assert why(layout("V2", track="V1"))[0] == reasons.OnlyMove()


def test_the_end_is_not_spoken_of_where_the_tile_leaves_it_as_far() -> None:
    position = layout("C1", track="A E B Y F X V1 V4", cash=(60_000, 20_000, 20_000))
    kinds = {type(reason) for reason in why(position)}
    assert not kinds & {reasons.WantsTheEnd, reasons.FearsTheEnd}


def test_bringing_the_end_nearer_while_ahead_is_said() -> None:
    position = layout("V3", track="A E B Y F X V1 V4", cash=(60_000, 20_000, 20_000))
    assert reasons.WantsTheEnd(1) in why(position)


def test_who_is_ahead_is_told_after_the_payouts_of_the_turn() -> None:
    """E3 finishes E and pays the others, who are ahead then."""
    track, land = "A B Y V1 V2 V4 E1 E2 E4", "DEN:.111. DOD:.111."
    before = layout("E3", track=track, cash=(60_000, 50_000, 20_000))
    after = layout("E3", track=track, cash=(60_000, 50_000, 20_000), land=land)
    assert reasons.WantsTheEnd in {type(reason) for reason in why(before)}
    assert reasons.WantsTheEnd not in {type(reason) for reason in why(after)}


def test_keeping_the_last_spike_is_said() -> None:
    position = layout("C1 V3", track=WORKED, cash=(10_000, 60_000, 40_000))
    assert reasons.KeepsSpike("V3") in why(position)


def test_a_tile_costs_least_only_if_no_other_costs_as_little() -> None:
    same = why(layout("A2 B2", track="A1 B1"))
    assert not any(isinstance(reason, reasons.Cheapest) for reason in same)
    dearer = why(layout("A2 V2", track="A1 V1"))
    assert reasons.Cheapest(1_000) in dearer


def test_speculator_says_how_often_it_won() -> None:
    game = Game.shuffled(setup(shipped(), 4), Stream(seed_of_text("why")))
    for _ in range(12):
        assert game.turn is not None
        for move in make_player("surveyor", "x").turn(game.view(game.turn)):
            game.play(move)
    assert game.turn is not None
    view = game.view(game.turn)
    player = Speculator("why", playouts=40)
    told = player.reasons(view, player.turn(view))
    chance = next(reason for reason in told if isinstance(reason, reasons.WinChance))
    assert 0 <= chance.next_best <= 100
    assert 0 <= chance.percent <= 100


@pytest.mark.soak
def test_a_hint_is_given_in_every_position_of_a_game_in_the_languages_by_turns() -> None:
    """In a third of the positions, and in the soak in all."""
    game = Game.shuffled(setup(shipped(), 3), Stream(seed_of_text("hints")))
    tellers = [Teller(shipped(), ["Ada", "Bo", "Cy"], words_for(each)) for each in LANGUAGES]
    while game.turn is not None:
        view = game.view(game.turn)
        if not SOAK and len(game.moves) % 3:
            game.play(make_player("clerk", str(len(game.moves))).choose(view))
            continue
        told = hint(tellers[len(game.moves) % len(tellers)], view, [])
        assert len(told) > 2
        assert not any("{" in line for line in told)
        game.play(make_player("clerk", str(len(game.moves))).choose(view))
