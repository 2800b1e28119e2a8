"""The statistics of a match: win shares with confidence intervals, and other figures.

Games of one deal share their shuffle, so only deals are independent. Every interval is computed
from one mean per deal, by Student's t.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from statistics import NormalDist, fmean, stdev, variance
from typing import Any, Literal, NamedTuple, get_args

from lastspike.rules.board import Seat
from lastspike.rules.outcome import Reason

from .match import Deal, Duel, Result, Settings, duels
from .sequential import FEWEST_DEALS, decision
from .times import seconds_in

CONFIDENCE = 0.95

Verdict = Literal["clearly stronger", "clearly weaker", "no clear difference", "no verdict"]

WhyNone = Literal["never ran", "too few deals", "no spread", "not decided"]
"""Why there is no verdict: a player made no turn of its own, there are fewer than `FEWEST_DEALS`,
all deals had the same share, or a sequential test ended without a decision."""


class Interval(NamedTuple):
    """A mean and its 95% confidence interval; with a single deal both ends are infinite."""

    mean: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width, or the longer side of a clipped interval."""
        return max(self.high - self.mean, self.mean - self.low)

    def to_json(self) -> dict[str, float | None]:
        return {
            name: value if math.isfinite(value) else None for name, value in self._asdict().items()
        }


def interval(means: Sequence[float]) -> Interval:
    """The mean of independent means, one per deal, and its interval."""
    mean = fmean(means)
    if len(means) < 2:
        return Interval(mean, -math.inf, math.inf)
    margin = student(len(means) - 1) * stdev(means, mean) / math.sqrt(len(means))
    return Interval(mean, mean - margin, mean + margin)


def share_interval(shares: Sequence[float]) -> Interval:
    """As `interval`, for shares between 0 and 1.

    If every deal was won, or lost, the variance is zero and Student's t would give no margin; then
    the end is the share at which that has a chance of one in forty.
    """
    mean, low, high = interval(shares)
    rare = ((1 - CONFIDENCE) / 2) ** (1 / len(shares))
    if len(shares) > 1 and mean == 1:
        low = rare
    if len(shares) > 1 and mean == 0:
        high = 1 - rare
    return Interval(mean, max(low, 0.0), min(high, 1.0))


@cache
def student(freedom: int) -> float:
    """The half-width of the interval in standard errors, by degrees of freedom."""
    if freedom > 2000:  # the normal distribution differs only in the fourth digit
        return NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    low, high = 0.0, 16.0
    for _ in range(60):
        middle = (low + high) / 2
        if _within(middle, freedom) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return high


def verdict(share: Interval, fair: float) -> Verdict:
    """The comparison of a win share with the fair share."""
    if share.low > fair:
        return "clearly stronger"
    return "clearly weaker" if share.high < fair else "no clear difference"


def judged(
    settings: Settings, duel: Duel, deals: Sequence[Deal], shares: Sequence[float], share: Interval
) -> tuple[Verdict, WhyNone | None]:
    """The verdict on a duel, or why there is none. `shares` are by deal, with their interval.

    A player that won or lost every deal is judged by its exact interval; see `share_interval`.
    """
    if never_ran(settings, duel, deals):
        return "no verdict", "never ran"
    if len(deals) < FEWEST_DEALS:
        return "no verdict", "too few deals"
    fair = 1 / settings.players
    if settings.decide is not None:
        decided = decision(shares, fair, settings.decide)
        return (decided, None) if decided else ("no verdict", "not decided")
    if min(shares) == max(shares) and 0 < shares[0] < 1:
        return "no verdict", "no spread"
    return verdict(share, fair), None


def is_decided(settings: Settings, deals: Sequence[Deal]) -> bool:
    """Whether a match with `decide` can end after these deals, its first ones."""
    if settings.decide is None:
        return False
    duel = duels(settings)[0]
    shares = judged_shares(settings, duel, deals)
    return decision(shares, 1 / settings.players, settings.decide) is not None


def never_ran(settings: Settings, duel: Duel, deals: Sequence[Deal]) -> list[str]:
    """The names of those players of a duel that made no turn of their own in it."""
    turns: Counter[int] = Counter(dict.fromkeys((duel.player, *duel.others), 0))
    for deal in deals:
        for game in _games(duel, deal):
            for player, own in zip(game.line_up, game.own_turns, strict=True):
                turns[player] += own
    return [settings.names[player] for player, own in turns.items() if not own]


def without_luck(shares: Sequence[float], lucks: Sequence[float]) -> list[float]:
    """The shares by deal, less what luck explains of each.

    The luck of a deal has a mean of zero, and its factor comes from the other deals alone. So
    their product has a mean of zero as well, and the mean of the shares is unchanged (see
    `luck.py`).
    """
    n = len(shares)
    if n < 3:
        return list(shares)
    sum_x, sum_c = sum(shares), sum(lucks)
    sum_xc = sum(x * c for x, c in zip(shares, lucks, strict=True))
    sum_cc = sum(c * c for c in lucks)
    adjusted = []
    for x, c in zip(shares, lucks, strict=True):
        others_x, others_c = sum_x - x, sum_c - c
        together = sum_xc - x * c - others_x * others_c / (n - 1)
        spread = sum_cc - c * c - others_c * others_c / (n - 1)
        adjusted.append(x - c * together / spread if spread > 1e-12 else x)
    return adjusted


def judged_shares(settings: Settings, duel: Duel, deals: Sequence[Deal]) -> list[float]:
    """By deal, the shares that the verdict is based on."""
    shares = win_shares(duel, deals)
    if not settings.luck:
        return shares
    lucks = [fmean(game.luck[_seat(game, duel)] for game in _games(duel, d)) for d in deals]
    return without_luck(shares, lucks)


def summary(settings: Settings, deals: Sequence[Deal]) -> list[dict[str, Any]]:
    """The figures of each duel, as JSON; the deals must be in order of their numbers."""
    return [_of_duel(settings, duel, deals) for duel in duels(settings)]


def win_shares(duel: Duel, deals: Sequence[Deal]) -> list[float]:
    """By deal: the player's win share, averaged over its seats."""
    return [fmean(_share(game, duel) for game in _games(duel, deal)) for deal in deals]


def faults(settings: Settings, deals: Sequence[Deal]) -> dict[str, Any]:
    """By name: the number of faults and the first one; players without faults are omitted."""
    found: dict[str, Any] = {}
    for deal in deals:
        for arrangement, game in enumerate(deal.games):
            for fault in game.faults:
                first = {
                    "deal": deal.number,
                    "arrangement": arrangement,
                    "seat": fault.seat,
                    "what": fault.what,
                }
                name = settings.names[game.line_up[fault.seat]]
                found.setdefault(name, {"count": 0, "first": first})["count"] += 1
    return found


def timings(settings: Settings, deals: Sequence[Deal]) -> dict[str, Any]:
    """By name: the number of turns, and the median and 99th percentile of their seconds."""
    total: dict[str, Counter[int]] = {}
    for deal in deals:
        for name, bins in zip(settings.names, deal.times, strict=True):
            total.setdefault(name, Counter()).update(bins)
    return {
        name: {
            "turns": bins.total(),
            "median": seconds_in(bins, 0.5),
            "percentile_99": seconds_in(bins, 0.99),
        }
        for name, bins in total.items()
    }


def of_games(games: Sequence[Result], players: int) -> dict[str, Any]:
    """Figures of games that do not depend on who played."""
    in_order = [0.0] * players
    for game in games:
        for seat in game.winners:
            in_order[(seat - game.first) % players] += game.share(seat)
    ended = Counter(game.reason for game in games)
    return {
        "games": len(games),
        "turns": {
            "mean": fmean(game.turns for game in games),
            "shortest": min(game.turns for game in games),
            "longest": max(game.turns for game in games),
        },
        "shared_wins": sum(len(game.winners) > 1 for game in games),
        "wins_in_order_of_play": [wins / len(games) for wins in in_order],
        "ended": {reason: ended[reason] for reason in get_args(Reason)},
    }


def first_player_advantage(groups: Sequence[Sequence[Result]], players: int) -> Interval:
    """The first player's win share above the fair one; `groups` are the games by deal."""
    shares = [fmean(game.share(game.first) for game in games) for games in groups]
    found = share_interval(shares) if len(shares) > 1 else interval(shares)
    return Interval(*(value - 1 / players for value in found))


def _of_duel(settings: Settings, duel: Duel, deals: Sequence[Deal]) -> dict[str, Any]:
    players = settings.players
    fair = 1 / players
    groups = [_games(duel, deal) for deal in deals]
    games = [game for group in groups for game in group]
    shares = win_shares(duel, deals)
    share = share_interval(shares)
    values = judged_shares(settings, duel, deals)
    adjusted = share_interval(values)
    found, why_none = judged(settings, duel, deals, values, adjusted)
    return {
        "player": settings.names[duel.player],
        "others": [settings.names[other] for other in duel.others],
        "deals": len(deals),
        "fair_share": fair,
        "win_share": share.to_json(),
        "verdict": found,
        "why_none": why_none,
        "never_ran": never_ran(settings, duel, deals),
        **({"without_luck": _saving(shares, values, adjusted)} if settings.luck else {}),
        "win_share_by_seat": [
            fmean(_share(g[seat], duel) for g in groups) for seat in range(players)
        ],
        "first_player_advantage": first_player_advantage(groups, players).to_json(),
        **of_games(games, players),
        "of_player": _of_seats([(game, _seat(game, duel)) for game in games]),
        "of_others": _of_seats(
            [(g, seat) for g in games for seat in range(players) if seat != _seat(g, duel)]
        ),
        "win_share_by_deal": shares,
    }


def _of_seats(seats: Sequence[tuple[Result, Seat]]) -> dict[str, Any]:
    """The figures of these seats of these games."""
    drivers = [game for game, seat in seats if seat == game.last_spike]
    return {
        "mean_cash": fmean(game.cash[seat] for game, seat in seats),
        "bankruptcies": sum(seat in game.bankrupt for game, seat in seats),
        "last_spikes": len(drivers),
        "last_spikes_that_won": sum(game.last_spike in game.winners for game in drivers),
    }


def _saving(shares: Sequence[float], values: Sequence[float], adjusted: Interval) -> dict[str, Any]:
    """The share without luck, and the fraction of the games that it needs for the same
    certainty."""
    plain = variance(shares) if len(shares) > 1 else 0.0
    part = variance(values) / plain if plain else None
    return {"win_share": adjusted.to_json(), "games_needed": part}


def _games(duel: Duel, deal: Deal) -> list[Result]:
    return [deal.games[arrangement] for arrangement in duel.arrangements]


def _seat(game: Result, duel: Duel) -> Seat:
    return game.line_up.index(duel.player)


def _share(game: Result, duel: Duel) -> float:
    return game.share(_seat(game, duel))


def _within(t: float, freedom: int) -> float:
    """The probability of Student's t between -t and t (Abramowitz and Stegun, 26.7.3, 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    cosine = math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0 if freedom == 1 else term
    for n in range(2 + odd, freedom, 2):
        term *= cosine**2 * (n - 1) / n
        total += term
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if odd else total
