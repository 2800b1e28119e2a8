"""A game split into its turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from lastspike.rules.board import Seat
from lastspike.rules.events import Event, PoolMixed, TileChosen, TrackLaid
from lastspike.rules.game import Game
from lastspike.rules.moves import Move
from lastspike.rules.position import Position
from lastspike.rules.view import View, view_of


class Turn(NamedTuple):
    """One turn. `number` counts from 1.

    before    the position as the turn began
    history   all events before it
    moves     what the player did
    events    what came of it, up to the next turn: drawing, skipped turns and bankruptcies too
    remixes   how many times the pool had been mixed again by its end, since the deal
    after     the position as the next turn began, or the end
    """

    number: int
    seat: Seat
    before: Position
    history: tuple[Event, ...]
    moves: tuple[Move, ...]
    events: tuple[Event, ...]
    remixes: int
    after: Position

    @property
    def view(self) -> View:
        """All that the player knew as the turn began."""
        return view_of(self.before, self.seat, self.history)


class GameTurns(NamedTuple):
    """`dealt` are the events before the first turn, `start` is the position then, and `remixes` is
    how many times the pool had been mixed again by then."""

    game: Game
    dealt: tuple[Event, ...]
    start: Position
    remixes: int
    turns: tuple[Turn, ...]


def turns_of(game: Game) -> GameTurns:
    """Replay a game turn by turn. The last turn of a game in progress may be unfinished."""
    again = game.again()
    dealt, start, remixes = tuple(again.history), again.position, len(again.remixed)
    turns: list[Turn] = []
    # Each turn begins with its tile, laid or chosen (T1).
    beginnings = [place for place, move in enumerate(game.moves) if move.kind == "lay"]
    for begin, end in pairwise([*beginnings, len(game.moves)]):
        seat, before, history = again.turn, again.position, tuple(again.history)
        assert seat is not None
        moves = tuple(game.moves[begin:end])
        events = tuple(event for move in moves for event in again.play(move))
        mixed = len(again.remixed)
        number = len(turns) + 1
        turns.append(Turn(number, seat, before, history, moves, events, mixed, again.position))
    return GameTurns(game, dealt, start, remixes, tuple(turns))


def events_by_turn(history: Iterable[Event]) -> Iterator[tuple[int, list[Event]]]:
    """Events, or a viewer's part of them, with the number of their turn; 0 for those before the
    first. A turn begins as its tile is laid, or chosen if money must be raised for it (T1, F1)."""
    number, events = 0, list[Event]()
    raising = False
    for event in history:
        if isinstance(event, TileChosen | TrackLaid):
            if not raising:
                if events:
                    yield number, events
                number, events = number + 1, []
            raising = isinstance(event, TileChosen)
        events.append(event)
    if events:
        yield number, events


class MadeTurn(NamedTuple):
    """A turn without its positions. `remixes` counts as in `Turn`."""

    number: int
    seat: Seat
    moves: tuple[Move, ...]
    remixes: int


def made_turns(game: Game) -> tuple[int, list[MadeTurn]]:
    """How many times the pool was mixed again before the first turn, and all turns, from the game's
    history: without replaying it, which `turns_of` does."""
    beginnings = [place for place, move in enumerate(game.moves) if move.kind == "lay"]
    moves = [game.moves[begin:end] for begin, end in pairwise([*beginnings, len(game.moves)])]
    dealt = remixes = 0
    turns: list[MadeTurn] = []
    for number, events in events_by_turn(game.history):
        remixes += sum(isinstance(event, PoolMixed) for event in events)
        if number == 0:
            dealt = remixes
            continue
        seat = next(each.seat for each in events if isinstance(each, TileChosen | TrackLaid))
        turns.append(MadeTurn(number, seat, tuple(moves[number - 1]), remixes))
    return dealt, turns
