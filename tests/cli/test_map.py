"""The map in text: everything has a place of its own, whatever map an edition describes."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from lastspike.cli.play.terminal import map as text_map
from lastspike.rules.board import Board, board_of
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import OUT, Table, setup


def any_map(rng: random.Random) -> Edition:
    """A connected map of up to twelve cities and sixteen routes, anywhere on the board."""
    codes = [f"C{chr(65 + number)}Y" for number in range(rng.randint(2, 12))]
    ends = [(a, b) for a, b in pairwise(codes)]
    ends += [(a, b) for a, b in (rng.sample(codes, 2) for _ in range(rng.randint(0, 4)))]
    return figures.read(
        {
            "id": "any",
            "name": "Any map",
            "start": codes[0],
            "finish": codes[-1],
            "last_spike_bonus": 20000,
            "hand_size": 1,
            "starting_cash": {"2": 60000},
            "cities": [
                {
                    "code": code,
                    "name": code.title(),
                    "at": [rng.randint(0, 100), rng.randint(0, 100)],
                    "land": [0, 1000, 2000, 3000, 4000],
                    "payouts": [1000, 2000, 3000, 4000, 5000],
                }
                for code in codes
            ],
            "routes": [
                {
                    "letter": chr(65 + number),
                    "ends": list(end),
                    "costs": [1000 * rng.randint(1, 20) for _ in range(4)],
                }
                for number, end in enumerate(ends)
            ],
        }
    )


def assert_nothing_overlaps(board: Board, columns: int, rows: int) -> None:
    layout = text_map.lay_out(board, columns, rows)
    assert layout is not None
    spots = [*layout.cities, *layout.spaces]
    for spot in spots:
        assert 0 <= spot.row < rows
        assert spot.column >= 0
        assert spot.column + spot.width <= columns
    for row in range(rows):
        for left, right in pairwise(sorted(spot for spot in spots if spot.row == row)):
            assert left.column + left.width < right.column, "something touches something else"


@pytest.mark.parametrize("size", [(80, 17), (80, 18), (100, 30), (200, 60)])
def test_the_standard_map_has_room_for_everything(size: tuple[int, int]) -> None:
    assert_nothing_overlaps(board_of(shipped()), *size)


@pytest.mark.parametrize("seed", range(40))
def test_any_map_is_drawn_or_listed(seed: int) -> None:
    edition = any_map(random.Random(seed))
    table = Table(setup(edition, 2), 0)
    if text_map.lay_out(table.board, 80, 17) is not None:
        assert_nothing_overlaps(table.board, 80, 17)
    drawn = "\n".join(line.plain for line in text_map.draw(table, [], 80, 17))
    for code in (*table.board.codes, *table.board.city_codes):
        assert code in drawn


def test_most_maps_are_drawn() -> None:
    boards = [board_of(any_map(random.Random(seed))) for seed in range(40)]
    assert sum(text_map.lay_out(board, 80, 17) is not None for board in boards) >= 38


def test_a_map_without_room_becomes_a_list_of_routes() -> None:
    table = Table(setup(shipped(), 2), 0)
    lines = text_map.draw(table, [0], 40, 5)
    assert len(lines) == 12
    assert lines[0].plain == "[STL .....] A1*1 A2:1 A3:3 A4:2 [OMA .....]"


def test_labels_tell_track_cost_hand_and_holders() -> None:
    table = Table(setup(shipped(), 4), 0)
    board = table.board
    a3, v3 = board.space_of["A3"], board.space_of["V3"]
    denver = board.city_of["DEN"]
    table.track |= board.bit[a3]
    table.land[denver * 5 : denver * 5 + 3] = [OUT, 0, 3]
    assert text_map.space_label(table, a3, []).plain == "=A3="
    assert text_map.space_label(table, v3, []).plain == "V3:3"
    assert text_map.space_label(table, v3, [v3]).plain == "V3*3"
    assert text_map.city_label(table, denver).plain == "[DEN x14..]"
