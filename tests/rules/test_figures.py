"""Editions: every kind of bad figure is refused with its path, other maps are accepted."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from lastspike.rules.board import board_of
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import from_toml, parse_toml, shipped, shipped_ids
from lastspike.rules.errors import EditionError

from .helpers import CONFORMANCE, small_map

Raw = dict[str, Any]
MISSING = object()
ONE_ROUTE = small_map("A:EST-WST")


def changed(path: str, value: object, base: Edition = ONE_ROUTE) -> Raw:
    """The figures with the value at a dotted path (places from 0) replaced, or gone."""
    raw = copy.deepcopy(base.to_figures())
    *steps, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    here: Any = raw
    for step in steps:
        here = here[step if isinstance(here, list) else str(step)]
    key = last if isinstance(here, list) else str(last)
    if value is MISSING:
        del here[key]
    elif isinstance(here, list) and key == len(here):
        here.append(value)
    else:
        here[key] = value
    return raw


BAD = [
    # what is changed, into what, the path that is blamed, what was expected
    ("id", MISSING, "id", "a value, found nothing"),
    ("id", "Big Letters", "id", "a short id"),
    ("id", "", "id", "printable text"),
    ("id", "x" * 65, "id", "a short id"),
    ("id", "a/b", "id", "a short id"),
    ("id", 7, "id", "printable text, found 7"),
    ("name", MISSING, "name", "a value, found nothing"),
    ("name", "   ", "name", "printable text"),
    ("name", "two\nlines", "name", "printable text"),
    ("name", "x" * 201, "name", "printable text"),
    ("start", "NOW", "start", "one of EST, WST, found 'NOW'"),
    ("start", MISSING, "start", "a value, found nothing"),
    ("start", ["EST"], "start", "one of EST, WST, found […] (1)"),
    ("finish", "EST", "finish", "a city other than the start, found 'EST'"),
    ("finish", None, "finish", "one of EST, WST, found None"),
    ("last_spike_bonus", 500, "last_spike_bonus", "a multiple of 1000, found 500"),
    ("last_spike_bonus", -1000, "last_spike_bonus", "an amount from 0 to 1000000000"),
    ("last_spike_bonus", 10**12, "last_spike_bonus", "an amount from 0 to 1000000000"),
    ("last_spike_bonus", 10**5000, "last_spike_bonus", "an amount from 0 to 1000000000"),
    ("last_spike_bonus", 1000.0, "last_spike_bonus", "a multiple of 1000, found 1000.0"),
    ("last_spike_bonus", True, "last_spike_bonus", "a multiple of 1000, found True"),
    ("last_spike_bonus", "1000", "last_spike_bonus", "a multiple of 1000, found '1000'"),
    ("hand_size", 0, "hand_size", "a whole number from 1 to 99, found 0"),
    ("hand_size", 100, "hand_size", "a whole number from 1 to 99"),
    ("hand_size", True, "hand_size", "a whole number from 1 to 99"),
    ("hand_size", 1.0, "hand_size", "a whole number from 1 to 99"),
    ("hand_size", MISSING, "hand_size", "a value, found nothing"),
    ("set_aside", [1], "set_aside", "keys and values, found […] (1)"),
    ("set_aside", {"1": 1}, "set_aside", "a number of players from 2 to 6, found '1'"),
    ("set_aside", {"2": -1}, "set_aside.2", "a whole number from 0 to 99"),
    ("set_aside", {"2": "1"}, "set_aside.2", "a whole number from 0 to 99"),
    ("set_aside", {"2": 3}, "starting_cash.2", "at least 5 tiles for 2 players, found 4"),
    ("starting_cash", MISSING, "starting_cash", "a value, found nothing"),
    ("starting_cash", {}, "starting_cash", "an amount for at least one number of players"),
    ("starting_cash", {"7": 1000}, "starting_cash", "a number of players from 2 to 6, found '7'"),
    ("starting_cash", {"two": 1000}, "starting_cash", "a number of players from 2 to 6"),
    ("starting_cash", {2: 1000}, "starting_cash", "keys and values"),
    ("starting_cash", {"2": 1500}, "starting_cash.2", "a multiple of 1000, found 1500"),
    ("starting_cash", {"5": 1000}, "starting_cash.5", "at least 5 tiles for 5 players, found 4"),
    ("printed", "start", "printed", "a list, found 'start'"),
    ("printed", ["start", 3], "printed.2", "printable text, found 3"),
    ("cities", MISSING, "cities", "a value, found nothing"),
    ("cities", {}, "cities", "a list, found {…} (0)"),
    ("cities", [], "cities", "at least two cities, found 0"),
    ("cities.1", "WST", "cities.2", "keys and values, found 'WST'"),
    ("cities.1.code", MISSING, "cities.2.code", "a value, found nothing"),
    ("cities.1.code", "EST", "cities.2.code", "a code that no other city has, found 'EST'"),
    ("cities.1.code", "wst", "cities.2.code", "a code of capital letters, found 'wst'"),
    ("cities.1.code", "ABCDEFGHI", "cities.2.code", "a code of capital letters"),
    ("cities.1.code", "1ST", "cities.2.code", "a code of capital letters"),
    ("cities.0.name", MISSING, "cities.EST.name", "a value, found nothing"),
    ("cities.0.name", "\0", "cities.EST.name", "printable text"),
    ("cities.0.names", ["fr"], "cities.EST.names", "keys and values"),
    ("cities.0.names", {"french!": "x"}, "cities.EST.names", "language codes such as fr or ja"),
    ("cities.0.names", {"fr": 1}, "cities.EST.names.fr", "printable text, found 1"),
    ("cities.0.at", [1], "cities.EST.at", "2 values, found 1"),
    ("cities.0.at", [1, 101], "cities.EST.at.2", "a number from 0 to 100, found 101"),
    ("cities.0.at", [-0.5, 1], "cities.EST.at.1", "a number from 0 to 100, found -0.5"),
    ("cities.0.at", [float("nan"), 1], "cities.EST.at.1", "a number from 0 to 100, found nan"),
    ("cities.0.at", [True, 1], "cities.EST.at.1", "a number from 0 to 100, found True"),
    ("cities.0.at", ["1", 1], "cities.EST.at.1", "a number from 0 to 100, found '1'"),
    ("cities.0.land", MISSING, "cities.EST.land", "a value, found nothing"),
    ("cities.0.land", [0, 1000], "cities.EST.land", "5 values, found 2"),
    ("cities.0.land.0", 1000, "cities.EST.land.1", "0 for the free land, found 1000"),
    ("cities.0.land.1", 0, "cities.EST.land.2", "at least 1000 (cheapest first), found 0"),
    ("cities.0.land.3", 1000, "cities.EST.land.4", "at least 2000 (cheapest first), found 1000"),
    ("cities.0.land.4", 4500, "cities.EST.land.5", "a multiple of 1000, found 4500"),
    ("cities.0.payouts", MISSING, "cities.EST.payouts", "a value, found nothing"),
    ("cities.0.payouts.5", 1000, "cities.EST.payouts", "5 values, found 6"),
    ("cities.1.payouts.2", -1000, "cities.WST.payouts.3", "an amount from 0 to"),
    ("routes", MISSING, "routes", "a value, found nothing"),
    ("routes", None, "routes", "a list, found None"),
    ("routes", [], "routes", "routes that join EST to WST, found none"),
    ("routes.0", 5, "routes.1", "keys and values, found 5"),
    ("routes.0.letter", MISSING, "routes.1.letter", "a value, found nothing"),
    ("routes.0.letter", "AA", "routes.1.letter", "one capital letter, A to Z, found 'AA'"),
    ("routes.0.letter", "a", "routes.1.letter", "one capital letter, A to Z, found 'a'"),
    ("routes.0.letter", "É", "routes.1.letter", "one capital letter, A to Z, found 'É'"),
    ("routes.0.ends", MISSING, "routes.A.ends", "a value, found nothing"),
    ("routes.0.ends", ["EST"], "routes.A.ends", "2 values, found 1"),
    ("routes.0.ends.1", "NOW", "routes.A.ends.2", "one of EST, WST, found 'NOW'"),
    ("routes.0.ends.1", "EST", "routes.A.ends.2", "a city other than the route’s first city"),
    ("routes.0.costs", MISSING, "routes.A.costs", "a value, found nothing"),
    ("routes.0.costs.4", 1000, "routes.A.costs", "4 values, found 5"),
    ("routes.0.costs.2", 999, "routes.A.costs.3", "a multiple of 1000, found 999"),
    ("routes.0.costs.2", [1000], "routes.A.costs.3", "a multiple of 1000, found […] (1)"),
    ("routes.0.terrain", ["plain"], "routes.A.terrain", "4 values, found 1"),
    ("routes.0.terrain.3", "swamp", "routes.A.terrain.4", "plain, hills, mountain, bridge, tunnel"),
]


@pytest.mark.parametrize(
    ("where", "value", "path", "expected"),
    BAD,
    ids=[f"{n}-{case[0]}" for n, case in enumerate(BAD)],
)
def test_bad_figure_is_refused_with_its_path(
    where: str, value: object, path: str, expected: str
) -> None:
    with pytest.raises(EditionError) as refusal:
        figures.read(changed(where, value))
    assert refusal.value.path == path
    assert str(refusal.value).startswith(f"{path}: expected ")
    assert expected in str(refusal.value)
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize("raw", [None, [], "edition", 7, {1: 2}])
def test_what_is_no_table_is_refused(raw: object) -> None:
    with pytest.raises(EditionError, match="expected keys and values"):
        figures.read(raw)


def test_a_letter_twice_is_refused_at_its_place() -> None:
    raw = small_map("A:EST-MID", "B:MID-WST").to_figures()
    raw["routes"][1]["letter"] = "A"
    with pytest.raises(EditionError, match=r"routes.2.letter: .* no other route has, found 'A'"):
        figures.read(raw)


def test_start_and_finish_that_are_not_joined_are_refused() -> None:
    raw = small_map("A:EST-MID", "B:MID-WST").to_figures()
    raw["routes"][1]["ends"] = ["MID", "EST"]
    with pytest.raises(EditionError) as refusal:
        figures.read(raw)
    assert refusal.value.path == "routes"


@pytest.mark.parametrize(
    "edition",
    [
        pytest.param(ONE_ROUTE, id="two cities, one route"),
        pytest.param(small_map("A:EST-WST", "B:EST-WST"), id="parallel routes"),
        pytest.param(small_map("Z:A-B", "B:B-C", "A:C-D"), id="edition order is not alphabetical"),
        pytest.param(small_map("A:EST-WST", cash={2: 0}), id="no cash at all"),
        pytest.param(small_map("A:EST-WST", set_aside={2: 2}), id="no pool"),
        pytest.param(small_map("A:EST-WST", last_spike_bonus=0), id="no bonus"),
    ],
)
def test_other_maps_are_accepted(edition: Edition) -> None:
    assert figures.read(edition.to_figures()) == edition


def test_optional_figures_may_be_missing() -> None:
    raw = ONE_ROUTE.to_figures()
    del raw["set_aside"], raw["printed"], raw["routes"][0]["terrain"]
    for city in raw["cities"]:
        del city["at"], city["names"]
    edition = figures.read(raw)
    assert edition.set_aside == {}
    assert edition.printed == ()
    assert edition.routes[0].terrain == ("plain",) * 4
    # Cities without a place stand in a ring.
    assert [city.at for city in edition.cities] == [(94, 50), (6, 50)]


def test_figures_of_all_recorded_games_are_accepted_and_round_trip() -> None:
    seen = 0
    for path in CONFORMANCE.glob("*.json"):
        raw = json.loads(path.read_text("utf-8")).get("figures")
        if raw is not None:
            seen += 1
            edition = figures.read(raw)
            assert figures.read(json.loads(json.dumps(edition.to_figures()))) == edition
            assert list(figures.oddities(raw, edition)) == []
    assert seen > 20


def test_shipped_edition_round_trips() -> None:
    edition = shipped()
    assert shipped_ids() == ("columbia-2015", "columbia-2015b")
    assert edition.id == "columbia-2015"
    assert figures.read(json.loads(json.dumps(edition.to_figures()))) == edition
    assert shipped() == shipped("columbia-2015")
    assert shipped() is shipped()


@pytest.mark.parametrize("name", ["", "nowhere", "../columbia-2015", "columbia-2015.toml", "\0"])
def test_an_edition_that_is_not_shipped_is_refused(name: str) -> None:
    with pytest.raises(
        EditionError, match=r"there is no edition called .*; choose from columbia-2015"
    ):
        shipped(name)


def test_lookups_of_an_edition() -> None:
    edition = shipped()
    assert edition.player_counts == (2, 3, 4, 5, 6)
    assert edition.city("STL").name_in("fr") == "Saint-Louis"
    assert edition.city("STL").name_in("de") == "St. Louis"
    assert edition.route("V").ends == ("DEN", "OGD")
    assert (len(edition.tiles), edition.tiles[0], edition.tiles[-1]) == (48, "A1", "Z4")


def test_an_edition_survives_pickling_without_what_is_derived() -> None:
    edition = shipped()
    assert len(edition.tiles) == 48
    again = pickle.loads(pickle.dumps(edition))
    assert again == edition
    assert hash(again) == hash(edition)
    assert "tiles" not in vars(again)
    assert board_of(again) is board_of(edition)


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        ("start", True),
        ("starting_cash.4", True),
        ("routes.A.ends", True),
        ("routes.A.ends.1", True),
        ("routes.C.ends.1", True),
        ("routes.C.ends.2", False),
        ("routes.A.costs.3", True),
        ("routes.A.costs.1", False),
        ("cities.DEN.payouts.5", True),
        ("cities.OMA.payouts.5", False),
        ("cities.DEN.land.2", True),  # 2,000 is printed, wherever it stands
        ("cities.DEN.land.3", False),
        ("name", False),
    ],
)
def test_what_a_rulebook_states(path: str, printed: bool) -> None:
    assert figures.is_printed(shipped(), path) == printed


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("hand_size", 4),
        ("starting_cash.2", 60_000),
        ("routes.A.costs.3", 3000),
        ("cities.DEN.payouts.5", 25_000),
        ("routes.V.ends", ["DEN", "OGD"]),
    ],
)
def test_figure_at_a_path(path: str, value: object) -> None:
    assert figures.figure_at(shipped(), path) == value


@pytest.mark.parametrize(
    "path",
    [
        *("", "nothing", "hand_size.1", "routes.Q", "routes.A.costs.0", "routes.A.costs.9"),
        *("routes.A.costs.x", "cities.DEN.price", "starting_cash.9"),
    ],
)
def test_no_figure_at_a_path(path: str) -> None:
    with pytest.raises(LookupError):
        figures.figure_at(shipped(), path)


def _with(change: Callable[[Raw], None]) -> list[str]:
    raw = small_map("A:EST-WST").to_figures()
    change(raw)
    return list(map(str, figures.oddities(raw, figures.read(raw))))


def test_oddities_of_the_shipped_edition_are_none() -> None:
    assert list(figures.oddities(shipped().to_figures(), shipped())) == []


def test_oddities_name_unknown_keys() -> None:
    def change(raw: Raw) -> None:
        raw["colour"] = "red"
        raw["cities"][0]["mayor"] = "x"
        raw["routes"][0]["cost"] = []

    assert _with(change) == [
        "colour: unknown key, ignored",
        "cities.EST.mayor: unknown key, ignored",
        "routes.A.cost: unknown key, ignored",
    ]


def test_oddities_name_printed_paths_that_lead_nowhere() -> None:
    def change(raw: Raw) -> None:
        raw["printed"] = ["start", "cities.EST.land=2000", "cities.EST.land=7000", "routes.Q"]

    assert _with(change) == [
        "printed.3: there is no figure cities.EST.land=7000",
        "printed.4: there is no figure routes.Q",
    ]


def test_oddities_name_cities_that_no_route_reaches() -> None:
    def change(raw: Raw) -> None:
        raw["cities"].append(raw["cities"][0] | {"code": "FAR"})

    assert _with(change) == ["cities.FAR: no route leads to this city"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id = \nx = 1", "line 1, column 6"),
        ("id = 'a'\nid = 'b'\n", "line 2"),
        ("x = 2024-13-45", "not a TOML file"),
        ("x = " + "[" * 5000, "nested too deeply"),
        ("x = " + "1" * 5000, "not a TOML file"),
        ("\0", "not a TOML file"),
    ],
)
def test_what_is_not_toml_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(EditionError, match="not a TOML file") as refusal:
        parse_toml(text)
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_toml_that_is_no_edition_is_refused_by_its_figures() -> None:
    with pytest.raises(EditionError) as refusal:
        from_toml("id = 'small'")
    assert refusal.value.path == "cities"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (7, "7"),
        (-(10**18), "-10^18…"),
        (True, "True"),
        ("x" * 99, "'" + "x" * 56 + "..."),
        ([1, 2], "[…] (2)"),
        ({"a": 1}, "{…} (1)"),
        (None, "None"),
    ],
)
def test_a_value_is_shown_on_one_short_line(value: object, shown: str) -> None:
    assert figures.repr_short(value) == shown
