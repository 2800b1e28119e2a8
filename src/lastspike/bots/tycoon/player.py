"""Tycoon: the net's verdict on every legal turn, refined by search."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import numpy as np

from lastspike.batch import State, action_of, from_positions
from lastspike.batch.arrays import Array
from lastspike.batch.steps.turn import play
from lastspike.bots.explain.explainer import explain
from lastspike.bots.explain.reasons import Reason, WinChance
from lastspike.bots.outlook import Outlook
from lastspike.bots.player import ComputerPlayer, Judge, Ranked, Turns, later_in_turn
from lastspike.bots.selling import sold
from lastspike.bots.speculator import Speculator
from lastspike.bots.surveyor import Surveyor
from lastspike.rules.moves import Move
from lastspike.rules.table import BANK
from lastspike.rules.view import View, preview, resample

from .endgame import TooLongError, is_near, shares
from .lookahead import IMPOSSIBLE, Look, look, look_on
from .net_lookup import NetForMap, check_net, net_for, policy_for
from .opponents.policy import BY_NET
from .opponents.worlds import Beliefs, Worlds, equal_worlds, likely_worlds
from .outlook import Map
from .search import Budget, Found, by_the_net, in_worlds, search

USUAL = Budget()

MOST_OTHERS = 192
"""Worlds times players, with the usual budget: the time of a turn grows with both."""

PLAYOUTS_A_WORLD = 2
"""Limits the fallback Speculator's time to about Tycoon's."""


class Tycoon(Judge):
    """With 0 worlds it looks one turn ahead and trusts the net. For a setup without a net it plays
    as a Speculator, or with 0 worlds as a Surveyor."""

    level = "tycoon"

    def __init__(self, seed: str, worlds: int = USUAL.worlds, net: str | None = None) -> None:
        """`net` is a file written by `lastspike train`, used instead of the shipped net.
        `LastSpikeError` if it holds none."""
        super().__init__(seed)
        if net is not None:
            check_net(net)
        self.net = net
        self._seed = seed
        self.budget = USUAL._replace(worlds=worlds)
        self.beliefs = Beliefs()
        self._without_net = _without_net(seed, worlds)
        self._last: tuple[View, Ranked] | None = None

    def choose(self, view: View) -> Move:
        return self.turn(view)[0]

    def turn(self, view: View) -> list[Move]:
        found_net = net_for(view.table.setup, self.net)
        if found_net is None:
            return self._without_net.turn(view)
        if view.table.phase == "raise":
            begun = sold(view, [])
            over = preview(view, begun).turn_over
            return begun if over else [*begun, *self.turn(later_in_turn(view, begun))]
        legal = view.legal_moves
        if len(legal) == 1 and view.table.phase == "buy":
            return legal
        ranked = self._ranked(view, found_net)
        self._last = view, ranked
        return ranked[0][0]

    def reasons(self, view: View, moves: list[Move]) -> tuple[Reason, ...]:
        if net_for(view.table.setup, self.net) is None:
            return self._without_net.reasons(view, moves)
        found = explain(view, moves)
        if self._last is None or self._last[0] is not view:
            self.turn(view)
        if self._last is None or self._last[0] is not view:
            return found  # the turn had only sales to decide
        chances = {made == moves: round(100 * chance) for made, chance in self._last[1][::-1]}
        return (WinChance(chances[True], chances[False]), *found) if len(chances) == 2 else found

    def ranked(self, view: View) -> Ranked:
        found_net = net_for(view.table.setup, self.net)
        if found_net is None:
            return self._stand_in.ranked(view)
        return self._ranked(view, found_net)

    def chances(self, view: View, turns: Turns, worlds: int) -> list[list[float]]:
        found_net = net_for(view.table.setup, self.net)
        if found_net is None:
            return self._stand_in.chances(view, turns, worlds)
        if is_near(view):
            with suppress(TooLongError):
                return [shares(view, [list(moves) for moves in turns])]
        table = found_net.table
        state = from_positions([resample(view, self.random)], table.board.shape)
        after = _after_each(table, state, turns)
        dealt = self._worlds(view, found_net, state, worlds)
        ended = in_worlds(table, found_net.net, state, after, dealt, self.budget.whim, np)
        by_world: list[list[float]] = ended.chances[0, :, :, 0].T.tolist()
        return by_world

    @property
    def _stand_in(self) -> Judge:
        """Without a net, a Speculator judges."""
        stand_in = self._without_net
        return stand_in if isinstance(stand_in, Judge) else Speculator(self._seed)

    def _ranked(self, view: View, found_net: NetForMap) -> Ranked:
        """The best turns, best first, each with its chance to win."""
        return _without_waste(view, self._searched(view, found_net))

    def _searched(self, view: View, found_net: NetForMap) -> Ranked:
        """The same as the search finds them."""
        table, net = found_net
        state = from_positions([resample(view, self.random)], table.board.shape)
        begun = view.table.phase == "buy"
        seen = look_on(table, state, np) if begun else look(table, state, np)
        budget = self._budget_for(table.players)
        if not budget.worlds:
            found = by_the_net(table, net, state, seen, budget.turns, np)
            return _best_first(view, seen, found, budget)
        dealt = self._worlds(view, found_net, state, budget.worlds)
        found = search(table, net, state, seen, budget, dealt, np)
        ranked = _best_first(view, seen, found, budget)
        if not is_near(view):
            return ranked
        found = by_the_net(table, net, state, seen, seen.there.shape[1], np)
        return _worked_out(view, ranked, _best_first(view, seen, found, budget))

    def _budget_for(self, players: int) -> Budget:
        """The budget; the usual one has fewer worlds where there are many players."""
        if self.budget != USUAL:
            return self.budget
        return USUAL._replace(worlds=min(USUAL.worlds, MOST_OTHERS // players))

    def _worlds(self, view: View, found_net: NetForMap, state: State, worlds: int) -> Worlds:
        """The worlds to search in: as likely as the others' choices make them."""
        source = np.random.default_rng(self.random.getrandbits(64))
        policy = policy_for(view.table.setup)
        if policy is None:
            return equal_worlds(found_net.table, state, worlds, BY_NET, source, np)
        return likely_worlds(found_net.table, policy, view, state, worlds, self.beliefs, source)


def _best_first(view: View, seen: Look, found: Found, budget: Budget) -> Ranked:
    return [
        (turn_of(view, seen, int(found.number[0, place])), float(found.chances[0, place, 0]))
        for place in np.argsort(-found.estimate(budget)[0], kind="stable")
        if found.net[0, place] > IMPOSSIBLE
    ]


def _worked_out(view: View, ranked: Ranked, by_net: Ranked) -> Ranked:
    """All turns ranked by their exact share of the win, ties in the previous order; the previous
    ranking if the exact search takes too long."""
    turns = [moves for moves, _ in ranked]
    turns += [moves for moves, _ in by_net if moves not in turns]
    try:
        exact = shares(view, turns)
    except TooLongError:
        return ranked
    return sorted(zip(turns, exact, strict=True), key=lambda turn: -turn[1])


def _without_waste(view: View, ranked: Ranked) -> Ranked:
    """If the best turn buys land that will never pay, the same turn without it comes first: it
    leaves more cash, and no search tells so small a difference from chance."""
    (best, chance), *others = ranked
    if not _buys_for_nothing(view, best):
        return ranked
    kept = [*best[:-1], view.table.board.passing]
    return [(kept, chance), (best, chance), *(turn for turn in others if turn[0] != kept)]


def _buys_for_nothing(view: View, moves: list[Move]) -> bool:
    """Whether the turn buys land in a city that will never pay again."""
    bought = next((move.city for move in moves if move.kind == "buy"), None)
    if bought is None:
        return False
    table = preview(view, moves).table
    return table.phase != "over" and not Outlook(table).payments[bought]


def _after_each(table: Map, state: State, turns: Turns) -> State:
    """The positions that these turns of the mover lead to, before the draw."""
    found = []
    for moves in turns:
        after = state
        for move in moves:
            action = np.array([action_of(move, table.board.shape)])
            after, _ = play(table.board, after, action, np)
        found.append(after)
    return State(*(np.concatenate(parts, axis=-1) for parts in zip(*found, strict=True)))


def turns_by_net(view: View) -> list[tuple[list[Move], float]] | None:
    """All turns of a viewer who is about to lay a tile, best first by the net alone, each with its
    value. None if there is no net."""
    found_net = net_for(view.table.setup)
    if found_net is None:
        return None
    table, net = found_net
    # Any resampling will do: no feature depends on hidden tiles.
    state = from_positions([resample(view, Random(0))], table.board.shape)
    seen = look(table, state, np)
    found = by_the_net(table, net, state, seen, seen.there.shape[1], np)
    return [
        (turn_of(view, seen, int(number)), float(worth))
        for number, worth in zip(found.number[0], found.net[0], strict=True)
        if worth > IMPOSSIBLE
    ]


def _without_net(seed: str, worlds: int) -> ComputerPlayer:
    return Speculator(seed, playouts=PLAYOUTS_A_WORLD * worlds) if worlds else Surveyor(seed)


def turn_of(view: View, seen: Look, number: int) -> list[Move]:
    """Turn number `number` as moves."""
    board = view.table.board
    tile, purchase = divmod(number, 1 + len(board.city_codes))
    moves = []
    if view.table.phase == "lay":
        space, holders = seen.laid.space[tile], seen.laid.state.holders[:, tile]
        moves = [board.lays[int(space)], *_sales(view, holders)]
        if preview(view, moves).turn_over:
            return moves
    return [*moves, board.buys[purchase - 1] if purchase else board.passing]


def _sales(view: View, holders: Array) -> list[Move]:
    """The sales that lead to these holders. The largest sale comes last: every sale must have been
    necessary when it was made."""
    table = view.table
    lands = enumerate(zip(table.land, holders.tolist(), strict=True))
    cards = [card for card, (before, after) in lands if before == table.turn and after == BANK]
    cards.sort(key=lambda card: table.board.fetches[card])
    return [table.board.parse(f"-{table.board.card_text(card)}") for card in cards]
