"""The first lesson: a game by the rules in which the learner does everything there is to do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lastspike.lessons import lesson_ids, lesson_record
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.records.record import read_record
from lastspike.server.http.routes.lessons import LEARNER, lesson_messages

from .make import FILE, edition, text

TOLD = lesson_messages("first", version="")
MINE = [turn for turn in TOLD["turns"] if turn["seat"] == LEARNER]


def events(turn: dict[str, Any]) -> list[dict[str, Any]]:
    (step,) = turn["news"]["steps"]
    (happening,) = step["happenings"]
    found: list[dict[str, Any]] = happening["events"]
    return found


def test_the_file_is_as_its_script_writes_it() -> None:
    assert FILE.read_text("utf-8") == text(), "run python -m tests.lessons.make"


@pytest.mark.parametrize("name", lesson_ids())
def test_every_lesson_is_a_whole_game_by_the_rules(name: str) -> None:
    record = lesson_record(name)  # replayed, every move and the result checked
    assert record.game.over
    assert record.raw["result"]["winners"] == [LEARNER]
    assert read_record(json.loads(json.dumps(record.raw))).game.moves == record.game.moves


def test_its_figures_are_those_of_the_standard_map() -> None:
    """What is learnt here is true there: only the purse and the places on the sheet differ."""
    whole, cut = shipped(), edition()
    assert [route for route in whole.routes if route in cut.routes] == list(cut.routes)
    for city in cut.cities:
        again = whole.city(city.code)
        assert (city.land, city.payouts, city.names) == (again.land, again.payouts, again.names)
    assert (cut.start, cut.finish) == (whole.start, whole.finish)
    assert cut.last_spike_bonus == whole.last_spike_bonus


@pytest.mark.parametrize(
    ("turn", "wanted"),
    [
        (0, [{"event": "grant_taken", "city": "STL"}]),
        (1, [{"event": "land_bought", "city": "STL"}]),
        (2, [{"event": "track_laid", "double": True}, {"event": "land_bought", "city": "DEN"}]),
        (
            3,
            [
                {"event": "land_sold", "city": "DEN", "amount": 1000},
                {"event": "route_finished", "route": "A"},
                {"event": "payout", "seat": LEARNER, "amount": 18000},
                {"event": "land_bought", "city": "DEN"},
            ],
        ),
        (4, [{"event": "land_bought", "city": "OGD"}]),
        (5, [{"event": "payout", "seat": LEARNER, "amount": 7000}]),
        (6, [{"event": "last_spike", "bonus": 20000}, {"event": "game_over", "winners": [0]}]),
    ],
)
def test_what_the_learner_does(turn: int, wanted: list[dict[str, Any]]) -> None:
    happened = events(MINE[turn])
    for event in wanted:
        assert any(event.items() <= other.items() for other in happened), event


def test_a_route_that_another_finishes_pays_the_learner() -> None:
    assert any(
        event["event"] == "payout" and event["seat"] == LEARNER
        for turn in TOLD["turns"]
        if turn["seat"] != LEARNER
        for event in events(turn)
    )


def test_double_cost_and_selling_can_not_be_avoided() -> None:
    """The hand leaves no other way, so that the learner sees the rule and not a whim."""
    record = lesson_record("first")
    game = Game(record.game.setup, record.game.deal, lambda tiles: tiles)
    legal = {}
    for move in record.game.moves:
        if game.turn == LEARNER and game.position.table.phase == "lay":
            legal[move.text] = [other.text for other in game.legal_moves]
        game.play(move)
    assert {tile[0] + tile[1] for tile in legal["E2"]} == {"B3", "E2", "V3", "Y3"}
    assert legal["A3"] == ["A3"]
    assert "-DEN1" in MINE[3]["moves"]


def test_every_step_of_composing_is_previewed() -> None:
    for turn in MINE:
        assert len(turn["previews"]) == len(turn["moves"])
        last = turn["previews"][-1]
        assert last["turn_over"] or last["table"]["phase"] == "buy"
        for move, before in zip(turn["moves"][1:], turn["previews"], strict=False):
            assert move in before["legal"]


def test_what_others_hold_is_not_told() -> None:
    """The lesson shows what a real table would."""
    views = [TOLD["welcome"]["view"], *(turn["news"]["view"] for turn in TOLD["turns"][:-1])]
    assert all(view["hands"][1:] == [None, None] for view in views)
    drawn = [e for turn in TOLD["turns"] for e in events(turn) if e["event"] == "tile_drawn"]
    assert drawn
    assert all((e["tile"] is None) == (e["seat"] != LEARNER) for e in drawn)
