"""The worlds that a search plays in, and how the other players play there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lastspike.batch import State, random_remix, split
from lastspike.batch.arrays import Array, ArrayModule, as_array
from lastspike.batch.luck import Source, random_numbers
from lastspike.batch.resampling import resample
from lastspike.batch.steps.bankruptcy import mixed_pool
from lastspike.batch.turns import repeat
from lastspike.bots.tycoon.net import Net
from lastspike.bots.tycoon.outlook import Map
from lastspike.rules.view import View

from .evidence import Trust, evidence_of
from .hands import Drawn, draw_hands
from .history import read_history
from .policy import BY_NET


class Worlds(NamedTuple):
    """Some worlds for each game, next to each other.

    dealt    [games * worlds]         the game with its unseen tiles dealt
    remix    [games * worlds, ...]    how the pool is mixed after a bankruptcy
    kinds    [seats, games * worlds]  how each seat plays there
    """

    dealt: State
    remix: Array
    kinds: Array


def equal_worlds(
    table: Map, state: State, worlds: int, kind: int, source: Source, xp: ArrayModule
) -> Worlds:
    """Worlds in which every deal of the tiles unseen by the mover is equally likely."""
    for_deals, for_remix = split(source, 2)
    viewer = xp.repeat(state.turn, worlds)
    dealt = resample(table.board, repeat(state, worlds, xp), viewer, for_deals, xp)
    remix = random_remix(for_remix, dealt.games, table.board.shape)
    return Worlds(dealt, remix, xp.full((table.players, dealt.games), kind, dtype=xp.int8))


def dealt_worlds(
    table: Map, state: State, unseen: Array, drawn: Drawn, source: Source, xp: ArrayModule
) -> Worlds:
    """The worlds of `drawn`, for one game; `unseen`, [spaces], are the tiles drawn there."""
    worlds = len(drawn.holders)
    for_pool, for_remix = split(source, 2)
    state = repeat(state, worlds, xp)
    tiles = xp.where(unseen[:, None], drawn.holders.T, state.tiles).astype(xp.int8)
    pool = mixed_pool(tiles, random_numbers(for_pool, tiles.shape), xp)
    remix = random_remix(for_remix, worlds, table.board.shape)
    kinds = as_array(drawn.kinds.T).astype(xp.int8)
    return Worlds(state._replace(tiles=tiles, pool=pool), remix, kinds)


class Beliefs(NamedTuple):
    """How a Tycoon reads the others: see `Trust`; `surveyors` are the log odds that a player whose
    choices are not known is a Surveyor."""

    trust: Trust = Trust()
    surveyors: float = -0.7


def likely_worlds(
    table: Map, policy: Net, view: View, state: State, worlds: int, beliefs: Beliefs, source: Source
) -> Worlds:
    """Worlds as likely as the others' choices make them, from a view's history."""
    found = None if table.board.hands_open[0] else read_history(view)
    if found is None:
        return equal_worlds(table, state, worlds, BY_NET, source, np)
    choices, slots = found
    trust = beliefs.trust
    rows = evidence_of(table, policy, *choices, trust, np)
    prior = np.array(beliefs.surveyors)
    drawn = draw_hands(slots, rows, table.players, worlds, trust, prior, source, np)
    return dealt_worlds(table, state, slots.unseen, drawn, source, np)
