"""The numbering of steps: one dense number for every possible move of any game in a batch.

    lay a tile      its space                              0 ... spaces - 1
    sell a card     spaces + 4 * city + rank - 1           ranks 1 to 4
    buy of a city   spaces + 4 * cities + city
    pass            spaces + 5 * cities

Spaces and cities are numbered as in `rules`, the sizes are those of the batch's `Shape`. On the
standard map that is 48 + 36 + 9 + 1 = 94. `Move.number` of `rules` sorts by text and so depends on
the codes of an edition; this numbering depends on the shape alone.
"""

from __future__ import annotations

from lastspike.rules.board import Board as RulesBoard
from lastspike.rules.editions.edition import CARDS_A_CITY
from lastspike.rules.moves import Move, sell_text

from .board import Shape

ACTIONS_VERSION = 1
"""Increases when the numbering changes, so that old networks are rejected."""

PRICED_A_CITY = CARDS_A_CITY - 1


def action_count(shape: Shape) -> int:
    return pass_action(shape) + 1


def first_sale(shape: Shape) -> int:
    return shape.spaces


def first_purchase(shape: Shape) -> int:
    return first_sale(shape) + PRICED_A_CITY * shape.cities


def pass_action(shape: Shape) -> int:
    return first_purchase(shape) + shape.cities


def action_of(move: Move, shape: Shape) -> int:
    """The number of a move of `rules`."""
    if move.kind == "lay":
        return move.space
    if move.kind == "sell":
        return first_sale(shape) + PRICED_A_CITY * move.city + move.rank - 1
    return first_purchase(shape) + move.city if move.kind == "buy" else pass_action(shape)


def move_of(action: int, board: RulesBoard, shape: Shape) -> Move:
    """The move of `rules` that a number stands for; `IndexError` if the edition has no such
    move."""
    if action < first_sale(shape):
        return board.lays[action]
    if action < first_purchase(shape):
        city, priced = divmod(action - first_sale(shape), PRICED_A_CITY)
        return board.move_of[sell_text(board.city_codes[city], priced + 1)]
    if action < pass_action(shape):
        return board.buys[action - first_purchase(shape)]
    if action == pass_action(shape):
        return board.passing
    raise IndexError(action)
