"""Draws the tiles that one player can't see, as likely as the others' choices make them.

Every tile that another player ever held came to a *slot*: a place in the first hand, or a draw.
A chain starts from random tiles in all slots and swaps two tiles at a time (Metropolis), so that
in the end its tiles are a draw from what the rules, the deal and the choices leave possible.
Unlaid tiles may be anywhere; a laid one was its player's, and came in time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np

from lastspike.batch.arrays import Array, ArrayModule, as_array
from lastspike.batch.luck import LIMIT, Source, random_numbers, split

from .evidence import IMPOSSIBLE_LOG, Evidence, Trust, log_likelihood
from .policy import KINDS, SURVEYOR

T = TypeVar("T")

STEPS = 160
"""Swaps tried by each chain."""

NEVER_LAID = 1_000
"""A turn after all turns."""


class Slots(NamedTuple):
    """The slots and the tiles that came to them.

    owner    [slots]   a seat, POOL or ASIDE
    since    [slots]   the first row of the evidence at which a tile in it could be laid
    spare    [slots]   whether an unlaid tile starts in it
    unseen   [spaces]  whether it is a tile that may be anywhere
    begin    [spaces]  for a tile laid by another player, a slot that it may have come to
    by       [spaces]  for such a tile, its player; else NOT_LAID
    at       [spaces]  for such a tile, its row of the evidence; else NEVER_LAID
    """

    owner: Array
    since: Array
    spare: Array
    unseen: Array
    begin: Array
    by: Array
    at: Array


NOT_LAID = -9
"""In `Slots.by`."""


class Drawn(NamedTuple):
    """Worlds for one viewer.

    holders   [worlds, spaces]  the owner of each unseen tile's slot; elsewhere without meaning
    kinds     [worlds, seats]   what kind of player each seat is taken for
    slot      [worlds, spaces]  the slot of each tile that is unseen or was laid by another
    """

    holders: Array
    kinds: Array
    slot: Array


class _Chain(NamedTuple):
    """slot [worlds, spaces], sums [worlds, turns, entries], likelihood [worlds, turns]."""

    slot: Array
    sums: Array
    likelihood: Array


def draw_hands(
    slots: Slots,
    rows: Evidence,
    seats: int,
    worlds: int,
    trust: Trust,
    prior: Array,
    source: Source,
    xp: ArrayModule,
    steps: int = STEPS,
) -> Drawn:
    """Worlds as likely as the evidence makes them. `prior` holds the log odds of the kinds."""
    for_begin, for_kinds, for_steps, for_luck = split(source, 4)
    slot = _begin(slots, worlds, for_begin, xp)
    by_kind = _sums(slots, rows, slot, xp)  # [kinds, worlds, turns, entries]
    purchases = xp.moveaxis(rows.purchases, 1, 0)[:, None]
    found = log_likelihood(by_kind, rows, purchases, trust, xp)
    kinds = _kinds(rows, found, seats, prior, for_kinds, xp)
    turns = xp.arange(len(rows.owner))
    kind = kinds[:, xp.maximum(rows.owner, 0)]  # [worlds, turns]
    world = xp.arange(worlds)[:, None]
    chain = _Chain(slot, by_kind[kind, world, turns], found[kind, world, turns])
    own_purchases = rows.purchases[turns, kind]
    numbers = random_numbers(for_steps, (steps, 3, worlds))
    luck = xp.log((random_numbers(for_luck, (steps, worlds)) + 0.5) / LIMIT)
    unseen = _listed(slots.unseen, xp)
    laid = _listed(slots.by != NOT_LAID, xp)

    def step(chain: _Chain, lots: tuple[Array, Array]) -> _Chain:
        number, lot = lots
        x = _nth(unseen, number[0], xp)
        other_unseen = (number[2] % 2 == 0) | (laid[1] == 0)
        y = xp.where(other_unseen, _nth(unseen, number[1], xp), _nth(laid, number[1], xp))
        return _swap(slots, rows, kind, own_purchases, trust, chain, x, y, lot, xp)

    chain = _repeat(step, chain, (numbers, luck.astype(xp.float32)), xp)
    kept = _possible(chain.likelihood, xp)
    slot = chain.slot[kept]
    return Drawn(slots.owner[slot], kinds[kept], slot)


def _possible(likelihood: Array, xp: ArrayModule) -> Array:
    """[worlds]: the numbers of worlds in which every choice was legal, repeated to make up for the
    others; all of them if there is none."""
    bad = as_array((likelihood <= IMPOSSIBLE_LOG).any(axis=1))
    worlds = xp.arange(len(bad))
    good = xp.sum(~bad, dtype=xp.int32)
    return xp.where(good > 0, xp.argsort(bad, stable=True)[worlds % xp.maximum(good, 1)], worlds)


def _begin(slots: Slots, worlds: int, source: Source, xp: ArrayModule) -> Array:
    """[worlds, spaces]: the slot of each tile, the unseen ones at random."""
    shape = (worlds, len(slots.unseen))
    lots = xp.where(slots.unseen, random_numbers(source, shape), LIMIT)
    rank = xp.argsort(xp.argsort(lots, axis=1), axis=1)
    spare, _ = _listed(slots.spare, xp)
    rank = xp.minimum(rank, len(spare) - 1)
    return xp.where(slots.unseen, spare[rank], slots.begin)


def _sums(slots: Slots, rows: Evidence, slot: Array, xp: ArrayModule) -> Array:
    """[kinds, worlds, turns, entries]: the entries summed over the hands of all turns."""
    owner, since = slots.owner[slot], slots.since[slot]  # [worlds, spaces]
    turns = xp.arange(len(rows.owner))[:, None]
    moving = slots.unseen | (slots.by != NOT_LAID)
    held = (owner[:, None] == rows.owner[:, None]) & (since[:, None] <= turns)
    held = (held & (turns <= slots.at) & moving).astype(xp.float32)  # [worlds, turns, spaces]
    by_turn = xp.moveaxis(held, 1, 0)[None]  # [1, turns, worlds, spaces]
    return xp.moveaxis(by_turn @ xp.moveaxis(rows.tiles, 1, 0), 1, 2)


def _kinds(
    rows: Evidence, found: Array, seats: int, prior: Array, source: Source, xp: ArrayModule
) -> Array:
    """[worlds, seats]: kinds drawn by how well each explains the choices, averaged over hands."""
    best = found.max(axis=1)
    mean = xp.log(xp.exp(found - best[:, None]).mean(axis=1)) + best  # [kinds, turns]
    seat = xp.arange(seats)[:, None, None]
    of_seat = xp.where(rows.owner == seat, mean, 0.0).sum(axis=2)  # [seats, kinds]
    odds = KIND_SHARPNESS * (of_seat[:, SURVEYOR] - of_seat[:, 1 - SURVEYOR]) + prior
    lots = (random_numbers(source, (found.shape[1], seats)) + 0.5) / LIMIT
    assert KINDS == 2
    return xp.where(xp.log(lots / (1 - lots)) < odds, SURVEYOR, 1 - SURVEYOR)


KIND_SHARPNESS = 0.5
"""Less than 1, as the hands are averaged turn by turn, as if they had nothing to do with each
other."""


def _swap(
    slots: Slots,
    rows: Evidence,
    kind: Array,
    purchases: Array,
    trust: Trust,
    chain: _Chain,
    x: Array,
    y: Array,
    lot: Array,
    xp: ArrayModule,
) -> _Chain:
    """Each chain after trying to swap the slots of two tiles: `x` is unseen, `y` may be laid."""
    worlds = xp.arange(len(x))
    a, b = chain.slot[worlds, x], chain.slot[worlds, y]
    in_time = (slots.owner[a] == slots.by[y]) & (slots.since[a] <= slots.at[y])
    allowed = (a != b) & (slots.unseen[y] | in_time)
    turns = xp.arange(len(rows.owner))
    until = slots.at[y][:, None]

    def had(slot: Array) -> Array:
        """[worlds, turns]: whether the mover has a tile in this slot, if not laid before."""
        return as_array(
            (slots.owner[slot][:, None] == rows.owner) & (slots.since[slot][:, None] <= turns)
        )

    from_a, from_b = had(a), had(b)
    shift = from_b.astype(xp.float32) - from_a
    more = shift[..., None] * rows.tiles[turns, kind, x[:, None]]
    less = (shift * (turns <= until))[..., None] * rows.tiles[turns, kind, y[:, None]]
    sums = chain.sums + (more - less)
    likelihood = log_likelihood(sums, rows, purchases, trust, xp)
    gain = (likelihood - chain.likelihood).sum(axis=1)
    accepted = allowed & (lot < gain)
    spaces = xp.arange(chain.slot.shape[1])
    slot = xp.where(spaces == x[:, None], b[:, None], chain.slot)
    slot = xp.where(spaces == y[:, None], a[:, None], slot)
    return _Chain(
        xp.where(accepted[:, None], slot, chain.slot),
        xp.where(accepted[:, None, None], sums, chain.sums),
        xp.where(accepted[:, None], likelihood, chain.likelihood),
    )


def _listed(flags: Array, xp: ArrayModule) -> tuple[Array, Array]:
    """The numbers whose flags are true first, and how many these are."""
    return xp.argsort(~flags, stable=True), xp.sum(flags, dtype=xp.int32)


def _nth(listed: tuple[Array, Array], number: Array, xp: ArrayModule) -> Array:
    numbers, size = listed
    return as_array(numbers[number % xp.maximum(size, 1)])


def _repeat(
    body: Callable[[T, tuple[Array, Array]], T],
    state: T,
    lots: tuple[Array, Array],
    xp: ArrayModule,
) -> T:
    """Go through the body once for each of the lots."""
    if xp is np:
        for one in zip(*lots, strict=True):
            state = body(state, one)
        return state
    from jax import lax  # needed only with jax.numpy

    after: T = lax.scan(lambda carried, one: (body(carried, one), None), state, lots)[0]
    return after
