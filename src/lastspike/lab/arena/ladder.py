"""The ladder: all players rated together by OpenSkill, from games of every mix."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from lastspike.rules.errors import LastSpikeError

from .match import Deal, Settings
from .statistics import Interval, first_player_advantage, of_games, share_interval, student

RUNS = 50
"""The number of bootstrap samples of the deals."""


class Rung(NamedTuple):
    """One player's place: its rating, and its win share per seat."""

    name: str
    rating: Interval
    seats: int
    win_share: Interval

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "rating": self.rating.to_json(),
            "seats": self.seats,
            "win_share": self.win_share.to_json(),
        }


def climb(settings: Settings, deals: Sequence[Deal]) -> list[Rung]:
    """The players by rating, best first.

    OpenSkill assumes independent games, which those of one deal are not, and its ratings depend a
    little on the order. So the ratings are bootstrapped over deals: their mean is the rating, and
    their spread gives the interval.
    """
    random = Random(f"{settings.seed}/ladder")
    runs = [_rate(len(settings.names), random.choices(deals, k=len(deals))) for _ in range(RUNS)]
    rungs = [
        _rung(name, player, [ratings[player] for ratings in runs], deals)
        for player, name in enumerate(settings.names)
    ]
    return sorted(rungs, key=lambda rung: rung.rating.mean, reverse=True)


def ladder_summary(settings: Settings, deals: Sequence[Deal]) -> dict[str, Any]:
    """The ladder and the figures of its games, as JSON."""
    groups = [deal.games for deal in deals]
    games = [game for group in groups for game in group]
    return {
        "deals": len(deals),
        "fair_share": 1 / settings.players,
        "rungs": [rung.to_json() for rung in climb(settings, deals)],
        "first_player_advantage": first_player_advantage(groups, settings.players).to_json(),
        **of_games(games, settings.players),
    }


def check_openskill() -> None:
    """Raise `LastSpikeError` if OpenSkill is not installed."""
    try:
        import openskill  # noqa: F401 - an extra, and only ladders need it
    except ImportError:
        raise LastSpikeError(
            "a ladder needs OpenSkill: pip install {package}", package="'lastspike[arena]'"
        ) from None


def _rate(players: int, deals: Sequence[Deal]) -> list[float]:
    """The ratings after all games of the deals, in this order."""
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0)  # constant skill
    ratings = [model.rating() for _ in range(players)]
    for deal in deals:
        for game in deal.games:
            teams = [[ratings[player]] for player in game.line_up]
            rated = model.rate(teams, ranks=[float(rank) for rank in game.ranks])
            means = [rating.mu for rating in ratings]
            deviations = [rating.sigma for rating in ratings]
            # A player with several seats is updated by each: steps add up, deviations multiply.
            for player, (after,) in zip(game.line_up, rated, strict=True):
                before = ratings[player]
                means[player] += after.mu - before.mu
                deviations[player] *= after.sigma / before.sigma
            ratings = [model.rating(*both) for both in zip(means, deviations, strict=True)]
    # Only differences are meaningful: keep the initial mean.
    drift = fmean(rating.mu for rating in ratings) - model.mu
    return [rating.mu - drift for rating in ratings]


def _rung(name: str, player: int, ratings: Sequence[float], deals: Sequence[Deal]) -> Rung:
    shares: list[float] = []
    seats = 0
    for deal in deals:
        found = [
            game.share(seat)
            for game in deal.games
            for seat, number in enumerate(game.line_up)
            if number == player
        ]
        seats += len(found)
        if found:
            shares.append(fmean(found))
    mean = fmean(ratings)
    margin = student(len(deals) - 1) * stdev(ratings) if len(deals) > 1 else float("inf")
    return Rung(
        name,
        Interval(mean, mean - margin, mean + margin),
        seats,
        share_interval(shares) if shares else Interval(0.0, 0.0, 1.0),
    )
