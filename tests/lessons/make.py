"""The first lesson's record, made from its story: `python -m tests.lessons.make`.

The map is cut out of the standard one, so its figures are those that the learner meets later; only
the purse is smaller, so that money runs short within a few turns. The learner has seat 0.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.records.record import FORMAT, RULES, read_record, to_record

FILE = Path(__file__).parents[2] / "src" / "lastspike" / "lessons" / "first.json"

ROUTES = "ABDEVY"
PLACES = {
    "STL": (94, 50),
    "OMA": (72, 6),
    "DOD": (72, 94),
    "DEN": (50, 50),
    "OGD": (28, 20),
    "SAC": (6, 66),
}
"""The cities that stay, spread over the whole sheet."""
CASH = 12_000

STORY = """
A1
A4
D4
A2 +STL
D1 +OMA
V1 pass
E2 +DEN
D2 pass
Y1
A3 -DEN1 +DEN
Y4
D3 +DEN
Y3 +OGD
V2 +OGD
V4
V3 +SAC
B1 +SAC
E3 pass
Y2
"""
"""A turn a line, the seats in order: the first gets grants, buys, pays double, sells to be paid,
is paid by what another has finished, and drives the last spike."""

HANDS = [["A1", "A2", "E2", "V3"], ["A4", "D1", "B4", "D2"], ["D4", "V1", "Y1", "E4"]]
POOL = "Y3 Y4 D3 B3 E1 B2 A3 V2 V4 Y2 B1 E3"
"""In drawing order, seat after seat: while the story lasts, all of it is drawn."""


def edition() -> Edition:
    whole = shipped()
    routes = tuple(route for route in whole.routes if route.letter in ROUTES)
    cut = replace(
        whole,
        id="first-lesson",
        name="The Last Spike: the first lesson",
        set_aside={},
        starting_cash={3: CASH},
        printed=(),
        cities=tuple(
            replace(city, at=PLACES[city.code]) for city in whole.cities if city.code in PLACES
        ),
        routes=routes,
    )
    return figures.read(cut.to_figures())


def record() -> dict[str, Any]:
    cut = edition()
    raw = {
        "format": FORMAT,
        "rules": RULES,
        "edition": cut.id,
        "figures": cut.to_figures(),
        "deal": {"first": 0, "hands": HANDS, "pool": POOL.split(), "aside": []},
        "moves": STORY.split(),
    }
    players = [{"name": "", "level": level} for level in (None, "clerk", "clerk")]
    return to_record(read_record(raw).game, players=players)


def text() -> str:
    return json.dumps(record(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
