"""The rulebook's worked example as two whole games: `python -m tests.rules.worked_game`.

The rulebook shows a finished board and lists its payouts. Here three players get there by the
rules, turn by turn, so that the rules page can open the position on the map. Both games are the
same up to the last spike: in one it is V3, in the other the next player lays Z3.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lastspike.rules.records.record import FORMAT, RULES, read_record, to_record

FOLDER = Path(__file__).parents[2] / "src" / "lastspike" / "web" / "examples"

PLAYERS = ["Ada", "Mabel", "Jules"]
STORY = """
B1
Y1
X4
A4
Y4
X1
F4 +STL
Y2 +OGD
E1
F1 +STL
Y3 +SAC
X2 +YUM
F2 pass
X3 +SAC
E4
F3 +OMA
E2 +OGD
E3 +DEN
B2 pass
B4 +YUM
Z1 +ELP
B3 pass
V4 +DEN
V1 pass
A1 pass
Z4 +YUM
V2 pass
A2 pass
Z2 pass
A3 pass
"""
"""A turn a line, the seats in order. Ada gets no land in Ogden, Denver, Yuma or Sacramento."""
ENDINGS = {"V3": "V3", "Z3": "C1 pass Z3"}
"""How the game ends, by the last spike: Ada lays it, or Mabel after a turn in which Ada doesn't."""

HANDS = ["B1 A4 F4 F1", "Y1 Y4 Y2 Y3", "X4 X1 E1 X2"]
DRAWN = [
    "F2 F3 B2 B3 A1 A2 C1 D3 W2 V3",
    "X3 E2 B4 V4 Z4 Z2 U2 C3 D2 Z3",
    "E4 E3 Z1 V1 V2 A3 W3 U3 C2 W4",
]
"""What each player draws, in order: V3 and Z3 come only when their routes lack nothing else."""
UNDRAWN = "C4 D1 D4 U1 U4 W1"


def record(last: str) -> dict[str, Any]:
    """The game that ends with this tile."""
    drawn = [tiles.split() for tiles in DRAWN]
    pool = [tile for together in zip(*drawn, strict=True) for tile in together]
    raw = {
        "format": FORMAT,
        "rules": RULES,
        "edition": "columbia-2015",
        "deal": {
            "first": 0,
            "hands": [tiles.split() for tiles in HANDS],
            "pool": pool + UNDRAWN.split(),
            "aside": [],
        },
        "moves": f"{STORY} {ENDINGS[last]}".split(),
    }
    players = [{"name": name, "level": None} for name in PLAYERS]
    return to_record(read_record(raw).game, players=players)


def text(last: str) -> str:
    return json.dumps(record(last), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    for tile in ENDINGS:
        (FOLDER / f"{tile}.json").write_text(text(tile), encoding="utf-8")
