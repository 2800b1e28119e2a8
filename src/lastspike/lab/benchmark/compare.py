"""The arena from Python: one player among others, over paired deals."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from lastspike.bots.levels import check_players
from lastspike.lab.arena.match import Deal, Settings, check_names, play_match
from lastspike.lab.arena.statistics import (
    Interval,
    Verdict,
    WhyNone,
    faults,
    is_decided,
    summary,
    timings,
)
from lastspike.lab.arena.workers import Jobs
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import DEFAULT_EDITION, shipped
from lastspike.rules.table import Options


class Comparison(NamedTuple):
    """A player among others.

    share      its share of the wins, with the 95% interval; without luck, if that was asked for
    fair       the share of a player as strong as the others
    verdict    how they compare; `why_none` says why there is no verdict
    figures    everything that `lastspike arena --json` writes about the match
    """

    share: Interval
    fair: float
    verdict: Verdict
    why_none: WhyNone | None
    figures: dict[str, Any]


def compare(
    player: str,
    opponents: Sequence[str] = ("surveyor",),
    *,
    players: int = 4,
    deals: int = 100,
    seed: str | None = None,
    jobs: Jobs = 1,
    edition: str | Edition = DEFAULT_EDITION,
    options: Options | None = None,
    luck: bool = False,
    decide: float | None = None,
    on_deal: Callable[[int], None] | None = None,
) -> Comparison:
    """Play each deal with the player in every seat; the opponents fill the other seats in turn.

    Players are named as on the command line, see `docs/players.md`. The same seed gives the same
    result for any number of `jobs`; more than one needs a script with `if __name__ == "__main__":`.
    `on_deal` is called with the number of deals done. Raises `LastSpikeError` if there can be no
    such match.
    """
    settings = Settings(
        names=(player, *([opponents] if isinstance(opponents, str) else opponents)),
        players=players,
        deals=deals,
        seed=secrets.token_hex(8) if seed is None else seed,
        edition=shipped(edition) if isinstance(edition, str) else edition,
        options=options or Options(),
        luck=luck,
        decide=decide,
    )
    check_names(settings)
    settings.setup()
    check_players(settings.names)
    done: list[Deal] = []
    with closing(play_match(settings, jobs)) as playing:
        while not is_decided(settings, done) and (deal := next(playing, None)):
            done.append(deal)
            if on_deal:
                on_deal(len(done))
    return comparison(settings, done)


def comparison(settings: Settings, deals: Sequence[Deal]) -> Comparison:
    """What these deals of a match say."""
    (duel,) = summary(settings, deals)
    shown = duel["without_luck"]["win_share"] if settings.luck else duel["win_share"]
    return Comparison(
        share=Interval(**shown),
        fair=duel["fair_share"],
        verdict=duel["verdict"],
        why_none=duel["why_none"],
        figures={
            "settings": settings.to_json(),
            "duel": duel,
            "faults": faults(settings, deals),
            "turns": timings(settings, deals),
        },
    )
