"""`columbia-2015b` says what the rulebooks print, and its cities are closer in value."""

from __future__ import annotations

from statistics import fmean, pstdev
from typing import Any

from lastspike.lab.study import study
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped

OLD, NEW = shipped("columbia-2015"), shipped("columbia-2015b")


def figure(edition: Edition, path: str) -> Any:
    """What a path of `printed` names; of `=value`, whether the value is among the figures."""
    found: Any = edition.to_figures()
    path, _, value = path.partition("=")
    for step in path.split("."):
        if isinstance(found, dict):
            found = found[step]
        elif step.isdigit():
            found = found[int(step) - 1]
        else:
            found = next(each for each in found if step in (each.get("code"), each.get("letter")))
    return int(value) in found if value else found


def spread(edition: Edition) -> float:
    """How far apart the cities are in what a dollar spent on their land returns."""
    (found,) = study(edition, [4], games=150, seed="even").findings
    rates = [city.return_rate.mean for city in found.land if city.return_rate]
    assert len(rates) == len(edition.cities)
    return pstdev(rates) / fmean(rates)


def test_all_that_is_printed_is_kept() -> None:
    assert OLD.printed == NEW.printed
    for path in OLD.printed:
        assert figure(OLD, path) == figure(NEW, path), path
        assert figure(NEW, path) is not False, path
    assert figure(NEW, "cities.DEN.payouts") == [5000, 10000, 15000, 20000, 25000]
    assert not figure(NEW, "cities.DEN.land=3000")


def test_a_city_with_fewer_routes_pays_more_for_a_card() -> None:
    routes = {
        city.code: sum(city.code in route.ends for route in NEW.routes) for city in NEW.cities
    }
    for one in NEW.cities:
        for other in NEW.cities:
            if routes[one.code] < routes[other.code]:
                assert one.payouts[0] > other.payouts[0]


def test_cities_are_closer_in_value() -> None:
    assert spread(NEW) < spread(OLD) / 2
