"""Matches by paired deals: each deal is played in every arrangement of seats, with one shuffle.

Every game depends only on the seed, its deal and its arrangement, so the results are the same on
any number of cores and after resuming.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from functools import partial
from itertools import combinations, islice
from math import comb
from random import Random
from typing import Any, NamedTuple

from lastspike.rules.board import Seat
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.game import Game
from lastspike.rules.outcome import Reason, win_share
from lastspike.rules.records.shuffle import Stream, seed_of_series
from lastspike.rules.table import Options, Setup, setup

from .game_runner import Fault, Played, check_seats, play_between
from .luck import luck_of
from .times import time_bin
from .workers import Jobs, in_order

CHALLENGER = 0
"""The number of the player that is measured; the champions' numbers follow."""

LineUp = tuple[int, ...]
"""By seat: the player's number, its index in `Settings.names`."""


class Settings(NamedTuple):
    """Everything that determines the games of an arena.

    The first name is the challenger, the others are champions, who fill the other seats in turn; a
    ladder makes no difference between them. `reverse` adds each champion alone among challengers.
    `luck` records what was luck. With `decide`, a share, `deals` is a maximum: the match
    ends as soon as a difference this large is found or refuted (`sequential.py`).
    """

    names: tuple[str, ...]
    players: int
    deals: int
    seed: str
    edition: Edition
    options: Options = Options()
    reverse: bool = False
    ladder: bool = False
    luck: bool = False
    decide: float | None = None

    def setup(self) -> Setup:
        """The setup; `LastSpikeError` if the edition does not allow this number of players."""
        return setup(self.edition, self.players, self.options)

    @property
    def games_a_deal(self) -> int:
        return len(line_ups(self, 0))

    def to_json(self) -> dict[str, Any]:
        return {
            "names": list(self.names),
            "players": self.players,
            "deals": self.deals,
            "seed": self.seed,
            "edition": self.edition.id,
            "options": self.options._asdict(),
            "reverse": self.reverse,
            "ladder": self.ladder,
            "luck": self.luck,
            "decide": self.decide,
            "figures": self.edition.to_figures(),
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Settings:
        """The settings that `to_json` wrote; raises on anything else."""
        return cls(
            names=tuple(map(str, raw["names"])),
            players=int(raw["players"]),
            deals=int(raw["deals"]),
            seed=str(raw["seed"]),
            edition=figures.read(raw["figures"]),
            options=Options(**raw["options"]),
            reverse=bool(raw["reverse"]),
            ladder=bool(raw["ladder"]),
            luck=bool(raw["luck"]),
            decide=None if raw["decide"] is None else float(raw["decide"]),
        )


class Result(NamedTuple):
    """A finished game. `line_up`, `ranks`, `cash` and `own_turns` are by seat; so is `luck`, which
    is empty if it was not asked for."""

    line_up: LineUp
    first: Seat
    turns: int
    reason: Reason
    ranks: tuple[int, ...]
    cash: tuple[int, ...]
    bankrupt: tuple[Seat, ...]
    last_spike: Seat | None
    faults: tuple[Fault, ...]
    own_turns: tuple[int, ...]
    luck: tuple[float, ...] = ()

    @property
    def winners(self) -> list[Seat]:
        return [seat for seat, rank in enumerate(self.ranks) if rank == 1]

    def share(self, seat: Seat) -> float:
        """The seat's share of the win: 1/k for one of k winners."""
        return win_share(self.winners, seat)


class Deal(NamedTuple):
    """All games of one deal, in the order of their arrangements; and by player a histogram of turn
    times, in the bins of `times.py`."""

    number: int
    games: tuple[Result, ...]
    times: tuple[Counter[int], ...]


class Duel(NamedTuple):
    """One player among others, and the arrangements of each deal in which they meet."""

    player: int
    others: tuple[int, ...]
    arrangements: range


def duels(settings: Settings) -> list[Duel]:
    """The challenger among the champions and, with `reverse`, each champion among challengers."""
    champions = range(1, len(settings.names))
    pairs = [(CHALLENGER, tuple(champions[: settings.players - 1]))]
    if settings.reverse:
        # With two players, this would be the same games again.
        met = pairs[0][1] if settings.players == 2 else ()
        pairs += [(champion, (CHALLENGER,)) for champion in champions if champion not in met]
    seats = settings.players
    return [
        Duel(player, others, range(place * seats, (place + 1) * seats))
        for place, (player, others) in enumerate(pairs)
    ]


def line_ups(settings: Settings, deal: int) -> list[LineUp]:
    """The line-up of each game of a deal: every mix of players in all rotations."""
    if settings.ladder:
        return _rotations(_mix(settings, deal))
    return [
        line_up
        for duel in duels(settings)
        for line_up in _rotations(
            (duel.player, *(duel.others[i % len(duel.others)] for i in range(settings.players - 1)))
        )
    ]


def play_match(
    settings: Settings, jobs: Jobs = 1, done: Sequence[int] = ()
) -> Generator[Deal, None, None]:
    """Play all deals except those done, on `jobs`; yields them in order of their numbers. Closing
    it stops the work."""
    left = [number for number in range(settings.deals) if number not in set(done)]
    yield from in_order(partial(play_deal, settings), left, jobs, most=len(left))


def play_deal(settings: Settings, number: int) -> Deal:
    """Play one deal in every arrangement."""
    table = settings.setup()
    shuffle = seed_of_series(settings.seed, number)
    times: tuple[Counter[int], ...] = tuple(Counter() for _ in settings.names)
    games: list[Result] = []
    for arrangement, line_up in enumerate(line_ups(settings, number)):
        game = Game.shuffled(table, Stream(shuffle))
        seeds = [
            player_seed(settings.seed, number, arrangement, seat) for seat in range(table.players)
        ]
        played = play_between(game, [settings.names[player] for player in line_up], seeds)
        for player, seconds in zip(line_up, played.seconds, strict=True):
            times[player].update(map(time_bin, seconds))
        told = f"{settings.seed}/{number}/{arrangement}/luck"
        luck = luck_of(game, told) if settings.luck else ()
        games.append(_result(game, line_up, played, luck))
    return Deal(number, tuple(games), times)


def player_seed(seed: str, deal: int, arrangement: int, seat: Seat) -> str:
    """The seed of the computer player in this seat."""
    return f"{seed}/{deal}/{arrangement}/{seat}"


def check_names(settings: Settings) -> None:
    """Raise `LastSpikeError` if the names make no match or ladder, or a player would never play."""
    names = settings.names
    if len(names) < 2:
        raise LastSpikeError("an arena needs two players or more, for example: surveyor clerk")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if settings.ladder and twice:
        raise LastSpikeError("{name} is in the ladder twice; name each player once", name=twice[0])
    if settings.decide is not None and settings.reverse:
        raise LastSpikeError("--decide can’t be combined with --reverse")
    if settings.ladder and (settings.luck or settings.decide is not None):
        raise LastSpikeError("a ladder can’t be combined with --luck or --decide")
    if not (settings.ladder or settings.reverse):  # both of these give every player games
        check_seats(names, settings.players)


def _mix(settings: Settings, deal: int) -> LineUp:
    """The players of one deal of a ladder: each mix in turn, shuffled."""
    count, seats = len(settings.names), settings.players
    if count > seats:
        mixes = combinations(range(count), seats)
        mix = list(next(islice(mixes, deal % comb(count, seats), None)))
    else:
        mix = [(deal + place) % count for place in range(seats)]
    Random(f"{settings.seed}/{deal}/mix").shuffle(mix)
    return tuple(mix)


def _rotations(line_up: LineUp) -> list[LineUp]:
    """All rotations of the line-up."""
    size = len(line_up)
    return [tuple(line_up[(seat - moved) % size] for seat in range(size)) for moved in range(size)]


def _result(game: Game, line_up: LineUp, played: Played, luck: tuple[float, ...]) -> Result:
    outcome = game.outcome
    assert outcome is not None
    return Result(
        line_up=line_up,
        first=game.deal.first,
        turns=game.position.table.turns,
        reason=outcome.reason,
        ranks=outcome.ranks,
        cash=outcome.cash,
        bankrupt=outcome.bankrupt,
        last_spike=outcome.last_spike,
        faults=played.faults,
        own_turns=played.own_turns,
        luck=luck,
    )
