"""Computers are called the same by the server, by the commands and by the page."""

from __future__ import annotations

import re
from importlib import resources
from typing import get_args

import pytest

from lastspike.bots.levels import LEVELS
from lastspike.rules.editions.edition import TERRAINS
from lastspike.rules.outcome import Reason
from lastspike.server.table.state import SeatState
from lastspike.words.language import words_for
from lastspike.words.names import (
    COMPUTER_NAMES,
    ending_name,
    level_names,
    names_of,
    player_name,
    terrain_name,
)


def test_the_page_has_the_same_names() -> None:
    text = (resources.files("lastspike.web") / "js" / "game" / "players.js").read_text("utf-8")
    (listed,) = re.findall(r"COMPUTER_NAMES = \[(.*?)\n\];", text, re.DOTALL)
    rows = re.findall(r"\[(.*?)\]", listed)
    assert [tuple(re.findall(r'"(.*?)"', row)) for row in rows] == list(COMPUTER_NAMES)


def test_no_computer_bears_a_persons_name() -> None:
    ada, otto = SeatState(None), SeatState(None)
    ada.name, otto.name = "Ada", "mabel"
    seats = [SeatState("clerk"), SeatState("clerk"), ada, otto]
    assert names_of(seats) == ["Otto", "Edna", "Ada", "mabel"]


def test_the_page_says_the_same_of_each_level() -> None:
    text = (resources.files("lastspike.web") / "js" / "game" / "levels.js").read_text("utf-8")
    said: dict[str, list[str]] = {}
    for level, words in re.findall(r'case "(\w+)":\s*return say\("(.*?)"\);', text):
        said.setdefault(level, []).append(words)
    assert said == {level: list(known) for level, known in level_names(words_for("en")).items()}
    assert list(said) == list(LEVELS)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("clerk", "Commis"),
        ("speculator:60", "Spéculateur:60"),
        ("tycoon@a.net", "Magnat@a.net"),
        ("clerks", "Clerks"),
        ("exec:clerk", "exec:clerk"),
    ],
)
def test_a_computer_player_is_called_by_its_level(name: str, shown: str) -> None:
    assert player_name(name, words_for("fr")) == shown


def test_every_terrain_and_every_ending_has_a_name() -> None:
    words = words_for("en")
    names = ["plains", "hills", "mountain", "bridge", "tunnel"]
    assert [terrain_name(terrain, words) for terrain in TERRAINS] == names
    endings = ["last spike", "one player left", "no tiles left"]
    assert [ending_name(reason, words) for reason in get_args(Reason)] == endings
