"""Matches of Tycoon on an accelerator, thousands of games in seconds, and how good its beliefs are.

    python bench/tycoon_matches.py [--players 4] [--deals 512] [--seed 1] [--match first ...]

Each deal is played with the measured player in every place of the order of play. The first edition
searches 64 worlds in which all deals are equally likely and all others are Surveyors, with the nets
in `bench/first_edition`. The clairvoyant players are yardsticks: no table offers them.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from lastspike.bots.tycoon.net import Net
from lastspike.bots.tycoon.net_lookup import NetForMap, net_for, policy_for
from lastspike.bots.tycoon.opponents.evidence import Trust
from lastspike.bots.tycoon.opponents.worlds import Beliefs
from lastspike.bots.tycoon.search import Budget
from lastspike.bots.tycoon.weights import read_net
from lastspike.lab.train.contest import (
    ALL_BY_NET,
    ALL_SURVEYORS,
    ALSO_SEARCHES,
    BELIEFS,
    BY_EVIDENCE,
    EQUAL,
    HANDS,
    PLAYS_AS_SURVEYOR,
    PLAYS_BY_NET,
    SEARCHES,
    WORLD,
    Searcher,
    contest,
)
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.table import setup

FIRST_EDITION = Path(__file__).parent / "first_edition"
MOST_WORLDS = 64
CHUNK = 64
"""Games that are searched at once."""


class Match(NamedTuple):
    """One player among others: what the seats do, and the two searchers."""

    name: str
    one: int
    others: int
    searcher: Searcher
    other: Searcher


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--deals", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--match", nargs="*", help="only those whose name contains one of these")
    asked = parser.parse_args()
    rules = setup(shipped(), asked.players)
    found, policy = net_for(rules), policy_for(rules)
    assert found is not None
    assert policy is not None
    name = f"columbia-2015-{asked.players}.npz"
    first = read_net((FIRST_EDITION / name).read_bytes(), name, asked.players)
    play = contest(found.table, Budget(worlds=MOST_WORLDS), CHUNK)
    for match in matches(found, policy, first):
        if not asked.match or any(part in match.name for part in asked.match):
            report(play, match, first, asked)


def matches(found: NetForMap, policy: Net, first: Net) -> list[Match]:
    """The matches that docs/measured.md reports."""
    usual = Budget()

    def searcher(source: int, others: int, worlds: int = usual.worlds) -> Searcher:
        trust = Trust(*map(jnp.array, Trust()))
        prior, whim = jnp.array(Beliefs().surveyors), jnp.array(usual.whim)
        return Searcher(
            value=jax.tree.map(jnp.asarray, found.net),
            policy=jax.tree.map(jnp.asarray, policy),
            source=jnp.array(source),
            others=jnp.array(others),
            trust=trust,
            prior=prior,
            whim=whim,
            worlds=jnp.array(worlds),
        )

    tycoon = searcher(BELIEFS, BY_EVIDENCE)
    first_edition = searcher(EQUAL, ALL_SURVEYORS, 64)._replace(
        value=jax.tree.map(jnp.asarray, first), whim=jnp.array(0.0)
    )
    without, few, many = (
        searcher(EQUAL, BY_EVIDENCE),
        searcher(BELIEFS, BY_EVIDENCE, 16),
        searcher(BELIEFS, BY_EVIDENCE, 64),
    )
    knows_hands, knows_all = searcher(HANDS, ALL_BY_NET), searcher(WORLD, ALL_BY_NET)
    one, other = SEARCHES, ALSO_SEARCHES
    return [
        Match("tycoon among first editions", one, other, tycoon, first_edition),
        Match("tycoon among surveyors", one, PLAYS_AS_SURVEYOR, tycoon, first_edition),
        Match("tycoon among first nets", one, PLAYS_BY_NET, tycoon, first_edition),
        Match("surveyor among tycoons", PLAYS_AS_SURVEYOR, one, tycoon, first_edition),
        Match("first edition among tycoons", other, one, tycoon, first_edition),
        Match("without beliefs among first editions", one, other, without, first_edition),
        Match("with beliefs among those without", one, other, tycoon, without),
        Match("64 worlds among 16", one, other, many, few),
        Match("clairvoyant of hands among first editions", one, other, knows_hands, first_edition),
        Match("clairvoyant of all among first editions", one, other, knows_all, first_edition),
        Match("clairvoyant of hands among tycoons", one, other, knows_hands, tycoon),
    ]


def report(play: Any, match: Match, plain: Net, asked: argparse.Namespace) -> None:
    both = jax.tree.map(lambda a, b: jnp.stack([a, b]), match.searcher, match.other)
    plain = jax.tree.map(jnp.asarray, plain)
    shares, told, began = [], np.zeros(4), time.monotonic()
    for place in range(asked.players):
        line_up = np.full(asked.players, match.others)
        line_up[place] = match.one
        key = jax.random.key(asked.seed)
        found = play(asked.deals, both, plain, jnp.asarray(line_up), key)
        shares.append(np.asarray(found.shares)[:, place])
        told = told + np.asarray(found.told)
    by_deal = np.mean(shares, axis=0)
    margin = 1.96 * by_deal.std(ddof=1) / np.sqrt(len(by_deal))
    print(f"{match.name}: {100 * by_deal.mean():.1f} ± {100 * margin:.1f}", end=", ")
    print(f"{time.monotonic() - began:.0f} s", flush=True)
    tiles = told[:, 2]
    if tiles.sum():
        print("  turn, log score of a tile's true holder by the beliefs, and by chance:")
        for turn in range(3, len(tiles), 6):
            believed, chance = told[turn, :2] / max(tiles[turn], 1)
            print(f"  {turn:2} {believed:.3f} {chance:.3f}")


if __name__ == "__main__":
    main()
