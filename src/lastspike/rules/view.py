"""Views: what one seat, or a spectator, may see; previews and resampling made from views alone.

`view_of` is the one function that makes a view. Nothing hidden goes through it, so whatever is
served from views (previews, computer players, sockets, logs) can't leak.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

from .board import NO_SPACE, Seat, Space
from .errors import IllegalMove, LastSpikeError, wrong_type
from .events import (
    PARTLY_HIDDEN,
    Event,
    FirstPlayer,
    GameOver,
    GrantTaken,
    LandBought,
    NothingBought,
    as_seen_by,
    money,
    to_json,
)
from .hidden import Hidden
from .moves import Move
from .position import Position
from .steps.laying import can_pay_for_any
from .steps.turn import LEGAL, PLAY, why_illegal
from .table import BANK, NOBODY, OUT, UNKNOWN, Table


class View(NamedTuple):
    """`seat` is None for a spectator. If cash is hidden, other players' cash is UNKNOWN in `table`.
    `hands` has None for each hand that the viewer may not see. `tiles`, `pool` and `aside` are
    numbers of tiles. `history` has all events, as this viewer saw them."""

    seat: Seat | None
    table: Table
    hands: tuple[tuple[Space, ...] | None, ...]
    tiles: tuple[int, ...]
    pool: int
    aside: int
    history: tuple[Event, ...]

    @property
    def hand(self) -> tuple[Space, ...]:
        """The viewer's own hand, empty for a spectator."""
        return () if self.seat is None else self.hands[self.seat] or ()

    @property
    def my_turn(self) -> bool:
        """Whether it is the viewer's turn."""
        return self.table.turn == self.seat and self.table.phase != "over"

    @property
    def legal_moves(self) -> list[Move]:
        """The viewer's legal moves; none if it isn't their turn."""
        return LEGAL[self.table.phase](self.table, self.hand) if self.my_turn else []


class Preview(NamedTuple):
    """What part of a turn would bring: the table and the hand after it, its events, the moves that
    could follow, and whether the turn would be over. The draw comes later and is unknown."""

    table: Table
    hand: tuple[Space, ...]
    events: tuple[Event, ...]
    legal_moves: tuple[Move, ...]
    turn_over: bool

    @property
    def legal(self) -> tuple[Move, ...]:
        """The old name of `legal_moves`. To be removed in version 0.4."""
        warnings.warn("Preview.legal is now Preview.legal_moves", DeprecationWarning, stacklevel=2)
        return self.legal_moves

    def money(self, seat: Seat) -> int:
        """What the previewed moves would add to a seat's cash."""
        return sum(money(event) for event in self.events if getattr(event, "seat", None) == seat)


def view_of(position: Position, seat: Seat | None, history: Iterable[Event] = ()) -> View:
    """What a seat (None: a spectator) may see of a position and its history.

    When the game is over, all hands, cash and draws are shown. If cash is hidden, `resample` needs
    the complete `history`.
    """
    table = position.table
    if seat is not None:
        if isinstance(seat, bool) or not isinstance(seat, int):
            raise wrong_type("seat", "int | None", seat)
        if not 0 <= seat < table.setup.players:
            raise LastSpikeError("no such seat: {seat}", seat=seat)
    options = table.setup.options
    hidden = position.hidden
    over = table.phase == "over"
    all_hands = over or options.hands == "open"
    shown = table.copy()
    if options.cash == "hidden" and not over:
        _hide_cash(shown, seat)
    return View(
        seat=seat,
        table=shown,
        hands=tuple(
            [
                tuple(hand) if all_hands or owner == seat else None
                for owner, hand in enumerate(hidden.hands)
            ]
        ),
        tiles=tuple(map(len, hidden.hands)),
        pool=len(hidden.pool),
        aside=len(hidden.aside),
        history=tuple(
            history
            if over
            else [
                as_seen_by(event, seat, options) if type(event) in PARTLY_HIDDEN else event
                for event in history
            ]
        ),
    )


def legal_in(view: View) -> list[Move]:
    """The old name of `view.legal_moves`. To be removed in version 0.4."""
    warnings.warn("legal_in(view) is now view.legal_moves", DeprecationWarning, stacklevel=2)
    return view.legal_moves


def preview(view: View, moves: Sequence[Move | str]) -> Preview:
    """What these moves would bring. They are the viewer's complete turn, or its beginning.

    The first move that can't be played raises `IllegalMove`.
    """
    table = view.table.copy()
    hand = view.hand
    events: list[Event] = []
    if not view.my_turn:
        raise IllegalMove("T4", "it’s not your turn")
    turn_over = False
    for given in moves:
        if turn_over:
            raise _why_turn_is_over(table, events)
        move = table.board.move(given)
        if move not in LEGAL[table.phase](table, hand):
            raise why_illegal(table, hand, move)
        track = table.track
        turn_over = PLAY[table.phase](table, move, events)
        hand = tuple(tile for tile in hand if not table.track & ~track & table.board.bit[tile])
    if table.setup.options.cash == "hidden":
        _hide_cash(table, view.seat)
        events = [event for event in events if not isinstance(event, GameOver)]
    legal = () if turn_over else tuple(LEGAL[table.phase](table, hand))
    return Preview(table, hand, tuple(events), legal, turn_over)


def resample(view: View, rng: Random) -> Position:
    """A full position that the viewer can't tell from the real one: all tiles that it can't see
    are dealt again, all ways equally likely. What other players' choices reveal is ignored."""
    if not isinstance(rng, Random):
        raise wrong_type("rng", "Random", rng)
    table = table_with_cash(view)
    known = {tile for hand in view.hands if hand for tile in hand}
    if table.chosen != NO_SPACE:  # F1: everybody knows of the tile that is to be paid for
        known.add(table.chosen)
    laid = table.track
    board = table.board
    unseen = [tile for tile in board.tiles if tile not in known and not laid & board.bit[tile]]
    while True:
        rng.shuffle(unseen)
        hidden = _dealt_anew(view, unseen)
        # L6: a player about to lay a tile can pay for one, else they would be bankrupt already.
        if table.phase != "lay" or can_pay_for_any(table, hidden.hands[table.turn]):
            return Position(table, hidden)


def table_with_cash(view: View) -> Table:
    """A copy of the table with everybody's cash; where it is hidden, as payments add up (B3)."""
    table = view.table.copy()
    table.cash = [
        added_up(view, seat) if cash == UNKNOWN else cash for seat, cash in enumerate(table.cash)
    ]
    return table


def without_others_cash(view: View) -> View:
    """The view to compute a hint from. Where cash is hidden (B3) a computer player could still
    derive it from the history, so every opponent gets the viewer's cash instead."""
    options = view.table.setup.options
    if options.cash == "open" or view.seat is None:
        return view
    table = view.table.copy()
    table.setup = table.setup._replace(options=options._replace(cash="open"))
    mine = table.cash[view.seat]
    table.cash = [mine if cash == UNKNOWN else cash for cash in table.cash]
    return view._replace(table=table)


def added_up(view: View, seat: Seat) -> int:
    """A seat's cash as anybody can add it up from the public payments (B3)."""
    if not view.table.in_game(seat):
        return 0
    if not view.history or not isinstance(view.history[0], FirstPlayer):
        raise LastSpikeError("hidden cash can be worked out only from the full history")
    setup = view.table.setup
    return setup.edition.starting_cash[setup.players] + sum(
        money(event) for event in view.history if getattr(event, "seat", None) == seat
    )


def table_to_json(table: Table) -> dict[str, Any]:
    """The open table as JSON takes it, with codes for numbers; `turn` is null when over."""
    board = table.board
    codes = board.codes
    names: dict[int, str | None] = {BANK: None, OUT: "out"}
    return {
        "cash": [None if cash == UNKNOWN else cash for cash in table.cash],
        "track": [codes[space] for space in board.spaces_in(table.track)],
        "land": {
            city.code: [names.get(h, h) for h in table.cards_of(board.city_of[city.code])]
            for city in board.edition.cities
        },
        "phase": table.phase,
        "turn": None if table.phase == "over" else table.turn,
    }


def view_to_json(view: View) -> dict[str, Any]:
    """The view as JSON takes it: all that a client or a computer player needs, and no more."""
    setup = view.table.setup
    return {
        "edition": setup.edition.id,
        "players": setup.players,
        "options": setup.options._asdict(),
        **now_to_json(view),
        "history": [to_json(event) for event in view.history],
    }


def now_to_json(view: View, open_table: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the view shows of the present, without the setup and the history.

    `open_table` is `table_to_json(view.table)`, where the caller has it already.
    """
    table = view.table
    codes = table.board.codes
    return {
        "seat": view.seat,
        **(open_table or table_to_json(table)),
        "chosen": None if table.chosen == NO_SPACE else codes[table.chosen],
        "bankrupt": list(table.bankrupt),
        "last_spike": None if table.last_spike == NOBODY else table.last_spike,
        "hands": [None if h is None else [codes[tile] for tile in h] for h in view.hands],
        "tiles": list(view.tiles),
        "pool": view.pool,
        "aside": view.aside,
        "legal": [move.text for move in view.legal_moves],
    }


def _dealt_anew(view: View, unseen: Sequence[Space]) -> Hidden:
    """The hands as far as they are known, and the unseen tiles in turn for all that is not."""
    table = view.table
    hands: list[tuple[Space, ...]] = []
    begin = 0
    for seat, hand in enumerate(view.hands):
        if hand is None:
            known = [table.chosen] if seat == table.turn and table.chosen != NO_SPACE else []
            end = begin + view.tiles[seat] - len(known)
            hand = tuple(sorted([*known, *unseen[begin:end]]))
            begin = end
        hands.append(hand)
    aside = begin + view.aside
    return Hidden(hands, unseen[aside:], unseen[begin:aside])


def _hide_cash(table: Table, seat: Seat | None) -> None:
    table.cash = [
        cash if owner == seat or not table.in_game(owner) else UNKNOWN
        for owner, cash in enumerate(table.cash)
    ]


def _why_turn_is_over(table: Table, events: Sequence[Event]) -> IllegalMove:
    kinds = {type(event) for event in events}
    if table.phase == "over":
        return IllegalMove("E1", "the last spike ends the game")
    if kinds & {LandBought, NothingBought}:
        return IllegalMove("T3", "you can make only one purchase per turn")
    if GrantTaken in kinds:
        return IllegalMove("B2", "you can’t buy land in a turn that brought you free land")
    return IllegalMove("T6", "there’s nothing you can buy, so your turn is over")
