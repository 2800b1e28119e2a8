"""A note of each game: enough for every figure of a study, and small enough to send."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lastspike.bots.levels import TYCOON
from lastspike.bots.surveyor import Surveyor
from lastspike.lab.arena.game_runner import Fault, Faults, play_between
from lastspike.lab.arena.series import Series, player_seed
from lastspike.rules.board import Seat
from lastspike.rules.events import Payout, RouteFinished
from lastspike.rules.game import Game
from lastspike.rules.outcome import Outcome
from lastspike.rules.records.holdings import Holding, holdings
from lastspike.rules.records.shuffle import Stream, seed_of_series

TYCOON_AHEAD = f"{TYCOON}:0"
"""Tycoon without search: it looks one turn ahead."""

GAMES_AT_ONCE = {Surveyor.level: 512, TYCOON_AHEAD: 128}
"""By player: games per batch. Large enough for efficient arrays; one batch takes about as long as
starting a process."""


class Note(NamedTuple):
    """A finished game. `routes` are those finished, in order; `turns` counts those with a tile
    laid."""

    outcome: Outcome
    first: Seat
    turns: int
    routes: tuple[str, ...]
    payouts: tuple[Payout, ...]
    holdings: tuple[Holding, ...]
    faults: Faults = Faults()


def note_of(game: Game, faults: Sequence[Fault] = ()) -> Note:
    """The note of a finished game."""
    outcome = game.outcome
    assert outcome is not None
    history = game.history
    return Note(
        outcome=outcome,
        first=game.deal.first,
        turns=game.position.table.turns,
        routes=tuple(event.route for event in history if isinstance(event, RouteFinished)),
        payouts=tuple(event for event in history if isinstance(event, Payout)),
        holdings=tuple(holdings(history, game.setup.board)),
        faults=Faults.of(faults),
    )


def play_and_note(series: Series, numbers: range) -> list[Note]:
    """Play these games of a series with one kind of player. They are the games of `lastspike
    simulate` with the same seed."""
    table = series.setup()
    games = [Game.shuffled(table, Stream(seed_of_series(series.seed, n))) for n in numbers]
    (player,) = series.bots
    if player in GAMES_AT_ONCE:
        from lastspike.bots import tycoon  # noqa: F401 - sets a variable that NumPy reads

        from .batch_players import batch_players_of  # imports NumPy, which is slow
        from .lockstep import play_in_lockstep

        play_in_lockstep(games, batch_players_of(player, table))
        return [note_of(game) for game in games]
    notes = []
    for number, game in zip(numbers, games, strict=True):
        seeds = [player_seed(series.seed, number, seat) for seat in range(series.players)]
        played = play_between(game, series.seats, seeds)
        notes.append(note_of(game, played.faults))
    return notes
