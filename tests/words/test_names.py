"""Computers are called the same by the server and by the page."""

from __future__ import annotations

import re
from importlib import resources

from lastspike.server.table.state import SeatState
from lastspike.words.names import COMPUTER_NAMES, names_of


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
