"""Moves: their texts and numbers, and the rule that each refusal names."""

from __future__ import annotations

import pickle

import pytest

from lastspike.rules.board import Board, board_of
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import (
    EditionError,
    IllegalMove,
    LastSpikeError,
    RecordError,
    UnknownMove,
)
from lastspike.rules.position import Position, legal_moves
from lastspike.rules.records import notation
from lastspike.rules.view import Preview, preview, view_of

from .helpers import after, layout, small_map, why_refused

MAPS: list[Edition] = [
    shipped(),
    small_map("A:EST-WST"),
    small_map("Z:A-A1", "B:A1-A11", "M:A11-B"),
]

RICH = layout("A2 D2 E1 Y1", track="A1 Y2 Y3 Y4", land="LAR:.0...", hands={1: "B1"})
BUYING = after(
    layout("A2 D2", cash=(4000, 9000), track="A1", land="OMA:x.... DEN:01111 STL:1.11."), "A2"
)
RAISING = after(layout("B1 A1", cash=(0, 9000), track="C U", land="LAR:.0000 DEN:.0.0."), "B1")
OVER = after(layout("V3 C2", track="A E B Y V1 V2 V4"), "V3")

REFUSALS = [
    pytest.param(OVER, "C2", "E1", "the game is over", id="lay-when-over"),
    pytest.param(OVER, "pass", "E1", "the game is over", id="pass-when-over"),
    pytest.param(OVER, "-DEN1", "E1", "the game is over", id="sell-when-over"),
    pytest.param(RICH, "A1", "L1", "A1 is already laid", id="laid-already"),
    pytest.param(RICH, "B1", "T1", "B1 is not in your hand", id="not-in-hand"),
    pytest.param(
        RICH,
        "D2",
        "L5",
        "you must lay a tile next to a city or track: A2, E1, Y1",
        id="double-cost",
    ),
    pytest.param(
        layout("A1 B1", cash=(1000, 0), land="DEN:.0..."),
        "B1",
        "L4",
        "B1 costs 3000; even by selling land, you can raise only 2000",
        id="not-payable",
    ),
    pytest.param(RICH, "pass", "T1", "lay a tile first", id="pass-before-laying"),
    pytest.param(RICH, "+STL", "T1", "lay a tile first", id="buy-before-laying"),
    pytest.param(
        RICH, "-LAR1", "F1", "you can sell land only to pay for a tile", id="sell-before-choosing"
    ),
    pytest.param(BUYING, "D2", "T1", "you’ve already laid your tile this turn", id="second-tile"),
    pytest.param(
        BUYING, "-DEN1", "F1", "you can sell land only to pay for a tile", id="sell-to-buy"
    ),
    pytest.param(BUYING, "+YUM", "B1", "the free land in YUM hasn’t been taken", id="closed-city"),
    pytest.param(BUYING, "+DEN", "B1", "no land is left in DEN", id="sold-out"),
    pytest.param(BUYING, "+STL", "B1", "STL costs 4000, and you have only 3000", id="too-dear"),
    pytest.param(RAISING, "A1", "F1", "first raise the money for B1", id="other-tile"),
    pytest.param(RAISING, "B1", "F1", "first raise the money for B1", id="same-tile-again"),
    pytest.param(RAISING, "pass", "F1", "first raise the money for B1", id="pass-instead"),
    pytest.param(RAISING, "+STL", "F1", "first raise the money for B1", id="buy-instead"),
    pytest.param(RAISING, "-DEN2", "F4", "you don’t hold DEN2", id="not-held"),
    pytest.param(RAISING, "-LAR1", "F3", "LAR: all its routes are finished", id="finished-city"),
]


@pytest.fixture(params=MAPS, ids=["standard", "one-route", "codes-within-codes"])
def board(request: pytest.FixtureRequest) -> Board:
    return board_of(request.param)


def test_every_text_parses_to_its_move(board: Board) -> None:
    for move in board.moves:
        assert board.parse(str(move)) == move
        assert board.parse(move.text) is move


def test_numbers_are_dense_and_in_code_point_order(board: Board) -> None:
    texts = [move.text for move in board.moves]
    assert [move.number for move in board.moves] == list(range(len(texts)))
    assert texts == sorted(set(texts))


def test_the_standard_map_has_94_moves() -> None:
    # 48 tiles, four priced cards of nine cities, nine cities to buy from, pass.
    kinds = [move.kind for move in board_of(shipped()).moves]
    counts = {kind: kinds.count(kind) for kind in ("lay", "sell", "buy", "pass")}
    assert counts == {"lay": 48, "sell": 36, "buy": 9, "pass": 1}


@pytest.mark.parametrize("text", ["V3", "-DEN2", "+OMA", "pass"])
def test_examples_of_the_rules_are_moves(text: str) -> None:
    assert str(board_of(shipped()).parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "A5", "A0", "a1", "A1 ", " A1", "G1", "A", "1", "A11", "Pass", "PASS", "+", "-"),
        *(
            "+DEN1",
            "-DEN",
            "-DEN5",
            "+XYZ",
            "-XYZ1",
            "DEN2",
            "A1\n",
            "\0",
            "\uff363",
            "−DEN2",
            "+" * 999,
        ),
    ],
)
def test_other_texts_are_unknown_moves(text: str) -> None:
    with pytest.raises(UnknownMove) as refusal:
        board_of(shipped()).parse(text)
    assert refusal.value.rule == ""
    assert len(str(refusal.value)) < 120


def test_selling_a_free_grant_is_unknown_by_F3() -> None:
    with pytest.raises(UnknownMove, match=r"the bank doesn’t buy free land \(F3\)"):
        board_of(shipped()).parse("-DEN0")
    with pytest.raises(UnknownMove, match="isn’t a move in this edition"):
        board_of(shipped()).parse("-XYZ0")


@pytest.mark.parametrize(("position", "text", "rule", "words"), REFUSALS)
def test_illegal_move_names_its_rule_and_changes_nothing(
    position: Position, text: str, rule: str, words: str
) -> None:
    error = why_refused(position, text)
    assert error.rule == rule
    assert words in str(error)
    assert str(error).endswith(f"({rule})")


@pytest.mark.parametrize(("position", "text", "rule", "words"), REFUSALS)
def test_a_preview_refuses_for_the_same_reason(
    position: Position, text: str, rule: str, words: str
) -> None:
    if position is OVER:
        rule, words = "T4", "it’s not your turn"
    view = view_of(position, position.table.turn)
    with pytest.raises(IllegalMove) as refusal:
        preview(view, [position.table.board.parse(text)])
    assert refusal.value.rule == rule
    assert words in str(refusal.value)


def _preview(position: Position, *texts: str) -> Preview:
    moves = [position.table.board.parse(text) for text in texts]
    return preview(view_of(position, position.table.turn), moves)


@pytest.mark.parametrize(
    ("position", "moves", "rule"),
    [
        pytest.param(layout("V3 C2", track="A E B Y V1 V2 V4"), "V3 pass", "E1", id="over"),
        pytest.param(RICH, "A2 pass pass", "T3", id="passed"),
        pytest.param(RICH, "A2 +STL +STL", "T3", id="bought"),
        pytest.param(layout("A1", track="D4"), "A1 +DEN", "B2", id="grant"),
        pytest.param(layout("A2"), "A2 pass", "T6", id="nothing-to-buy"),
    ],
)
def test_a_preview_says_why_the_turn_is_over(position: Position, moves: str, rule: str) -> None:
    before = notation.to_text(position)
    with pytest.raises(IllegalMove) as refusal:
        _preview(position, *moves.split())
    assert refusal.value.rule == rule
    assert notation.to_text(position) == before


@pytest.mark.parametrize("seat", [1, 2, None])
def test_T4_only_the_player_whose_turn_it_is_previews(seat: int | None) -> None:
    view = view_of(RICH, seat)
    assert not view.my_turn
    assert view.legal_moves == []
    with pytest.raises(IllegalMove, match=r"it’s not your turn \(T4\)"):
        preview(view, [])


def test_a_preview_of_nothing_offers_the_legal_moves() -> None:
    seen = _preview(RICH)
    assert list(seen.legal_moves) == legal_moves(RICH)
    assert (seen.events, seen.turn_over, seen.hand) == ((), False, RICH.hand)


def test_a_preview_of_a_raise_and_its_sales() -> None:
    start = layout("B1 A1", cash=(0, 9000), land="DEN:.0.0.")
    seen = _preview(start, "B1", "-DEN3")
    assert seen.table.phase == "raise"
    assert [move.text for move in seen.legal_moves] == ["-DEN1"]
    assert seen.hand == start.hand
    seen = _preview(start, "B1", "-DEN3", "-DEN1")
    assert seen.turn_over
    assert [start.table.board.codes[tile] for tile in seen.hand] == ["A1"]
    assert seen.money(0) == 2000 + 1000 - 3000


def test_errors_fill_their_template() -> None:
    error = IllegalMove("L4", "{tile} costs {cost}", tile="A{1}", cost=5)
    assert str(error) == "A{1} costs 5 (L4)"
    assert (error.template, dict(error.facts)) == (
        "{tile} costs {cost}",
        {"tile": "A{1}", "cost": 5},
    )
    assert str(UnknownMove("", "what")) == "what"
    assert str(EditionError("", "bad")) == "bad"
    assert str(RecordError("", "bad")) == "bad"
    assert str(RecordError("deal", "bad")) == "deal: bad"
    for kind in (EditionError, RecordError, IllegalMove, UnknownMove):
        assert issubclass(kind, LastSpikeError)


@pytest.mark.parametrize(
    "error",
    [
        LastSpikeError("{a}", a=1),
        EditionError("cities", "{a}", a=1),
        RecordError("deal", "{a}", a=1),
        IllegalMove("T1", "{a}", a=1),
        UnknownMove("", "{a}", a=1),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_survives_pickling(error: LastSpikeError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_a_move_survives_pickling() -> None:
    move = board_of(shipped()).parse("-DEN2")
    assert pickle.loads(pickle.dumps(move)) == move
