"""Surveyor's judgement over arrays: the same scores as `bots/judgement.py`, in thousands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lastspike.batch import NONE, State
from lastspike.batch.actions import first_sale
from lastspike.batch.arrays import Array, ArrayModule, as_array, pick
from lastspike.batch.board import THOUSAND, Board
from lastspike.batch.buying import NOT_FOR_SALE
from lastspike.batch.laying import laying_costs
from lastspike.batch.outcome import outcome
from lastspike.batch.raising import legal_sales
from lastspike.batch.turns import Laid, take
from lastspike.bots.judgement import DECISIVE, USUAL
from lastspike.rules.board import NO_CITY
from lastspike.rules.edition import CARDS_A_CITY, SPACES_A_ROUTE

from .outlook import Map, Outlook, chances_at, outlook_of

NEVER = -1e30
"""The score of what can't be done."""

BONUS, THREAT = USUAL.bonus, USUAL.threat


def surveyors_turn(table: Map, state: State, laid: Laid, xp: ArrayModule) -> Array:
    """[games]: the turn that Surveyors make, numbered by tile, then by purchase, as in `Turns`."""
    tiles = laid.space.shape[0] // state.games
    tile = best_tile(table, state, laid, outlook_of(table, state, state.turn, xp), xp)
    row = xp.arange(state.games) * tiles + tile
    after = take(laid.state, row)
    purchase = best_purchase(after, outlook_of(table, after, after.turn, xp), xp)
    done = laid.turn_over[row] | after.over
    return as_array(tile * (1 + table.board.shape.cities) + xp.where(done, 0, purchase))


def best_tile(table: Map, state: State, laid: Laid, outlook: Outlook, xp: ArrayModule) -> Array:
    """[games]: which of the tiles `laid` Surveyor lays, seen by the player to move."""
    board = table.board
    games, tiles = state.games, laid.space.shape[0] // state.games
    space = laid.space.reshape(games, tiles)
    route = space // SPACES_A_ROUTE
    missing, far = outlook.missing, outlook.far
    nearer = chances_at(table, missing, xp.maximum(far - 1, 1), xp)
    stake = _stakes(table, state, outlook, xp)
    shift = ((nearer - outlook.chance) * stake).sum(axis=1)
    fewer = xp.maximum(missing - 1, 0)
    off_way = (chances_at(table, fewer, far, xp) - outlook.chance) * stake
    after_way = chances_at(table, fewer, xp.maximum(far - 1, 0), xp)
    on_way = shift[:, None] + (after_way - nearer) * stake
    gain = _at(xp.where(outlook.shortest, on_way, off_way), route, xp)
    cost = _at(laying_costs(board.costs, state.laid, xp).T, space, xp)
    score = gain - USUAL.cost * cost + _bonus_in_reach(table, outlook, route, xp)
    city = xp.asarray(board.beside)[:, 0][space]
    grant = (city != NO_CITY) & _at(outlook.grant, xp.maximum(city, 0), xp)
    first = outlook.payments * board.payouts[1, :, 0]
    grants = USUAL.grant * _at(first, xp.maximum(city, 0), xp)
    purchase = xp.maximum(worth_buying(state, outlook, xp).max(axis=1), 0.0)
    score = score + xp.where(grant, grants, purchase[:, None])
    ends = _if_it_ends(board, laid.state, xp).reshape(games, tiles)
    score = xp.where(laid.state.over.reshape(games, tiles), ends, score)
    return as_array(xp.argmax(xp.where(laid.there.reshape(games, tiles), score, NEVER), axis=1))


def best_purchase(state: State, outlook: Outlook, xp: ArrayModule) -> Array:
    """[games]: 0 to buy nothing, else one more than the city, seen by the player to move."""
    worth = worth_buying(state, outlook, xp)
    nothing = xp.zeros((state.games, 1), dtype=xp.float32)
    return as_array(xp.argmax(xp.concatenate([nothing, worth], axis=1), axis=1))


def worth_buying(state: State, outlook: Outlook, xp: ArrayModule) -> Array:
    """[games, cities]: what one card more is expected to be paid, less what it costs; NEVER where
    none can be bought."""
    cash = pick(state.purses, state.turn, xp)[:, None]
    price = outlook.market
    affordable = (price != NOT_FOR_SALE) & (price <= cash)
    price = xp.where(affordable, price, 0)
    worth = outlook.more * outlook.payments - USUAL.spend * price
    missing = xp.maximum(USUAL.reserve / THOUSAND - (cash - price), 0)
    return xp.where(affordable, worth - USUAL.short * missing, NEVER)


def sale_by(table: Map, xp: ArrayModule) -> Callable[[Board, State], Array]:
    """Surveyor's way to choose which card to sell."""

    def choose_sale(board: Board, state: State) -> Array:
        outlook = outlook_of(table, state, state.turn, xp)
        games, cities = state.games, board.shape.cities
        held = outlook.counts[:, :, 0]
        lost = xp.zeros((games, cities), dtype=xp.float32)
        for cards in range(1, CARDS_A_CITY + 1):
            payouts = table.board.payouts[:, :, 0]
            step = (payouts[cards] - payouts[cards - 1]).astype(np.float32)
            lost = xp.where(held == cards, step[None, :], lost)
        lost = (lost * outlook.payments)[:, :, None]
        fetched = xp.asarray(board.fetches).reshape(1, cities, CARDS_A_CITY)[:, :, 1:]
        space = xp.where(state.chosen == NONE, 0, state.chosen)
        cost = pick(laying_costs(board.costs, state.laid, xp), space, xp)
        short = xp.maximum(cost - pick(state.purses, state.turn, xp), 1)[:, None, None]
        per_dollar = -(lost - 0.5 * fetched) / xp.maximum(xp.minimum(fetched, short), 1)
        score = xp.where(legal_sales(state, xp).T, per_dollar.reshape(games, -1), NEVER)
        return first_sale(board.shape) + as_array(xp.argmax(score, axis=1)).astype(xp.int32)

    return choose_sale


def _stakes(table: Map, state: State, outlook: Outlook, xp: ArrayModule) -> Array:
    """[games, routes]: what each would pay the mover, less a part of what it would pay others."""
    in_game = table.players - xp.sum(state.bankrupt != NONE, axis=1)
    share = USUAL.rival / xp.maximum(in_game - 1, 1)
    theirs = outlook.paid[:, :, 1:].sum(axis=2)
    interest = outlook.paid[:, :, 0] - share[:, None] * theirs
    return as_array(interest @ table.at.T)


def _bonus_in_reach(table: Map, outlook: Outlook, route: Array, xp: ArrayModule) -> Array:
    """[games, tiles]: one tile would be missing: whose is it to lay?"""
    in_way = xp.asarray(table.ways.T)[route]  # [games, tiles, ways]
    others = (outlook.others @ table.ways.T)[:, None, :]
    theirs = (outlook.gaps[:, None, :] - in_way == 1) & (others == 1)
    bonus = float(table.board.bonus[0])
    reach = xp.where(theirs.any(axis=2), -THREAT * bonus, BONUS * bonus)
    near = (outlook.far[:, None] == 2) & _at(outlook.shortest, route, xp)
    return xp.where(near, reach, 0.0)


def _if_it_ends(board: Board, state: State, xp: ArrayModule) -> Array:
    """[games]: how far ahead of the best opponent the mover is, DECISIVE added if that wins."""
    mover = xp.arange(state.seats)[None, :] == state.turn[:, None]
    in_game = state.bankrupt == NONE
    best = xp.where(mover | ~in_game, -1, state.cash).max(axis=1)
    wins = (outcome(board, state, xp).winners & mover).any(axis=1)
    ahead = pick(state.purses, state.turn, xp) - best
    return as_array(ahead + xp.where(wins, DECISIVE, -DECISIVE) / THOUSAND)


def _at(values: Array, index: Array, xp: ArrayModule) -> Array:
    """[games, places]: the values of each game at the places `index`."""
    return as_array(values[xp.arange(values.shape[0])[:, None], index])
