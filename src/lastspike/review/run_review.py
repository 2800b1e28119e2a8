"""Runs the review of a finished game: facts, chances, judgements, deciding turns and luck."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from lastspike.bots.explain.reasons import Reason
from lastspike.rules.board import Seat
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.events import TileDrawn
from lastspike.rules.records.record import Record, result_of
from lastspike.rules.records.turns import GameTurns, Turn, turns_of

from .budget import Budget, split
from .chances import WinChances, win_chances
from .estimates import estimate
from .facts import Facts, facts_of
from .judging import Judgement, TurnJudge
from .luck import DecidingTurn, Luck, deciding_turns, luck_of

PLAYOUTS = 40_000
"""The default budget: well under a minute for four players on one core."""

AGAIN, CLOSELY = 20, 10
"""How many turns are screened again, and how many of those are judged closely."""

Progress = Callable[[int, int], None]
"""Called with the playouts done and their total. An exception from it ends the review."""


class Chances(msgspec.Struct, frozen=True):
    """Win chances by seat after a turn (0: after the deal). `moved` are those after the turn's
    moves and before its draw, None for the deal. `error` is the largest standard error."""

    turn: int
    chances: tuple[float, ...]
    error: float
    moved: tuple[float, ...] | None


class TurnReview(msgspec.Struct, frozen=True):
    """A turn: its moves, the tile drawn after it, and its judgement."""

    number: int
    seat: Seat
    moves: tuple[str, ...]
    drawn: str | None
    judgement: Judgement


class Review(msgspec.Struct, frozen=True):
    """A review in codes and amounts, to be worded elsewhere. `result` is the record's."""

    seed: str
    playouts: int
    edition: str
    players: int
    result: dict[str, Any]
    facts: Facts
    chances: tuple[Chances, ...]
    turns: tuple[TurnReview, ...]
    deciding: tuple[DecidingTurn, ...]
    luck: tuple[Luck, ...]


def review(
    record: Record, seed: str = "", playouts: int = PLAYOUTS, progress: Progress | None = None
) -> Review:
    """Review a finished game; `LastSpikeError` if it is not over.

    The same seed and budget give the same review on the same kind of processor.
    """
    game = record.game
    outcome = game.outcome
    if outcome is None:
        raise LastSpikeError("only a game that is over can be reviewed")
    played = turns_of(game)
    meter = _Meter(playouts, progress)
    judges = [TurnJudge(t.view, t.moves, f"{seed}/{t.number}") for t in played.turns]
    budget = split(playouts, [judge.candidates for judge in judges], AGAIN, CLOSELY)
    chances = win_chances(played, seed, budget.chances, meter.add)
    judgements = _judge(judges, budget, meter)
    seats = range(game.setup.players)
    meter.finish()
    return Review(
        seed=seed,
        playouts=playouts,
        edition=game.setup.edition.id,
        players=game.setup.players,
        result=result_of(outcome),
        facts=facts_of(played),
        chances=_chances(chances, played),
        turns=tuple(
            _turn_review(turn, judgement)
            for turn, judgement in zip(played.turns, judgements, strict=True)
        ),
        deciding=deciding_turns(chances, played.turns),
        luck=tuple(luck_of(chances, played.turns, seat) for seat in seats),
    )


def review_to_json(reviewed: Review) -> dict[str, Any]:
    """The review as JSON. A reason names its kind first: `{"reason": "good_land", …}`."""
    raw: dict[str, Any] = msgspec.to_builtins(reviewed)
    for turn, entry in zip(reviewed.turns, raw["turns"], strict=True):
        entry["judgement"]["reasons"] = [reason_to_json(r) for r in turn.judgement.reasons]
    raw["facts"]["holdings"] = [holding._asdict() for holding in reviewed.facts.holdings]
    return raw


def reason_to_json(reason: Reason) -> dict[str, Any]:
    name = type(reason).__name__
    kind = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    return {"reason": kind.removeprefix("_"), **reason._asdict()}


def _judge(judges: list[TurnJudge], budget: Budget, meter: _Meter) -> list[Judgement]:
    """Screen every turn, screen the most promising again, then judge those with the largest swing
    closely and the rest briefly."""
    left = [judge for judge in judges if not judge.forced]
    for stage, worlds, stay in (("screen", budget.screen, AGAIN), ("again", budget.again, CLOSELY)):
        for judge in left:
            judge.choose(stage, worlds)
            meter.add(judge.candidates * worlds)
        left = sorted(left, key=lambda judge: -judge.swing)[:stay]
    judgements = []
    for judge in judges:
        close = judge in left
        worlds = budget.closely if close else budget.briefly
        judgements.append(judge.judge("judge", worlds, close))
        meter.add(0 if judge.forced else 2 * worlds)
    return judgements


def _chances(chances: WinChances, played: GameTurns) -> tuple[Chances, ...]:
    found = []
    for number, moment in enumerate(chances.begun):
        over = number == len(played.turns)
        errors = [
            estimate([shares[seat] for shares in moment.ends]).error
            for seat in range(len(moment.ends[0]))
        ]
        moved = chances.moved[number - 1].chances if number else None
        found.append(Chances(number, moment.chances, 0.0 if over else max(errors), moved))
    return tuple(found)


def _turn_review(turn: Turn, judgement: Judgement) -> TurnReview:
    drawn = [e.tile for e in turn.events if isinstance(e, TileDrawn) and e.seat == turn.seat]
    moves = tuple(move.text for move in turn.moves)
    return TurnReview(turn.number, turn.seat, moves, drawn[0] if drawn else None, judgement)


class _Meter:
    """Reports progress in playouts; `finish` counts unused ones as done."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total = total
        self._done = 0
        self._progress = progress

    def add(self, playouts: int) -> None:
        self._done = min(self._done + playouts, self._total)
        if self._progress is not None:
            self._progress(self._done, self._total)

    def finish(self) -> None:
        self.add(self._total)
