"""The one-line text of a position: it reads well, round-trips, and refuses the impossible."""

from __future__ import annotations

import pytest

from lastspike.rules.errors import LastSpikeError, PositionError
from lastspike.rules.hidden import Hidden
from lastspike.rules.position import Position
from lastspike.rules.records import notation
from lastspike.rules.table import Options, Table, read_options

from .helpers import after, layout, small_map

LAYING = layout(
    "B2 C3", cash=(9000, 0, 7000), track="A1", land="STL:2.0..", hands={2: "D1"}, bankrupt="1"
)
RAISING = after(layout("V1 A1", cash=(1000, 0), land="DEN:.0.0."), "V1")
BUYING = after(layout("A2 B1", track="A1", double_cost="open"), "A2")
OVER = after(layout("V3 C2", track="A E B Y V1 V2 V4"), "V3")
SMALL = small_map("A:EST-WST", set_aside={2: 1})

TEXT = notation.to_text(LAYING)


def test_it_reads_well() -> None:
    empty = ",".join(f"{city}:....." for city in ["DEN", "DOD", "ELP", "LAR", "OGD", "OMA", "SAC"])
    land = f"{empty},STL:2.0..,YUM:....."
    assert TEXT.split(" ")[:13] == [
        "edition=columbia-2015",
        "double_cost=forced",
        "cash=open",
        "hands=hidden",
        "phase=lay",
        "turn=0",
        "chosen=-",
        "purses=9000,0,7000",
        "track=A1",
        f"land={land}",
        "bankrupt=1",
        "spike=-",
        "tiles=B2.C3/-/D1",
    ]


@pytest.mark.parametrize(
    "position", [LAYING, RAISING, BUYING, OVER], ids=["lay", "raise", "buy", "over"]
)
def test_it_round_trips(position: Position) -> None:
    text = notation.to_text(position)
    assert "\n" not in text
    assert notation.from_text(text) == position
    assert notation.to_text(notation.from_text(text)) == text


def test_an_edition_that_is_not_shipped_has_to_be_given() -> None:
    position = layout("A1 A2", cash=(0, 1000), turn=1, edition=SMALL)
    text = notation.to_text(position)
    assert notation.from_text(text, SMALL) == position
    with pytest.raises(PositionError, match="there is no edition called 'small'"):
        notation.from_text(text)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("edition=", "editions=", "expected the fields edition double_cost"),
        (" phase=lay", "", "expected the fields"),
        ("phase=lay", "phase=lay phase=lay", "expected the fields"),
        ("edition=columbia-2015", "edition=nowhere", "there is no edition called 'nowhere'"),
        ("double_cost=forced", "double_cost=no", "option double_cost: expected forced or open"),
        ("cash=open", "cash=shut", "option cash: expected open or hidden"),
        ("hands=hidden", "hands=", "option hands: expected hidden or open"),
        ("phase=lay", "phase=rest", "phase: expected one of lay, raise, buy, over, found 'rest'"),
        ("turn=0", "turn=3", "turn: expected a number from 0 to 2, found '3'"),
        ("turn=0", "turn=-1", "turn: expected a number"),
        ("turn=0", "turn=\u0660", "turn: expected a number"),
        ("turn=0", "turn=1", "the player whose turn it is has no legal move"),
        ("turn=0", "turn=", "turn: expected a number"),
        ("turn=0", "turn=" + "9" * 9999, "turn: expected a number"),
        ("chosen=-", "chosen=Q1", "chosen: expected a tile, found 'Q1'"),
        ("chosen=-", "chosen=B2", "a tile is chosen in the raise phase, and only then"),
        ("phase=lay", "phase=raise", "a tile is chosen in the raise phase, and only then"),
        ("phase=lay turn=0 chosen=-", "phase=raise turn=0 chosen=D1", "in the hand of the player"),
        ("purses=9000,0,7000", "purses=9000", "is for 2, 3, 4, 5, 6 players, not for 1"),
        ("purses=9000,0,7000", "purses=9000,0", "expected a number from 0 to 1, found '2'"),
        ("purses=9000", "purses=x", "purses: expected a number"),
        ("purses=9000", "purses=-5", "purses: expected a number"),
        (
            "phase=lay",
            "phase=over",
            "over after the last spike, with one player left or with no tiles left",
        ),
        ("phase=lay turn=0 chosen=-", "phase=raise turn=0 chosen=B2", "cash must be less"),
        ("purses=9000,0", "purses=9000,1000", "a bankrupt player has no cash, land or tiles"),
        ("track=A1", "track=A9", "track: expected a tile, found 'A9'"),
        ("turn=0", "turn=00", "turn: expected 0, found '00'"),
        ("purses=9000", "purses=9500", "purses: expected multiples of 1000"),
        ("track=A1", "track=A1.A1", "track: expected each tile once, found 'A1.A1'"),
        (
            "track=A1",
            "track=-",
            "must appear exactly once: on the board, in a hand, in the pool or set aside",
        ),
        ("track=A1", "track=A1.B2", "every tile must appear exactly once"),
        ("STL:2.0..", "STL:2.1..", "a bankrupt player has no cash, land or tiles"),
        ("STL:2.0..", "STL:2.x..", "only free land can leave the game"),
        ("STL:2.0..", "STL:2.9..", "land: expected a number from 0 to 2, found '9'"),
        ("STL:2.0..", "STL:2.0...", "expected five places for each city"),
        ("STL:2.0..", "STX:2.0..", "land: expected the cities DEN DOD"),
        ("land=DEN:.....,", "land=", "land: expected the cities DEN DOD"),
        ("bankrupt=1", "bankrupt=1,1", "bankrupt: a seat appears twice"),
        ("bankrupt=1", "bankrupt=7", "bankrupt: expected a number from 0 to 2"),
        ("bankrupt=1", "bankrupt=1,2", "a bankrupt player has no cash, land or tiles"),
        ("spike=-", "spike=1", "the last spike ends the game, and joins start and finish"),
        ("spike=-", "spike=x", "spike: expected a number"),
        ("tiles=B2.C3/-/D1", "tiles=B2.C3.D1/-", "tiles: expected 3 hands"),
        ("tiles=B2.C3/-/D1", "tiles=B2.C3/D1/-", "a bankrupt player has no cash, land or tiles"),
        ("tiles=B2.C3", "tiles=B2.C3.C3", "every tile must appear exactly once"),
        ("aside=-", "aside=?", "aside: expected a tile, found '?'"),
    ],
)
def test_a_text_of_no_position_is_refused(old: str, new: str, words: str) -> None:
    assert TEXT.count(old) == 1
    with pytest.raises(PositionError) as refusal:
        notation.from_text(TEXT.replace(old, new))
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 200


def test_a_chosen_tile_must_be_one_that_land_can_pay_for() -> None:
    text = notation.to_text(RAISING)
    for cash in (0, 4000):
        with pytest.raises(
            PositionError,
            match="cash must be less than the tile’s cost, and selling land must make up",
        ):
            notation.from_text(text.replace("purses=1000", f"purses={cash}"))


def test_something_is_for_sale_in_phase_buy() -> None:
    text = notation.to_text(BUYING)
    with pytest.raises(PositionError, match="in the buy phase, there must be something to buy"):
        notation.from_text(text.replace("purses=29000", "purses=3000"))


def test_the_last_player_has_won() -> None:
    assert layout("A1", cash=(9000, 0), bankrupt="1", phase="over").table.bankrupt == (1,)
    with pytest.raises(PositionError, match="over after the last spike, with one player left"):
        layout("A1", cash=(9000, 0), bankrupt="1")
    with pytest.raises(PositionError, match="over after the last spike, with one player left"):
        layout("", cash=(0, 0), bankrupt="1,0", phase="over")


def test_a_game_without_tiles_is_over_once_its_last_turn_is() -> None:
    buying = layout("", cash=(9000, 0), track="A1", pool="", edition=SMALL, phase="buy")
    over = layout("", cash=(9000, 0), track="A1", pool="", edition=SMALL, phase="over")
    for position in (buying, over):
        assert notation.from_text(notation.to_text(position), SMALL) == position


def test_the_text_names_the_edition_it_is_read_with() -> None:
    with pytest.raises(PositionError, match="edition: expected small, found 'columbia-2015'"):
        notation.from_text(TEXT, SMALL)


def test_a_last_spike_must_have_ended_the_game() -> None:
    text = notation.to_text(OVER)
    for old, new in (("phase=over", "phase=lay"), ("spike=0", "spike=-")):
        with pytest.raises(PositionError, match="the last spike ends the game"):
            notation.from_text(text.replace(old, new))


@pytest.mark.parametrize("text", ["", " ", "edition=columbia-2015", "\0", "=" * 40, TEXT + " "])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(PositionError):
        notation.from_text(text)


def test_equality_is_by_value() -> None:
    same = notation.from_text(TEXT)
    assert same == LAYING
    assert same.table == LAYING.table
    assert same.hidden == LAYING.hidden
    assert same != RAISING
    others: list[object] = [None, TEXT, 0]
    for other in others:
        assert same != other
        assert same.table != other
        assert same.hidden != other


def test_positions_differ_by_what_lies_open_or_by_what_is_hidden() -> None:
    richer, swapped = LAYING.copy(), LAYING.copy()
    richer.table.cash[0] += 1000
    swapped.hidden.pool = swapped.hidden.pool[::-1]
    assert richer.hidden == LAYING.hidden
    assert richer != LAYING
    assert swapped.table == LAYING.table
    assert swapped != LAYING


@pytest.mark.parametrize("value", [LAYING, LAYING.table, LAYING.hidden])
def test_values_that_can_change_have_no_hash(value: Position | Table | Hidden) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(value)


def test_a_copy_is_apart() -> None:
    twin = LAYING.copy()
    assert twin == LAYING
    twin.table.cash[0] += 1
    twin.table.land[0] = 2
    twin.table.market[0] = 0
    twin.hidden.hands[0] = []
    assert notation.from_text(TEXT) == LAYING


def test_turns_count_the_tiles_laid() -> None:
    assert [p.table.turns for p in (LAYING, BUYING, OVER)] == [1, 2, 20]


def test_options_have_defaults_and_pass_over_other_names() -> None:
    assert read_options({}) == Options("forced", "open", "hidden")
    assert read_options({"double_cost": "open", "colour": 7}) == Options("open", "open", "hidden")


@pytest.mark.parametrize("value", [None, True, "Forced", ["forced"], {}, 10**5000], ids=type)
def test_an_unknown_option_value_is_refused(value: object) -> None:
    with pytest.raises(LastSpikeError, match="option double_cost: expected forced or open, found"):
        read_options({"double_cost": value})
