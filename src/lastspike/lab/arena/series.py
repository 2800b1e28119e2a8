"""A series of games between computer players, dealt from one seed, and the tally of their results.

Each game depends only on the series' seed and its own number, and all sums are integers, so the
results are the same on any number of cores.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from lastspike.bots.greenhorn import Greenhorn
from lastspike.bots.levels import shown_name
from lastspike.rules.board import Seat
from lastspike.rules.editions.edition import Edition
from lastspike.rules.game import Game
from lastspike.rules.moves import Move
from lastspike.rules.outcome import Outcome, Reason, outcome
from lastspike.rules.position import advance, legal_moves, start
from lastspike.rules.records.record import Shuffle, dump_records, to_record
from lastspike.rules.records.shuffle import Stream, deal, seed_of_series
from lastspike.rules.table import Options, Setup, setup

from .game_runner import Faults, check_seats, play_between
from .workers import Jobs, in_order

WIN = 60
"""The points of a win; divisible by any number of winners from one to six."""

CHUNK = 200
"""Games per task: large enough for low overhead, small enough for smooth progress."""

CHUNK_WITH_BOTS = 4
"""The same for players that take time to move."""

CHUNKS_WORTH_A_PROCESS = 4
"""Starting a process takes about as long as playing this many chunks."""

Chooser = Callable[[Sequence[Move]], Move]


class Series(NamedTuple):
    """Everything that determines the games of a series. `bots` names the computer players, who take
    the seats in turn; if empty, all are Greenhorns."""

    edition: Edition
    players: int
    options: Options
    seed: str
    bots: tuple[str, ...] = ()

    def setup(self) -> Setup:
        """The setup; `LastSpikeError` if the edition does not allow this number of players, or
        more are named."""
        check_seats(self.bots, self.players)
        return setup(self.edition, self.players, self.options)

    @property
    def seats(self) -> list[str]:
        """By seat: the computer player's name."""
        bots = self.bots or (Greenhorn.level,)
        return [bots[seat % len(bots)] for seat in range(self.players)]

    @property
    def random(self) -> bool:
        """Whether all seats play at random; such games need no views and are fast."""
        return set(self.seats) == {Greenhorn.level}


class Ending(NamedTuple):
    """A finished game's data for the tally. `turns` counts those in which a tile was laid."""

    outcome: Outcome
    first: Seat
    moves: int
    turns: int


class Tally:
    """Sums over finished games.

    wins_by_seat       each seat's share of the wins, in points of WIN
    wins_in_order      the same in order of play, first player first
    cash, winners_cash the final cash of all players, and of one winner
    bankruptcies       bankrupt players; see also `games_with_bankrupts`
    ended              games by reason of ending
    spike_won          games whose last spike was driven by a winner
    faults             players' faults
    """

    def __init__(self, players: int) -> None:
        self.games = self.moves = self.turns = 0
        self.wins_by_seat = [0] * players
        self.wins_in_order = [0] * players
        self.shared_wins = 0
        self.cash = self.winners_cash = 0
        self.bankruptcies = self.games_with_bankrupts = 0
        self.ended: Counter[Reason] = Counter()
        self.spike_won = 0
        self.faults = Faults()

    def count(self, ending: Ending) -> None:
        result, first, moves, turns = ending
        players = len(self.wins_by_seat)
        self.games += 1
        self.moves += moves
        self.turns += turns
        for seat in result.winners:
            share = WIN // len(result.winners)
            self.wins_by_seat[seat] += share
            self.wins_in_order[(seat - first) % players] += share
        self.shared_wins += len(result.winners) > 1
        self.cash += sum(result.cash)
        self.winners_cash += result.cash[result.winners[0]]
        self.bankruptcies += len(result.bankrupt)
        self.games_with_bankrupts += bool(result.bankrupt)
        self.ended[result.reason] += 1
        self.spike_won += result.last_spike in result.winners

    def add(self, other: Tally) -> None:
        """Add another tally for the same number of players."""
        for name, theirs in vars(other).items():
            ours = getattr(self, name)
            if isinstance(ours, list):
                setattr(self, name, [a + b for a, b in zip(ours, theirs, strict=True)])
            else:
                setattr(self, name, ours + theirs)


class Chunk(NamedTuple):
    """Some games of a series: their tally and, if requested, their records as lines."""

    tally: Tally
    records: str


class WholeGame(NamedTuple):
    """A game with its moves, its shuffle, and its players' faults."""

    game: Game
    shuffle: Shuffle
    faults: Faults


def play_series(
    series: Series, games: int, jobs: Jobs = 1, records: bool = False
) -> Iterator[Chunk]:
    """Play games 0 to `games` - 1 on `jobs`; yields the chunks in order."""
    size = CHUNK if series.random else CHUNK_WITH_BOTS
    task = partial(play_chunk, series, records=records)
    return in_order(task, spans(games, size), jobs, most=processes_worth(games, size))


def spans(games: int, size: int) -> Iterator[range]:
    """The numbers of `games` games, in chunks of `size`; the last may be smaller."""
    return (range(begin, min(begin + size, games)) for begin in range(0, games, size))


def processes_worth(games: int, size: int) -> int:
    """How many processes are worth starting for `games` games in chunks of `size`."""
    return math.ceil(games / size) // CHUNKS_WORTH_A_PROCESS


def play_chunk(series: Series, numbers: range, records: bool = False) -> Chunk:
    """Play these games, one after the other."""
    table = series.setup()
    tally = Tally(series.players)
    lines: list[str] = []
    for number in numbers:
        if series.random and not records:
            tally.count(play_out(table, series.seed, number))
            continue
        whole = play_whole(series, table, number)
        tally.faults += whole.faults
        tally.count(_ending_of(whole.game))
        if records:
            lines.append(record_line(series, whole))
    return Chunk(tally, "".join(lines))


def play_whole(series: Series, table: Setup, number: int) -> WholeGame:
    """One game of a series between its players; `table` is the series' setup."""
    if series.random:
        return WholeGame(*play_game(table, series.seed, number), Faults())
    game, shuffle = _dealt(table, series.seed, number)
    seeds = [player_seed(series.seed, number, seat) for seat in range(series.players)]
    return WholeGame(game, shuffle, Faults.of(play_between(game, series.seats, seeds).faults))


def record_line(series: Series, whole: WholeGame) -> str:
    """The game's record as a line of a file."""
    more = {"players": _who(series.seats)} if series.bots else {}
    (line,) = dump_records([to_record(whole.game, whole.shuffle, **more)])
    return f"{line}\n"


def play_out(table: Setup, seed: str, number: int) -> Ending:
    """The ending of one random game of a series, without its history."""
    stream = Stream(seed_of_series(seed, number))
    dealt = deal(table, stream)
    position, _ = start(table, dealt, stream.shuffle)
    choosers = _choosers(table, seed, number)
    moves = 0
    while legal := legal_moves(position):
        advance(position, choosers[position.table.turn](legal), stream.shuffle)
        moves += 1
    result = outcome(position.table)
    assert result is not None
    return Ending(result, dealt.first, moves, position.table.turns)


def play_game(table: Setup, seed: str, number: int) -> tuple[Game, Shuffle]:
    """The same game with its moves and history, and the shuffle it was dealt from."""
    game, shuffle = _dealt(table, seed, number)
    choosers = _choosers(table, seed, number)
    while legal := game.legal_moves:
        game.play(choosers[game.position.table.turn](legal))
    return game, shuffle


def player_seed(seed: str, number: int, seat: Seat) -> str:
    """The seed of the computer player in this seat of this game."""
    return f"{seed}/{number}/{seat}"


def _dealt(table: Setup, seed: str, number: int) -> tuple[Game, Shuffle]:
    shuffle = Shuffle(seed_of_series(seed, number))
    return Game.shuffled(table, shuffle.stream()), shuffle


def _who(seats: Sequence[str]) -> list[dict[str, str]]:
    """The players as in records; equal names are numbered."""
    shown = []
    for place, name in enumerate(seats):
        number = f" {seats[: place + 1].count(name)}" if seats.count(name) > 1 else ""
        shown.append({"name": f"{shown_name(name)}{number}", "kind": name})
    return shown


def _choosers(table: Setup, seed: str, number: int) -> list[Chooser]:
    """By seat: a `Greenhorn` that gets the legal moves instead of a view, for speed."""
    return [Random(player_seed(seed, number, seat)).choice for seat in range(table.players)]


def _ending_of(game: Game) -> Ending:
    result = game.outcome
    assert result is not None
    return Ending(result, game.deal.first, len(game.moves), game.position.table.turns)
