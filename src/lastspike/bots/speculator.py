"""Speculator: deals what it can't see anew, many times, and plays its best turns out in each."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import monotonic

from lastspike.rules.moves import Move
from lastspike.rules.outcome import outcome, win_share
from lastspike.rules.position import Position, advance
from lastspike.rules.table import Table
from lastspike.rules.view import View, legal_in, preview, resample, table_with_cash

from .explain.explainer import explain
from .explain.reasons import Reason, WinChance
from .judgement import DECISIVE, judge
from .player import ComputerPlayer, later_in_turn
from .playout import play_out
from .selling import sold

PLAYOUTS = 160
"""The usual budget for a turn."""

TILES, PURCHASES, TURNS = 3, 2, 4
"""How many tiles, and purchases after each, are looked at; and how many turns at the most."""

MARGIN = 30_000
"""A lead, or a lag, of so many dollars counts as much as it can."""
MARGIN_SHARE = 0.3
"""How much that is, beside 1 for a win."""

PRIOR_WORLDS = 4.0
"""Surveyor's order counts like so many worlds in which it was borne out."""
PRIOR_STEP = 0.04
"""How much better Surveyor's order says each turn is than the next."""


class Candidate:
    """A turn that is looked at, and how it did."""

    def __init__(self, moves: list[Move], prior: float) -> None:
        self.moves = moves
        self.prior = prior
        self.worlds = 0
        self.points = 0.0
        self.wins = 0.0

    @property
    def estimate(self) -> float:
        """The mean of what it scored, and Surveyor's order, which counts less the more worlds."""
        mean = self.points / self.worlds if self.worlds else 0.0
        return mean + self.prior * PRIOR_WORLDS / (self.worlds + PRIOR_WORLDS)


class Speculator(ComputerPlayer):
    """Its strength grows with its budget, a number of playouts a turn; at tables, also seconds."""

    level = "speculator"

    def __init__(self, seed: str, playouts: int = PLAYOUTS, seconds: float | None = None) -> None:
        super().__init__(seed)
        self.playouts = playouts
        self.seconds = seconds
        self._tried: list[Candidate] = []

    def choose(self, view: View) -> Move:
        return self.turn(view)[0]

    def turn(self, view: View) -> list[Move]:
        self._tried = turns_worth_a_look(view)
        return self._best_of(view, self._tried).moves

    def reasons(self, view: View, moves: list[Move]) -> tuple[Reason, ...]:
        if not any(candidate.moves == moves for candidate in self._tried):
            self.turn(view)
        most = max(candidate.worlds for candidate in self._tried)
        wins = {
            candidate.moves == moves: round(100 * candidate.wins / candidate.worlds)
            for candidate in sorted(self._tried, key=lambda candidate: candidate.estimate)
            if 0 < candidate.worlds == most
        }
        told = explain(view, moves)
        return (WinChance(wins[True], wins[False]), *told) if len(wins) == 2 else told

    def _best_of(self, view: View, running: list[Candidate]) -> Candidate:
        """Spend the budget world by world, each world on all that are still in the running, so that
        luck is the same for all. When half is spent, only the best two go on."""
        began = monotonic()
        spent = 0
        while len(running) > 1 and spent + len(running) <= self.playouts:
            world = resample(view, self.random)
            mixing = self.random.getrandbits(32)
            for candidate in running:
                _play_in(world, candidate, mixing)
            spent += len(running)
            if self.seconds is not None and monotonic() - began > self.seconds:
                break
            if spent >= self.playouts / 2:
                running = sorted(running, key=lambda c: c.estimate, reverse=True)[:2]
        return max(running, key=lambda candidate: candidate.estimate)


def turns_worth_a_look(view: View) -> list[Candidate]:
    """The few whole turns that Surveyor likes best, in its order.

    A last spike that wins is taken unseen; one that loses is left alone while there is a choice.
    """
    found: list[tuple[float, list[Move]]] = []
    tiles = _best(view, [], TILES)
    if tiles[0][0] > DECISIVE / 2:
        return [Candidate(tiles[0][1], 0.0)]
    for tile_score, begun in tiles:
        if found and tile_score < -DECISIVE / 2:
            continue
        ahead = preview(view, begun)
        if ahead.turn_over:
            found.append((tile_score, begun))
            continue
        # Surveyor has counted its best purchase with the tile; the others are behind by so much.
        purchases = _best(view, begun, PURCHASES)
        for score, moves in purchases:
            found.append((tile_score + score - purchases[0][0], moves))
    found.sort(key=lambda scored: scored[0], reverse=True)
    return [Candidate(moves, -PRIOR_STEP * place) for place, (_, moves) in enumerate(found[:TURNS])]


def _best(view: View, begun: list[Move], most: int) -> list[tuple[float, list[Move]]]:
    """The best ways to go on with a turn, best first; sales are made as Surveyor makes them."""
    here = later_in_turn(view, begun)
    table = table_with_cash(here)
    scored = judge(table, here.hand, legal_in(here))
    if table.phase == "raise":
        most = 1
    scored.sort(reverse=True)
    return [(score, sold(view, [*begun, move])) for score, move in scored[:most]]


def _play_in(world: Position, candidate: Candidate, mixing: int) -> None:
    """Play the candidate's turn and then the game out in one world, and count how it went."""
    position = world.copy()
    seat = position.table.turn
    rng = Random(mixing)

    def remix(tiles: list[int]) -> Sequence[int]:
        rng.shuffle(tiles)
        return tiles

    for move in candidate.moves:
        advance(position, move, remix)
    play_out(position, remix)
    won, ahead = result_for(position.table, seat)
    candidate.worlds += 1
    candidate.wins += won
    candidate.points += won + MARGIN_SHARE * max(-1.0, min(1.0, ahead / MARGIN))


def result_for(table: Table, seat: int) -> tuple[float, int]:
    """The seat's share of the win, and its cash less that of the best opponent."""
    result = outcome(table)
    assert result is not None
    best = max(cash for other, cash in enumerate(result.cash) if other != seat)
    return win_share(result.winners, seat), result.cash[seat] - best
