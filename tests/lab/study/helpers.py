"""Editions so small that what a study must find is known beforehand, and notes made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lastspike.lab.study.notes import Note
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.outcome import Outcome


def one_route(**changes: Any) -> Edition:
    """Two cities and the one route between them: four turns, and the fourth is the last spike."""
    cities = [
        {"code": code, "name": code, "land": land, "payouts": payouts, "at": at}
        for code, land, payouts, at in (
            ("EAST", [0, 1000, 2000, 3000, 4000], [9000, 18000, 27000, 36000, 45000], [90, 50]),
            ("WEST", [0, 50000, 50000, 50000, 50000], [1000, 2000, 3000, 4000, 5000], [10, 50]),
        )
    ]
    raw: dict[str, Any] = {
        "id": "one-route",
        "name": "One route",
        "start": "EAST",
        "finish": "WEST",
        "last_spike_bonus": 20000,
        "hand_size": 2,
        "set_aside": {},
        "starting_cash": {"2": 20000},
        "printed": [],
        "cities": cities,
        "routes": [
            {
                "letter": "A",
                "ends": ["EAST", "WEST"],
                "costs": [1000, 1000, 1000, 1000],
                "terrain": ["plain"] * 4,
            }
        ],
        **changes,
    }
    return figures.read(raw)


def poor() -> Edition:
    """The standard map with purses so thin that land is sold and players go bankrupt."""
    raw = shipped().to_figures()
    raw["id"] = "poor"
    raw["starting_cash"] = dict.fromkeys(raw["starting_cash"], 14000)
    return figures.read(raw)


def uneven() -> Edition:
    """The same with tiles of many costs, and payouts that are not in step with the cards: each
    adds $1,000 more than the one before."""
    raw = poor().to_figures()
    raw["id"] = "uneven"
    for city in raw["cities"]:
        first = city["payouts"][0]
        city["payouts"] = [n * first + 1000 * n * (n - 1) // 2 for n in range(1, 6)]
    for number, route in enumerate(raw["routes"]):
        route["costs"] = [1000 * (1 + (number + place) % 3) for place in range(4)]
    return figures.read(raw)


def outcome(cash: Sequence[int], winners: Sequence[int], **more: Any) -> Outcome:
    """An outcome of which only this matters."""
    return Outcome(
        **{
            "reason": "last spike",
            "winners": tuple(winners),
            "ranks": tuple(1 if seat in winners else 2 for seat in range(len(cash))),
            "cash": tuple(cash),
            "land": (0,) * len(cash),
            "last_spike": 0,
            "bankrupt": (),
            **more,
        }
    )


def note(result: Outcome, **more: Any) -> Note:
    return Note(
        **{
            "outcome": result,
            "first": 0,
            "turns": 40,
            "routes": (),
            "payouts": (),
            "holdings": (),
            **more,
        }
    )
