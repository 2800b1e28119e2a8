"""Moves: the four kinds, their text and their dense number."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["lay", "sell", "buy", "pass"]


class Move(NamedTuple):
    """What a player intends. Every move of a board exists once, in `board.moves`.

    `number` is the move's place among all moves of the board, sorted by text. A lay has a `space`,
    a sale has a `city` and the card's `rank`, and a purchase has a `city` (it buys the cheapest
    card left). All others are -1.
    """

    number: int
    text: str
    kind: Kind
    space: int = -1
    city: int = -1
    rank: int = -1

    def __str__(self) -> str:
        return self.text


def lay_text(tile: str) -> str:
    return tile


def sell_text(city: str, rank: int) -> str:
    return f"-{city}{rank}"


def buy_text(city: str) -> str:
    return f"+{city}"


PASS_TEXT = "pass"
