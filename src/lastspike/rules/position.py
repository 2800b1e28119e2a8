"""A position: its legal moves, playing them, and what happens between turns (T4, T5, L6, E3, K2).

The open table and the hidden tiles are two values. A turn needs only the table and the mover's own
hand (`turn.py`); what is hidden is touched only between turns.
"""

from __future__ import annotations

from .board import Space
from .events import Event, FirstPlayer, TileDrawn, TurnSkipped
from .hidden import Deal, Hidden
from .moves import Move
from .steps.bankruptcy import Remix, go_bankrupt
from .steps.laying import can_pay_for_any
from .steps.turn import LEGAL, PLAY, end_game, why_illegal
from .table import Setup, Table


class Position:
    """Table and hidden tiles. Treat it as a value: `play` doesn't change the given position."""

    __slots__ = ("_legal", "hidden", "table")

    def __init__(self, table: Table, hidden: Hidden) -> None:
        self.table = table
        self.hidden = hidden
        self._legal: list[Move] | None = None

    def copy(self) -> Position:
        return Position(self.table.copy(), self.hidden.copy())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.table == other.table and self.hidden == other.hidden

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        from .records.notation import to_text  # which reads positions, and so imports this module

        return f"<{to_text(self)}>"

    @property
    def hand(self) -> tuple[Space, ...]:
        """The hand of the player to move."""
        return tuple(self.hidden.hands[self.table.turn])


def start(setup: Setup, deal: Deal, remix: Remix) -> tuple[Position, list[Event]]:
    """The position after the deal. The first player may be bankrupt at once (K1)."""
    hidden = Hidden(deal.hands, deal.pool, deal.aside)
    position = Position(Table(setup, deal.first), hidden)
    codes = setup.board.codes
    events: list[Event] = [FirstPlayer(deal.first, tuple(codes[space] for space in deal.drawn))]
    _begin_turn(position, remix, events)
    return position, events


def legal_moves(position: Position) -> list[Move]:
    """The legal moves of the player to move, sorted by text; none when the game is over.

    The position keeps this list: copy it before you change it.
    """
    legal = position._legal
    if legal is None:
        table = position.table
        legal = LEGAL[table.phase](table, position.hidden.hands[table.turn])
        position._legal = legal
    return legal


def play(position: Position, move: Move | str, remix: Remix) -> tuple[Position, list[Event]]:
    """The position after a move, or its text, and what happened.

    `remix` mixes the pool if a player goes bankrupt. An illegal move raises `IllegalMove` with the
    rule that forbids it. The given position never changes.
    """
    legal = legal_moves(position)
    if move not in legal:
        move = position.table.board.move(move)
        if move not in legal:
            raise why_illegal(position.table, position.hand, move)
    after = position.copy()
    events: list[Event] = []
    advance(after, move, remix, events)
    return after, events


def advance(
    position: Position, move: Move, remix: Remix, events: list[Event] | None = None
) -> None:
    """Play a move in place and *unchecked*. If `events` is a list, what happened is added to it.

    Without it, this is the playout path, for computer players.
    """
    position._legal = None
    table = position.table
    space = move.space if table.phase == "lay" else table.chosen
    track = table.track
    turn_over = PLAY[table.phase](table, move, events)
    if table.track != track:
        position.hidden.lay(table.turn, space)
    if turn_over and table.phase != "over":
        _end_turn(position, remix, events)


def _end_turn(position: Position, remix: Remix, events: list[Event] | None) -> None:
    """T4, E3: draw one tile; then the next player's turn, unless nobody has a tile."""
    if position.hidden.pool:
        _draw(position, events)
    elif position.hidden.nobody_has_a_tile():
        end_game(position.table, events)
        return
    _pass_turn(position.table)
    _begin_turn(position, remix, events)


def _begin_turn(position: Position, remix: Remix, events: list[Event] | None) -> None:
    """T5, L6, K2: find the next player who can lay a tile, from the one whose turn it is on.

    Somebody has a tile here: a turn that left nobody with one has ended the game (E3),
    a skipped turn changes nothing, and a bankrupt's tiles go into the pool.
    """
    table = position.table
    hidden = position.hidden
    dearest = table.board.dearest
    table.phase = "lay"
    while True:
        seat = table.turn
        if not hidden.hands[seat] and hidden.pool:
            _draw(position, events)
        hand = hidden.hands[seat]
        if hand:
            if table.cash[seat] >= dearest or can_pay_for_any(table, hand):
                return
            go_bankrupt(table, hidden, remix, events)
            if len(table.bankrupt) == table.setup.players - 1:
                end_game(table, events)
                return
        elif events is not None:
            events.append(TurnSkipped(seat))
        _pass_turn(table)


def _draw(position: Position, events: list[Event] | None) -> None:
    """T4, T5: the next tile of the pool."""
    seat = position.table.turn
    tile = position.hidden.draw(seat)
    if events is not None:
        events.append(TileDrawn(seat, position.table.board.codes[tile]))


def _pass_turn(table: Table) -> None:
    """T4: clockwise to the next player still in the game."""
    players = len(table.cash)
    seat = table.turn + 1
    if seat == players:
        seat = 0
    while seat in table.bankrupt:
        seat = (seat + 1) % players
    table.turn = seat
