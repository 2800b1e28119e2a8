"""Records: writing and reading them, alone and many in a file, and what reading refuses."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import RecordError
from lastspike.rules.game import Game
from lastspike.rules.records.record import (
    Record,
    Shuffle,
    dump_records,
    read_record,
    read_records,
    result_of,
    to_record,
)
from lastspike.rules.records.shuffle import seed_of_series, seed_of_text
from lastspike.rules.records.trace import trace
from lastspike.rules.table import Options, setup

from .helpers import small_map

Raw = dict[str, Any]
SECRETS = Shuffle(seed_of_text("seed"), ((0, b"a" * 32), (2, b"c" * 32)))
POOR = small_map("A:EST-MID", "B:MID-WST", cash={3: 1000}, hand_size=2)


def play_out(game: Game, moves: int = 1000) -> Game:
    """Always the first legal move, or the last where there is a choice to buy."""
    while not game.over and moves:
        game.play(game.legal_moves[-1])
        moves -= 1
    return game


def finished() -> Raw:
    game = play_out(Game.shuffled(setup(shipped(), 3), SECRETS.stream()))
    return plain(to_record(game, SECRETS))


def with_bankruptcies() -> Raw:
    for number in range(100):
        shuffle = Shuffle(seed_of_series("poor", number))
        game = play_out(Game.shuffled(setup(POOR, 3), shuffle.stream()))
        if len(game.remixed) == 2:
            return plain(to_record(game, shuffle))
    raise AssertionError("nobody went bankrupt")


def plain(record: Raw) -> Raw:
    return json.loads(json.dumps(record))  # type: ignore[no-any-return]


FINISHED = finished()
BANKRUPT = with_bankruptcies()


def read_text(text: str) -> list[Record]:
    return list(read_records(io.StringIO(text)))


def why(text: str) -> str:
    with pytest.raises(RecordError) as refusal:
        read_text(text)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 300
    return str(refusal.value)


@pytest.mark.parametrize("raw", [FINISHED, BANKRUPT], ids=["standard", "bankrupt"])
def test_reading_gives_the_game_that_was_written(raw: Raw) -> None:
    record = read_record(raw)
    assert record.game.over
    assert record.shuffle is not None
    assert plain(to_record(record.game, record.shuffle)) == raw
    assert record.raw == raw


def test_a_record_has_the_keys_of_the_rules() -> None:
    assert list(FINISHED) == [
        *("format", "rules", "edition", "options", "deal", "moves", "remixed", "shuffle", "result"),
    ]
    assert FINISHED["options"] == {"double_cost": "forced", "cash": "open", "hands": "hidden"}
    assert set(FINISHED["result"]) == {"cash", "winners", "ranks", "last_spike", "bankrupt"}


@pytest.mark.parametrize("moves", [0, 1, 20])
def test_an_unfinished_game_has_no_result_and_goes_on(moves: int) -> None:
    options = Options(double_cost="open", cash="hidden", hands="open")
    game = play_out(Game.shuffled(setup(shipped(), 2, options), SECRETS.stream()), moves)
    raw = plain(to_record(game))
    assert "result" not in raw
    record = read_record(raw)
    assert record.game.position == game.position
    assert record.game.setup.options == options
    assert record.game.outcome is None
    assert record.shuffle is None


def test_missing_parts_mean_empty_or_default() -> None:
    raw = FINISHED | {"deal": dict(FINISHED["deal"])}
    del raw["options"], raw["remixed"], raw["result"], raw["shuffle"], raw["deal"]["aside"]
    assert read_record(raw).game.over


def test_keys_of_ones_own_are_kept_and_passed_over() -> None:
    game = Game.shuffled(setup(shipped(), 4), SECRETS.stream())
    record = read_record(plain(to_record(game, names=["Ann", "Bob", "Cy", "Di"])))
    assert record.raw["names"] == ["Ann", "Bob", "Cy", "Di"]
    assert read_record(FINISHED | {"deal": FINISHED["deal"] | {"x": 1}}).game.over


def test_the_order_within_a_hand_carries_no_meaning() -> None:
    deal = FINISHED["deal"]
    turned = FINISHED | {"deal": deal | {"hands": [hand[::-1] for hand in deal["hands"]]}}
    assert read_record(turned).game.deal == read_record(FINISHED).game.deal


def test_an_edition_that_is_not_shipped_is_carried_whole() -> None:
    assert BANKRUPT["figures"]["id"] == "small"
    assert "figures" not in FINISHED


def test_figures_win_over_the_edition_and_a_changed_shipped_one_is_carried() -> None:
    game = Game.shuffled(setup(small_map("A:EST-WST", id="columbia-2015"), 2), SECRETS.stream())
    raw = plain(to_record(game))
    assert raw["edition"] == "columbia-2015"
    assert raw["figures"]["start"] == "EST"
    assert read_record(raw).game.setup.edition.start == "EST"


def test_the_trace_begins_with_the_deal_and_ends_with_the_end() -> None:
    lines = list(trace(read_record(FINISHED).game))
    assert len(lines) == len(FINISHED["moves"]) + 1
    assert (lines[0]["move"], lines[0]["seat"]) == (None, None)
    assert (lines[-1]["phase"], lines[-1]["turn"], lines[-1]["legal"]) == ("over", None, [])


def test_result_of_a_game() -> None:
    outcome = read_record(FINISHED).game.outcome
    assert outcome is not None
    assert outcome.reason == "last spike"
    assert result_of(outcome) == FINISHED["result"]


def _set(path: str, value: object) -> Callable[[Raw], None]:
    def change(raw: Raw) -> None:
        *steps, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
        here: Any = raw
        for step in steps:
            here = here[step]
        here[last] = value

    return change


def _drop(path: str) -> Callable[[Raw], None]:
    def change(raw: Raw) -> None:
        *steps, last = path.split(".")
        here: Any = raw
        for step in steps:
            here = here[step]
        del here[last]

    return change


BAD: list[tuple[Raw, Callable[[Raw], None], str]] = [
    (FINISHED, _drop("format"), "format: expected lastspike/1, found None"),
    (FINISHED, _drop("rules"), "rules: missing"),
    (FINISHED, _set("rules", True), "rules: expected a whole number, found True"),
    (FINISHED, _set("rules", 0), "rules: expected 1 or more, found 0"),
    (FINISHED, _set("rules", 1.0), "rules: expected a whole number, found 1.0"),
    (FINISHED, _drop("edition"), "edition: missing"),
    (FINISHED, _set("edition", 5), "edition: expected a string, found 5"),
    (FINISHED, _set("figures", None), "figures: expected keys and values, found None"),
    (BANKRUPT, _set("figures.hand_size", 0), "figures.hand_size: expected a whole number"),
    (FINISHED, _set("options", None), "options: expected keys and values, found None"),
    (FINISHED, _set("options.cash", "shut"), "option cash: expected open or hidden, found 'shut'"),
    (FINISHED, _set("options.hands", 3), "option hands: expected hidden or open, found 3"),
    (FINISHED, _drop("deal"), "deal: missing"),
    (FINISHED, _drop("deal.hands"), "deal.hands: missing"),
    (FINISHED, _set("deal.hands", {}), "deal.hands: expected a list"),
    (FINISHED, _set("deal.hands.1", "A1"), "deal.hands.2: expected a list, found 'A1'"),
    (FINISHED, _set("deal.hands.1.0", "a1"), "deal.hands.2.1: not a tile: 'a1'"),
    (FINISHED, _set("deal.hands.1.0", 1), "deal.hands.2.1: not a tile: 1"),
    (FINISHED, _drop("deal.pool"), "deal.pool: missing"),
    (FINISHED, _set("deal.pool", None), "deal.pool: expected a list, found None"),
    (FINISHED, _drop("deal.first"), "deal.first: missing"),
    (FINISHED, _set("deal.first", -1), "deal.first: expected a seat from 0 to 2, found -1"),
    (FINISHED, _set("deal.first", False), "deal.first: expected a whole number, found False"),
    (FINISHED, _set("deal.aside", ["A1"]), "deal.aside: expected this many tiles: 0; found 1"),
    (FINISHED, _set("deal.aside", None), "deal.aside: expected a list, found None"),
    (FINISHED, _drop("moves"), "moves: missing"),
    (FINISHED, _set("moves", "A1"), "moves: expected a list, found 'A1'"),
    (FINISHED, _set("moves.0", "-DEN0"), "moves.1: '-DEN0': the bank doesn’t buy free land"),
    (FINISHED, _set("remixed", None), "remixed: expected a list, found None"),
    (FINISHED, _set("remixed", [3]), "remixed.1: expected a list, found 3"),
    (FINISHED, _set("remixed", [["A9"]]), "remixed.1.1: not a tile: 'A9'"),
    (
        BANKRUPT,
        lambda raw: raw["remixed"].append([]),
        "remixed.3: one too many; the number of bankruptcies is 2",
    ),
    (BANKRUPT, lambda raw: raw["remixed"].pop(), "remixed.2: missing"),
    (BANKRUPT, lambda raw: raw["remixed"][0].pop(), "remixed.1: expected exactly the tiles"),
    (FINISHED, _set("result", None), "result: expected keys and values, found None"),
    (FINISHED, _set("result.last_spike", False), "result.last_spike: the record says false"),
    (FINISHED, _set("result.bankrupt", [0]), "result.bankrupt: the record says [0]"),
    (FINISHED, _set("shuffle", []), "shuffle: expected keys and values"),
    (FINISHED, _set("shuffle.seed", "00"), "shuffle.seed: expected 64 hexadecimal digits"),
    (FINISHED, _set("shuffle.seed", "G" * 64), "shuffle.seed: expected 64 hexadecimal digits"),
    (FINISHED, _drop("shuffle.seed"), "shuffle.seed: expected 64 hexadecimal digits, found None"),
    (FINISHED, _drop("shuffle.commitment"), "shuffle.commitment: expected 64 hexadecimal digits"),
    (FINISHED, _set("shuffle.commitment", "0" * 64), "this isn’t the seed’s SHA-256 fingerprint"),
    (FINISHED, _drop("shuffle.contributions"), "shuffle.contributions: missing"),
    (FINISHED, _set("shuffle.contributions", []), "don’t produce this deal"),
    (FINISHED, _set("shuffle.contributions.0", 1), "contributions.1: expected a seat and a secret"),
    (
        FINISHED,
        _set("shuffle.contributions.0", []),
        "expected a seat and a secret, found […] (0)",
    ),
    (FINISHED, _set("shuffle.contributions.0.0", 3), "contributions.1: no such seat: 3"),
    (FINISHED, _set("shuffle.contributions.0.0", True), "contributions.1: no such seat: True"),
    (FINISHED, _set("shuffle.contributions.0.1", "x"), "contributions.1: expected 64 hexadecimal"),
    (FINISHED, _set("shuffle.contributions.0.0", 2), "expected one per seat, in seat order"),
    (FINISHED, _set("shuffle.stopped", {}), "shuffle.stopped: expected a list"),
    (FINISHED, _set("shuffle.stopped", [1]), "shuffle.stopped.1: expected keys and values"),
    (FINISHED, _set("shuffle.stopped", [{"round": 1, "silent": []}]), "stopped.1.left: missing"),
    (
        FINISHED,
        _set("shuffle.stopped", [{"round": 1, "silent": [9], "left": []}]),
        "shuffle.stopped.1.silent: no such seat: 9",
    ),
    (
        FINISHED,
        lambda raw: raw["shuffle"]["contributions"].reverse(),
        "expected one per seat, in seat order",
    ),
]


@pytest.mark.parametrize(("base", "change", "words"), BAD, ids=[words for _, _, words in BAD])
def test_what_is_wrong_is_refused_where_it_is(
    base: Raw, change: Callable[[Raw], None], words: str
) -> None:
    raw = plain(base)
    change(raw)
    assert words in why(json.dumps(raw))


def test_a_remix_that_the_shuffle_does_not_give_is_refused() -> None:
    raw = plain(BANKRUPT)
    del raw["result"], raw["moves"]
    refusals = set()
    for length in range(len(BANKRUPT["moves"]) + 1):
        raw["moves"] = BANKRUPT["moves"][:length]
        for order in (0, 1):
            raw["remixed"] = plain(BANKRUPT)["remixed"][: order + 1]
            raw["remixed"][order].reverse()
            try:
                read_record(raw)
            except RecordError as error:
                refusals.add(str(error))
    assert "remixed.1: the seed and the contributions don’t produce this order" in refusals


def test_many_records_stand_one_a_line() -> None:
    text = "\n".join(dump_records([FINISHED, BANKRUPT, FINISHED]))
    assert len(text.splitlines()) == 3
    assert [record.game.setup.edition.id for record in read_text(text + "\n\n")] == [
        "columbia-2015",
        "small",
        "columbia-2015",
    ]


def test_one_record_may_take_many_lines() -> None:
    (record,) = read_text("\n\n" + json.dumps(FINISHED, indent=2))
    assert record.game.over


def test_a_byte_order_mark_is_passed_over() -> None:
    (record,) = read_text("\ufeff" + json.dumps(FINISHED))
    assert record.game.over


def test_records_are_read_as_they_come() -> None:
    text = "\n".join([json.dumps(FINISHED), json.dumps(BANKRUPT), "{"])
    records = read_records(io.StringIO(text))
    assert next(records).game.over
    assert next(records).game.over
    with pytest.raises(RecordError, match="line 3, column 2: not JSON, or cut off"):
        next(records)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "the file is empty"),
        (["", "  "], "the file is empty"),
        (["{}", "{}"], "line 1 format: expected lastspike/1"),
        (["", "", "{}", "", "{}"], "line 3 format: expected lastspike/1"),
        (["GOOD", "", "{}"], "line 3 format: expected lastspike/1"),
        (["GOOD", "{}", "GOOD"], "line 2 format: expected lastspike/1"),
        (["GOOD", "[1]"], "line 2: expected a record, found […] (1)"),
        (["GOOD", "nonsense"], "line 2, column 1: not JSON"),
        (["", "{", '"a": 1,', "}"], "line 4, column 1: not JSON, or cut off"),
        (['{"a": 1, "a": 2}'], "line 1: not JSON: a key appears twice in the same object"),
        (['{"rules": NaN}'], "line 1: not JSON: NaN is not a number"),
        (['{"rules": -Infinity}'], "line 1: not JSON: -Infinity is not a number"),
        (['{"rules": ' + "9" * 5000 + "}"], "line 1: not JSON: Exceeds the limit"),
        (["[" * 100_000], "line 1: nested too deep"),
        (["null"], "expected a record, found None"),
    ],
)
def test_a_refusal_says_in_which_line(lines: list[str], words: str) -> None:
    good = json.dumps(FINISHED)
    assert words in why("\n".join(good if line == "GOOD" else line for line in lines))


def test_what_is_no_text_is_refused() -> None:
    file = io.TextIOWrapper(io.BytesIO(b"\xff\xfe{}"), encoding="utf-8")
    with pytest.raises(RecordError, match="not a UTF-8 text file"):
        list(read_records(file))


def test_a_result_that_json_cannot_write_is_refused() -> None:
    raw = FINISHED | {"result": FINISHED["result"] | {"cash": [10**5000]}}
    with pytest.raises(RecordError, match=r"result.cash: the record says \[…\] \(1\)"):
        read_record(raw)


@pytest.mark.parametrize("depth", range(800, 1000, 4))
def test_a_result_nested_as_deep_as_json_reads_is_refused(depth: int) -> None:
    raw = FINISHED | {"result": FINISHED["result"] | {"cash": "DEEP"}}
    why(json.dumps(raw).replace('"DEEP"', "[" * depth + "]" * depth))
