"""Matches on the accelerator: thousands of games in which players search, all at once.

They measure what the arena measures, many times as fast: the same search and the same beliefs, by
JAX. The line-ups are fixed relative to the first player, so that all games of a batch search in the
same turns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax, random

from lastspike.batch import NONE, State, random_deals, random_remix
from lastspike.batch.state import ASIDE, POOL, TRACK
from lastspike.batch.steps.turn import end_turn
from lastspike.batch.turns import repeat, take
from lastspike.bots.tycoon.lookahead import Look, best, judged, look, make
from lastspike.bots.tycoon.net import Net
from lastspike.bots.tycoon.opponents.evidence import Evidence, Trust, evidence_of
from lastspike.bots.tycoon.opponents.hands import (
    NEVER_LAID,
    NOT_LAID,
    Drawn,
    Slots,
    draw_hands,
)
from lastspike.bots.tycoon.opponents.policy import BY_NET, SURVEYOR
from lastspike.bots.tycoon.opponents.worlds import Worlds, equal_worlds
from lastspike.bots.tycoon.outlook import Map
from lastspike.bots.tycoon.search import Budget, search
from lastspike.bots.tycoon.surveyor import surveyors_turn
from lastspike.bots.tycoon.value import exact

Array = Any

PLAYS_AS_SURVEYOR, PLAYS_BY_NET, SEARCHES, ALSO_SEARCHES = range(4)
"""What a seat of a line-up may do."""

EQUAL, BELIEFS, HANDS, WORLD = range(4)
"""Where a searcher's worlds come from; HANDS and WORLD are clairvoyant, for yardsticks only."""

ALL_SURVEYORS, ALL_BY_NET, BY_EVIDENCE = range(3)
"""How a searcher takes the others to play."""

NOBODYS = -7
"""The owner of a slot that cannot be swapped."""


class Searcher(NamedTuple):
    """A searcher, all of it traced, so that one compilation serves all.

    source    EQUAL, BELIEFS, HANDS or WORLD
    others    ALL_SURVEYORS, ALL_BY_NET or BY_EVIDENCE
    prior     the log odds of a Surveyor
    whim      as in the budget
    worlds    how many of the budget's worlds are different: the others repeat them
    """

    value: Net
    policy: Net
    source: Array
    others: Array
    trust: Trust
    prior: Array
    whim: Array
    worlds: Array


class Record(NamedTuple):
    """What a game's evidence is made from, by turn.

    came   [spaces, games]   the turn after which each tile came to its place
    by     [spaces, games]   who laid it, or NOT_LAID
    at     [spaces, games]   when
    rows   [turns, games, ...]
    """

    came: Array
    by: Array
    at: Array
    rows: Evidence


class Contested(NamedTuple):
    """shares [games, seats] by order of play; told [turns, 4]: sums over the games of the log
    scores of the true holders by the beliefs, by chance, the number of tiles, and of games."""

    shares: Array
    told: Array


def contest(table: Map, budget: Budget, chunk: int) -> Any:
    """A compiled function that plays games; it returns a `Contested`.

    Arguments: the number of games, a multiple of `chunk`; the two searchers, stacked; the net of
    players without search; by order of play, what each seat does; and a key. The beliefs of both
    searchers come from the first one's policy net.
    """

    def play(games: int, searchers: Searcher, plain: Net, line_up: Array, key: Array) -> Contested:
        board, seats = table.board, table.players
        turns = int(board.tiles.sum())
        for_remix, for_deals, for_turns = random.split(key, 3)
        remix = random_remix(for_remix, games, board.shape)
        state = random_deals(board, games, for_deals, remix, jnp)
        first = state.turn.astype(jnp.int32)
        order = (jnp.arange(seats) - first[:, None]) % seats
        who = line_up[order]  # [games, seats]
        record = _no_record(table, state, turns, searchers)

        def turn(carried: Any, at: Any) -> Any:
            state, record = carried
            number, key = at
            seen = look(table, state, jnp)
            index, told = _choose(
                table, budget, chunk, searchers, plain, who, state, seen, record, key
            )
            after = make(board, state, seen.laid, index, jnp)
            record = _recorded(table, searchers, record, state, seen, index, number)
            before = after.tiles
            after = end_turn(board, after, remix, ~after.over, jnp)
            came = jnp.where(after.tiles != before, number + 1, record.came)
            return (after, record._replace(came=came)), told

        at = (jnp.arange(turns), random.split(for_turns, turns))
        (state, _), told = lax.scan(turn, (state, record), at)
        shares, _ = exact(board, state, jnp)
        by_order = (first[:, None] + jnp.arange(seats)) % seats
        return Contested(shares[jnp.arange(games)[:, None], by_order], told)

    return jax.jit(play, static_argnums=0)


def _choose(
    table: Map,
    budget: Budget,
    chunk: int,
    searchers: Searcher,
    plain: Net,
    who: Array,
    state: State,
    seen: Look,
    record: Record,
    key: Array,
) -> tuple[Array, Array]:
    """[games]: the number of the turn that each mover chooses; and what the beliefs told."""
    rows = jnp.arange(state.games)
    mover = jnp.where(state.over, PLAYS_BY_NET, who[rows, state.turn])
    index = best(judged(table, plain, state, seen, jnp), seen.there, jnp)
    by_surveyor = surveyors_turn(table, state, seen.laid, jnp)
    index = jnp.where(mover == PLAYS_AS_SURVEYOR, by_surveyor, index).astype(jnp.int32)

    def of_one(at: Any) -> Any:
        one, kind = at
        here = mover == kind
        found, told = lax.cond(
            here.any(),
            lambda: _search_all(table, budget, chunk, one, state, record, here, key),
            lambda: (index, jnp.zeros(4)),
        )
        return jnp.where(here, found, index), told

    chosen, told = lax.map(of_one, (searchers, jnp.array([SEARCHES, ALSO_SEARCHES])))
    return jnp.where(mover == ALSO_SEARCHES, chosen[1], chosen[0]), told[0]


def _search_all(
    table: Map,
    budget: Budget,
    chunk: int,
    one: Searcher,
    state: State,
    record: Record,
    here: Array,
    key: Array,
) -> tuple[Array, Array]:
    chunks = state.games // chunk

    def some(at: Any) -> Any:
        place, key = at
        rows = place * chunk + jnp.arange(chunk)
        some_record: Record = jax.tree.map(lambda values: values[:, rows], record)
        return _search(table, budget, one, take(state, rows), some_record, here[rows], key)

    found, told = lax.map(some, (jnp.arange(chunks), random.split(key, chunks)))
    return found.reshape(-1).astype(jnp.int32), told.sum(axis=0)


def _search(
    table: Map, budget: Budget, one: Searcher, state: State, record: Record, here: Array, key: Array
) -> tuple[Array, Array]:
    """[games]: the number of the best turn by search."""
    for_worlds, for_hands = random.split(key)
    worlds = equal_worlds(table, state, budget.worlds, BY_NET, for_worlds, jnp)
    true = repeat(state, budget.worlds, jnp)
    drawn, told = lax.cond(
        (one.source == BELIEFS) | (one.others == BY_EVIDENCE),
        lambda: _drawn(table, budget, one, state, record, here, for_hands),
        lambda: (
            Drawn(
                jnp.zeros((state.games, budget.worlds, len(state.tiles)), jnp.int8),
                jnp.zeros((state.games, budget.worlds, state.seats), jnp.int8),
                jnp.zeros((state.games, budget.worlds, len(state.tiles)), jnp.int8),
            ),
            jnp.zeros(4),
        ),
    )
    holders = drawn.holders.reshape(-1, len(state.tiles)).T
    unseen = _unseen(true)
    believed = jnp.where(unseen, holders, true.tiles)
    hands = jnp.where(true.tiles == ASIDE, ASIDE, true.tiles)
    tiles = jnp.select(
        [one.source == EQUAL, one.source == BELIEFS],
        [worlds.dealt.tiles, believed],
        hands,
    ).astype(state.tiles.dtype)
    lots = worlds.remix[:, 0].T
    pool = _mixed(tiles, lots)
    pool = jnp.where(one.source == WORLD, true.pool, pool)
    kinds = drawn.kinds.reshape(-1, state.seats).T
    kinds = jnp.select(
        [one.others == ALL_SURVEYORS, one.others == ALL_BY_NET],
        [jnp.full_like(kinds, SURVEYOR), jnp.full_like(kinds, BY_NET)],
        kinds,
    )
    dealt = worlds.dealt._replace(tiles=tiles, pool=pool)
    same = jnp.arange(state.games)[:, None] * budget.worlds
    same = (same + jnp.arange(budget.worlds) % one.worlds).reshape(-1)
    some = Worlds(take(dealt, same), worlds.remix[same], kinds[:, same])
    seen = look(table, state, jnp)
    budget = budget._replace(whim=one.whim)
    found = search(table, one.value, state, seen, budget, some, jnp)
    top = jnp.argmax(found.estimate(budget), axis=1)
    return found.number[jnp.arange(state.games), top], told


def _mixed(tiles: Array, lots: Array) -> Array:
    order = jnp.where(tiles == POOL, -lots, 1 << 30)
    return jnp.argsort(order, axis=0, stable=True).astype(jnp.int8)


def _unseen(state: State) -> Array:
    return (state.tiles != TRACK) & (state.tiles != state.turn)


def _drawn(
    table: Map, budget: Budget, one: Searcher, state: State, record: Record, here: Array, key: Array
) -> tuple[Drawn, Array]:
    slots = jax.vmap(_slots, in_axes=(1, 0, 1, 1, 1, 1))(
        state.tiles, state.turn, record.came, record.by, record.at, state.places
    )

    def of_game(slots: Slots, rows: Evidence, key: Array) -> Drawn:
        return draw_hands(slots, rows, table.players, budget.worlds, one.trust, one.prior, key, jnp)

    rows = jax.tree.map(lambda values: jnp.moveaxis(values, 1, 0), record.rows)
    drawn = jax.vmap(of_game)(slots, rows, random.split(key, state.games))
    drawn = Drawn(*(values.astype(jnp.int8) for values in drawn))
    unseen = _unseen(state).T  # [games, spaces]
    true = state.tiles.T
    same = (drawn.holders == true[:, None]).sum(axis=1)
    size = jnp.maximum(unseen.sum(axis=1, keepdims=True), 1)
    chance = ((true[:, None] == true[:, :, None]) & unseen[:, None]).sum(axis=2) / size
    likely = (same + SMOOTH * chance) / (budget.worlds + SMOOTH)
    in_hands = unseen & here[:, None]
    scores = [jnp.log(jnp.maximum(values, 1e-6)) for values in (likely, chance)]
    sums = [jnp.where(in_hands, score, 0.0).sum() for score in scores]
    return drawn, jnp.stack([*sums, in_hands.sum() * 1.0, here.sum() * 1.0])


SMOOTH = 4.0
"""Worlds drawn by chance that are added to score the beliefs."""


def _slots(tiles: Array, viewer: Array, came: Array, by: Array, at: Array, places: Array) -> Slots:
    """The slots of one game, as if each were numbered by the tile that came to it: chains start
    from random tiles, so this tells them nothing."""
    spaces = jnp.arange(len(tiles))
    laid = by != NOT_LAID
    owner = jnp.where(laid, by, tiles).astype(jnp.int32)
    out = jnp.where(owner >= 0, places[jnp.maximum(owner, 0)] != NONE, False)
    fixed = (owner == viewer) | out
    by = jnp.where(fixed | ~laid, NOT_LAID, by)
    owner = jnp.where(fixed, NOBODYS, owner)
    same = owner[:, None] == owner
    earlier = (came[None] < came[:, None]) | (
        (came[None] == came[:, None]) & (spaces < spaces[:, None])
    )
    rank = (same & earlier).sum(axis=1)
    mine = by[:, None] == by
    lay_rank = (mine & (at[None] < at[:, None])).sum(axis=1)
    laid_by_owner = (owner[:, None] == by).sum(axis=1)
    unseen = (tiles != TRACK) & (tiles != viewer)
    spare = (owner != NOBODYS) & ((owner < 0) | (rank >= laid_by_owner))
    begin = jnp.argmax((owner == by[:, None]) & (rank == lay_rank[:, None]), axis=1)
    at = jnp.where(by == NOT_LAID, NEVER_LAID, at)
    return Slots(owner, came, spare, unseen, begin, by, at)


def _no_record(table: Map, state: State, turns: int, searchers: Searcher) -> Record:
    spaces = state.tiles.shape
    shapes = jax.eval_shape(
        lambda: _rows(
            table,
            searchers,
            state,
            state,
            jnp.zeros(state.games, jnp.int32),
            jnp.zeros(state.games, jnp.int32),
        )
    )
    rows = jax.tree.map(lambda s: jnp.zeros((turns, *s.shape), s.dtype), shapes)
    rows = rows._replace(owner=rows.owner - 1)
    return Record(
        jnp.zeros(spaces, jnp.int32),
        jnp.full(spaces, NOT_LAID, jnp.int32),
        jnp.full(spaces, NEVER_LAID, jnp.int32),
        rows,
    )


def _rows(
    table: Map, searchers: Searcher, state: State, laid: State, space: Array, bought: Array
) -> Evidence:
    policy = jax.tree.map(lambda values: values[0], searchers.policy)
    trust = jax.tree.map(lambda values: values[0], searchers.trust)
    return evidence_of(table, policy, state, space, laid, bought, trust, jnp)


def _recorded(
    table: Map,
    searchers: Searcher,
    record: Record,
    state: State,
    seen: Any,
    index: Array,
    number: Array,
) -> Record:
    """The record after the turns made in all games that are not over."""
    games, options = state.games, 1 + table.board.shape.cities
    tiles = seen.laid.space.shape[0] // games
    tile = jnp.arange(games) * tiles + index // options
    space, laid = seen.laid.space[tile], take(seen.laid.state, tile)
    choice = (laid.phase == 2) & ~seen.laid.turn_over[tile] & ~state.over
    bought = jnp.where(choice, index % options, -1)
    rows = _rows(table, searchers, state, laid, space, bought)
    rows = rows._replace(owner=jnp.where(state.over, -1, rows.owner))
    this = (jnp.arange(len(state.tiles))[:, None] == space) & ~state.over
    return Record(
        record.came,
        jnp.where(this, state.turn, record.by),
        jnp.where(this, number, record.at),
        jax.tree.map(
            lambda all_rows, new: all_rows.at[number].set(new.astype(all_rows.dtype)),
            record.rows,
            rows,
        ),
    )
