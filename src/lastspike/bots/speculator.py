"""Speculator: plays its best turns out in many worlds, each a resampling of the hidden tiles."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import monotonic

from lastspike.rules.moves import Move
from lastspike.rules.outcome import outcome, win_share
from lastspike.rules.position import Position, advance
from lastspike.rules.table import Table
from lastspike.rules.view import View, preview, resample, table_with_cash

from .explain.explainer import explain
from .explain.reasons import Reason, WinChance
from .judgement import DECISIVE, judge
from .player import Judge, Ranked, Turns, later_in_turn
from .playout import play_out
from .selling import sold

PLAYOUTS = 160
"""The default budget per turn."""

TILES, PURCHASES, TURNS = 3, 2, 4
"""How many tiles to consider, purchases after each, and whole turns at most."""

MARGIN = 30_000
"""The lead in dollars, positive or negative, at which its score is capped."""
MARGIN_SHARE = 0.3
"""The score of a capped lead; a win scores 1."""

PRIOR_WORLDS = 4.0
"""The prior, Surveyor's order, weighs as much as this number of worlds."""
PRIOR_STEP = 0.04
"""The prior's difference between one turn and the next in Surveyor's order."""


class Candidate:
    """A turn under consideration and its results."""

    def __init__(self, moves: list[Move], prior: float) -> None:
        self.moves = moves
        self.prior = prior
        self.worlds = 0
        self.points = 0.0
        self.wins = 0.0

    @property
    def estimate(self) -> float:
        """The mean score plus the prior, whose weight falls as worlds are added."""
        mean = self.points / self.worlds if self.worlds else 0.0
        return mean + self.prior * PRIOR_WORLDS / (self.worlds + PRIOR_WORLDS)


class Speculator(Judge):
    """Stronger with a larger budget: playouts per turn, and optionally a limit in seconds."""

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

    def ranked(self, view: View) -> Ranked:
        best = self.turn(view)
        ordered = sorted(self._tried, key=lambda c: (c.moves != best, -c.estimate))
        return [(c.moves, c.wins / max(c.worlds, 1)) for c in ordered]

    def chances(self, view: View, turns: Turns, worlds: int) -> list[list[float]]:
        found = []
        for _ in range(worlds):
            world, mixing = resample(view, self.random), self.random.getrandbits(32)
            tried = [Candidate(list(moves), 0.0) for moves in turns]
            for candidate in tried:
                _play_in(world, candidate, mixing)
            found.append([candidate.wins for candidate in tried])
        return found

    def reasons(self, view: View, moves: list[Move]) -> tuple[Reason, ...]:
        if not any(candidate.moves == moves for candidate in self._tried):
            self.turn(view)
        most = max(candidate.worlds for candidate in self._tried)
        wins = {
            candidate.moves == moves: round(100 * candidate.wins / candidate.worlds)
            for candidate in sorted(self._tried, key=lambda candidate: candidate.estimate)
            if 0 < candidate.worlds == most
        }
        found = explain(view, moves)
        return (WinChance(wins[True], wins[False]), *found) if len(wins) == 2 else found

    def _best_of(self, view: View, running: list[Candidate]) -> Candidate:
        """Spend the budget world by world. All remaining candidates play in the same worlds, so
        luck is equal; after half the budget only the best two remain."""
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
    """Surveyor's best whole turns, in its order.

    A winning last spike is the only candidate; a losing one is skipped if there is an alternative.
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
        # The tile's score includes the best purchase, so score the others relative to it.
        purchases = _best(view, begun, PURCHASES)
        for score, moves in purchases:
            found.append((tile_score + score - purchases[0][0], moves))
    found.sort(key=lambda scored: scored[0], reverse=True)
    return [Candidate(moves, -PRIOR_STEP * place) for place, (_, moves) in enumerate(found[:TURNS])]


def _best(view: View, begun: list[Move], most: int) -> list[tuple[float, list[Move]]]:
    """The best continuations of a turn, best first, with Surveyor's sales."""
    here = later_in_turn(view, begun)
    table = table_with_cash(here)
    scored = judge(table, here.hand, here.legal_moves)
    if table.phase == "raise":
        most = 1
    scored.sort(reverse=True)
    return [(score, sold(view, [*begun, move])) for score, move in scored[:most]]


def _play_in(world: Position, candidate: Candidate, mixing: int) -> None:
    """Play the candidate's turn in one world, play the game out, and add the result."""
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
    """The seat's share of the win, and its cash minus the best opponent's."""
    result = outcome(table)
    assert result is not None
    best = max(cash for other, cash in enumerate(result.cash) if other != seat)
    return win_share(result.winners, seat), result.cash[seat] - best
