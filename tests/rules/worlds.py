"""What a seat can't see, dealt another way: worlds that it must not be able to tell apart."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

from lastspike.rules.board import NO_SPACE, Seat, Space
from lastspike.rules.events import Event, TileDrawn, to_json
from lastspike.rules.game import Game
from lastspike.rules.hidden import Hidden
from lastspike.rules.position import Position
from lastspike.rules.view import View, preview, table_to_json, view_to_json

World = tuple[Position, list[Event]]


def other_world(game: Game, seat: Seat | None, rng: Random) -> World:
    """The game with the tiles that the seat can't see swapped among one another, in what it told
    of others' draws too. In phase raise everybody knows the chosen tile."""
    position = game.position
    hidden, table = position.hidden, position.table
    open_hands = table.setup.options.hands == "open"
    unseen = [*hidden.pool, *hidden.aside]
    for owner, hand in enumerate(hidden.hands):
        if owner != seat and not open_hands:
            unseen += [tile for tile in hand if tile != table.chosen]
    mixed = unseen[:]
    rng.shuffle(mixed)
    other = dict(zip(unseen, mixed, strict=True))
    codes = table.board.codes
    named = {codes[old]: codes[new] for old, new in other.items()}

    def swapped(tiles: Sequence[Space]) -> tuple[Space, ...]:
        return tuple(other.get(tile, tile) for tile in tiles)

    def told(event: Event) -> Event:
        if isinstance(event, TileDrawn) and event.seat != seat and not open_hands:
            assert event.tile is not None
            return TileDrawn(event.seat, named.get(event.tile, event.tile))
        return event

    swapped_hidden = Hidden(
        [tuple(sorted(swapped(hand))) for hand in hidden.hands],
        swapped(hidden.pool),
        swapped(hidden.aside),
    )
    world = Position(table.copy(), swapped_hidden)
    assert table.chosen == NO_SPACE or table.chosen in world.hand
    return world, [told(event) for event in game.history]


def all_that_is_told(view: View) -> str:
    """The bytes of everything that a view gives away: itself, legal moves, every preview."""
    legal = view.legal_moves
    told: list[object] = [view_to_json(view), [move.text for move in legal]]
    for moves in [[], *([move] for move in legal)] if view.my_turn else []:
        seen = preview(view, moves)
        told += [
            table_to_json(seen.table),
            seen.hand,
            [to_json(event) for event in seen.events],
            [move.text for move in seen.legal_moves],
            seen.turn_over,
            [seen.money(seat) for seat in range(view.table.setup.players)],
        ]
    return json.dumps(told)
