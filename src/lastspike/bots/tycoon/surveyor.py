"""Surveyor's evaluation over arrays: the same scores as `bots/judgement.py`, in thousands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lastspike.batch import NONE, State
from lastspike.batch.actions import first_sale
from lastspike.batch.arrays import Array, ArrayModule, as_array, is_at, pick
from lastspike.batch.board import THOUSAND, Board, by_city
from lastspike.batch.outcome import outcome
from lastspike.batch.steps.buying import NOT_FOR_SALE
from lastspike.batch.steps.laying import laying_costs
from lastspike.batch.steps.raising import legal_sales
from lastspike.batch.turns import Laid, take
from lastspike.bots.judgement import DECISIVE, USUAL
from lastspike.rules.board import NO_CITY
from lastspike.rules.editions.edition import SPACES_A_ROUTE

from .outlook import Map, Outlook, by_count, chances_at, outlook_of

NEVER = -1e30
"""The score of an illegal choice."""

BONUS, THREAT = USUAL.bonus, USUAL.threat


def surveyors_turn(table: Map, state: State, laid: Laid, xp: ArrayModule) -> Array:
    """[games]: Surveyor's turn, numbered by tile, then by purchase, as in `Turns`."""
    tiles = laid.space.shape[0] // state.games
    tile = best_tile(table, state, laid, outlook_of(table, state, state.turn, xp), xp)
    row = xp.arange(state.games) * tiles + tile
    after = take(laid.state, row)
    purchase = best_purchase(after, outlook_of(table, after, after.turn, xp), xp)
    done = laid.turn_over[row] | after.over
    return as_array(tile * (1 + table.board.shape.cities) + xp.where(done, 0, purchase))


def best_tile(table: Map, state: State, laid: Laid, outlook: Outlook, xp: ArrayModule) -> Array:
    """[games]: which of the tiles in `laid` Surveyor lays; the outlook is the mover's."""
    by_tile = (state.games, laid.space.shape[0] // state.games)
    score = tile_scores(table, state, laid.space.reshape(by_tile).T, outlook, xp)
    ends = _if_it_ends(table.board, laid.state, xp).reshape(by_tile).T
    score = xp.where(laid.state.over.reshape(by_tile).T, ends, score)
    return as_array(xp.argmax(xp.where(laid.there.reshape(by_tile).T, score, NEVER), axis=0))


def tile_scores(table: Map, state: State, space: Array, outlook: Outlook, xp: ArrayModule) -> Array:
    """[tiles, games]: the value to the mover of laying the tiles of these spaces, [tiles, games],
    where that does not end the game."""
    board = table.board
    route = space // SPACES_A_ROUTE
    missing, far = outlook.missing, outlook.far
    nearer = chances_at(table, missing, xp.maximum(far - 1, 1), xp)
    stake = _stakes(table, state, outlook, xp)
    shift = ((nearer - outlook.chance) * stake).sum(axis=0)
    fewer = xp.maximum(missing - 1, 0)
    off_way = (chances_at(table, fewer, far, xp) - outlook.chance) * stake
    after_way = chances_at(table, fewer, xp.maximum(far - 1, 0), xp)
    on_way = shift + (after_way - nearer) * stake
    gain = pick(xp.where(outlook.shortest, on_way, off_way), route, xp)
    cost = pick(laying_costs(board.costs, state.laid, xp), space, xp)
    score = gain - USUAL.cost * cost + _bonus_in_reach(table, outlook, route, xp)
    city = pick(board.beside, space, xp)
    at_city = xp.maximum(city, 0)
    grant = (city != NO_CITY) & pick(outlook.grant, at_city, xp)
    grants = USUAL.grant * pick(outlook.payments * board.payouts[1], at_city, xp)
    purchase = xp.maximum(worth_buying(state, outlook, xp).max(axis=0), 0.0)
    return as_array(score + xp.where(grant, grants, purchase))


def best_purchase(state: State, outlook: Outlook, xp: ArrayModule) -> Array:
    """[games]: 0 to buy nothing, else the city plus one; the outlook is the mover's."""
    worth = worth_buying(state, outlook, xp)
    nothing = xp.zeros((1, state.games), dtype=xp.float32)
    return as_array(xp.argmax(xp.concatenate([nothing, worth]), axis=0))


def worth_buying(state: State, outlook: Outlook, xp: ArrayModule) -> Array:
    """[cities, games]: the expected payouts of one more card minus its weighted price; NEVER where
    none can be bought."""
    cash = pick(state.purses, state.turn, xp)
    price = outlook.market
    affordable = (price != NOT_FOR_SALE) & (price <= cash)
    price = xp.where(affordable, price, 0)
    worth = outlook.more * outlook.payments - USUAL.spend * price
    missing = xp.maximum(USUAL.reserve / THOUSAND - (cash - price), 0)
    return xp.where(affordable, worth - USUAL.short * missing, NEVER)


def sale_by(table: Map, xp: ArrayModule) -> Callable[[Board, State], Array]:
    """A function that chooses the card to sell as Surveyor does."""
    payouts = table.board.payouts[:, :, 0].astype(np.float32)
    steps = np.diff(payouts, axis=0, prepend=np.zeros_like(payouts[:1]))

    def choose_sale(board: Board, state: State) -> Array:
        outlook = outlook_of(table, state, state.turn, xp)
        lost = (by_count(steps, outlook.counts[:, 0], xp) * outlook.payments)[:, None]
        fetched = by_city(board.fetches)[:, 1:]
        space = xp.where(state.chosen == NONE, 0, state.chosen)
        cost = pick(laying_costs(board.costs, state.laid, xp), space, xp)
        short = xp.maximum(cost - pick(state.purses, state.turn, xp), 1)
        per_dollar = -(lost - 0.5 * fetched) / xp.maximum(xp.minimum(fetched, short), 1)
        legal = legal_sales(state, xp)
        score = xp.where(legal, per_dollar.reshape(legal.shape), NEVER)
        return first_sale(board.shape) + as_array(xp.argmax(score, axis=0)).astype(xp.int32)

    return choose_sale


def _stakes(table: Map, state: State, outlook: Outlook, xp: ArrayModule) -> Array:
    """[routes, games]: what each would pay the mover, minus a part of the opponents' payouts."""
    in_game = xp.sum(state.places == NONE, axis=0)
    share = USUAL.rival / xp.maximum(in_game - 1, 1)
    theirs = outlook.paid[:, 1:].sum(axis=1)
    return as_array(table.at @ (outlook.paid[:, 0] - share * theirs))


def _bonus_in_reach(table: Map, outlook: Outlook, route: Array, xp: ArrayModule) -> Array:
    """[tiles, games]: where one tile would be missing, positive if only the mover can lay it."""
    in_way = xp.asarray(table.ways)[:, route]  # [ways, tiles, games]
    others = as_array(table.ways @ outlook.others)[:, None]
    theirs = (outlook.gaps[:, None] - in_way == 1) & (others == 1)
    bonus = float(table.board.bonus[0])
    reach = xp.where(theirs.any(axis=0), -THREAT * bonus, BONUS * bonus)
    near = (outlook.far == 2) & pick(outlook.shortest, route, xp)
    return xp.where(near, reach, 0.0)


def _if_it_ends(board: Board, state: State, xp: ArrayModule) -> Array:
    """[games]: the mover's lead over the best opponent, plus or minus DECISIVE."""
    mover = is_at(state.turn, state.seats, xp)
    best = xp.where(mover | (state.places != NONE), -1, state.purses).max(axis=0)
    wins = (outcome(board, state, xp).winners.T & mover).any(axis=0)
    ahead = pick(state.purses, state.turn, xp) - best
    return as_array(ahead + xp.where(wins, DECISIVE, -DECISIVE) / THOUSAND)
