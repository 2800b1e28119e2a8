"""The map as text, for any edition: cities in their places, spaces along their routes.

[DEN 1.2..]  a city and the holders of its five cards: a player, `.` the bank, `x` out of the game
A3:3         a space and what its tile costs, in thousands
A3*3         the same, with the tile in your hand
=A3=         track
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from rich.text import Text

from lastspike.rules.board import Board, Space
from lastspike.rules.editions.edition import SPACES_A_ROUTE
from lastspike.rules.table import BANK, OUT, Table

PLAYER_STYLES = ("red", "blue", "green", "magenta", "yellow", "cyan")
SMALLEST = (80, 17)
"""Columns and rows that the standard map needs."""

_MOST_NUDGE = 12


class Spot(NamedTuple):
    """A place on the canvas: row, first column and width."""

    row: int
    column: int
    width: int


class Layout(NamedTuple):
    """The place of every city and space on a canvas."""

    cities: tuple[Spot, ...]
    spaces: tuple[Spot, ...]


def draw(table: Table, hand: Collection[Space], columns: int, rows: int) -> list[Text]:
    """The map in `rows` lines; a list of the routes if it does not fit."""
    board = table.board
    layout = lay_out(board, columns, rows)
    if layout is None:
        return route_list(table, hand)
    lines = [Text(" " * columns) for _ in range(rows)]
    for city, spot in enumerate(layout.cities):
        _put(lines, spot, city_label(table, city))
    for space, spot in enumerate(layout.spaces):
        _put(lines, spot, space_label(table, space, hand))
    for line in lines:
        line.rstrip()
    return lines


def route_list(table: Table, hand: Collection[Space]) -> list[Text]:
    """One line per route: its ends and its spaces."""
    board = table.board
    lines = []
    for route, (first, second) in enumerate(board.ends):
        line = city_label(table, first)
        for place in range(SPACES_A_ROUTE):
            line.append(" ")
            line.append(space_label(table, route * SPACES_A_ROUTE + place, hand))
        line.append(" ")
        lines.append(line.append(city_label(table, second)))
    return lines


def city_label(table: Table, city: int) -> Text:
    label = Text(f"[{table.board.city_codes[city]} ", style="bold")
    for holder in table.cards_of(city):
        if holder >= 0:
            label.append(str(holder + 1), style=f"bold {PLAYER_STYLES[holder]}")
        else:
            label.append({BANK: ".", OUT: "x"}[holder], style="dim")
    return label.append("]", style="bold")


def space_label(table: Table, space: Space, hand: Collection[Space]) -> Text:
    board = table.board
    code, cost = board.codes[space], str(board.costs[space] // 1000)
    if table.track & board.bit[space]:
        return Text(f"={code}".ljust(len(code) + len(cost) + 1, "="), style="dim")
    if space in hand:
        return Text(f"{code}*{cost}", style="bold reverse")
    return Text(f"{code}:{cost}")


def lay_out(board: Board, columns: int, rows: int) -> Layout | None:
    """A place for everything, near its place in the edition; None if there is no room."""
    taken = [[False] * columns for _ in range(rows)]
    centres = _city_centres(board, columns, rows)
    widths = [len(code) + 8 for code in board.city_codes]
    cities = [_place(taken, *centre, width) for centre, width in zip(centres, widths, strict=True)]
    spaces: list[Spot | None] = [None] * len(board.codes)
    for route, (first, second) in enumerate(board.ends):
        (row1, column1), (row2, column2) = centres[first], centres[second]
        for place in (0, 3, 1, 2):  # the ends first, to be beside their cities
            part = (place + 1) / (SPACES_A_ROUTE + 1)
            space = route * SPACES_A_ROUTE + place
            width = len(board.codes[space]) + len(str(board.costs[space] // 1000)) + 1
            spaces[space] = _place(
                taken, row1 + (row2 - row1) * part, column1 + (column2 - column1) * part, width
            )
    if None in cities or None in spaces:
        return None
    return Layout(tuple(spot for spot in cities if spot), tuple(spot for spot in spaces if spot))


def _city_centres(board: Board, columns: int, rows: int) -> list[tuple[float, float]]:
    """Row and column of each city, with the edition's map scaled to the canvas."""
    places = [board.edition.city(code).at for code in board.city_codes]
    west, east = min(x for x, _ in places), max(x for x, _ in places)
    north, south = min(y for _, y in places), max(y for _, y in places)
    wide, high = max(east - west, 1), max(south - north, 1)
    margin = max(len(code) for code in board.city_codes) / 2 + 4
    return [
        ((y - north) / high * (rows - 1), margin + (x - west) / wide * (columns - 1 - 2 * margin))
        for x, y in places
    ]


def _place(taken: list[list[bool]], row: float, column: float, width: int) -> Spot | None:
    """Take the free spot nearest to a centre, with one free column on each side."""
    best = min(_free_spots(taken, row, column, width), default=None)
    if best is None:
        return None
    _, spot = best
    for at in range(max(spot.column - 1, 0), min(spot.column + width + 1, len(taken[0]))):
        taken[spot.row][at] = True
    return spot


def _free_spots(
    taken: list[list[bool]], row: float, column: float, width: int
) -> Iterator[tuple[float, Spot]]:
    wanted = column - (width - 1) / 2
    for at in range(max(0, round(row) - 3), min(len(taken), round(row) + 4)):
        for begin in range(round(wanted) - _MOST_NUDGE, round(wanted) + _MOST_NUDGE + 1):
            if begin < 0 or begin + width > len(taken[0]):
                continue
            if not any(taken[at][begin : begin + width]):
                # Rows count more than columns: characters are taller than wide.
                yield abs(begin - wanted) + 3 * abs(at - row), Spot(at, begin, width)


def _put(lines: list[Text], spot: Spot, label: Text) -> None:
    line = lines[spot.row]
    lines[spot.row] = line[: spot.column] + label + line[spot.column + spot.width :]
