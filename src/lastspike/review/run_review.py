"""Runs the review of a finished game: facts, chances, judgements, deciding turns and luck."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import msgspec

from lastspike.bots.explain.reasons import Reason
from lastspike.rules.board import Seat
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.events import TileDrawn
from lastspike.rules.records.record import Record, result_of
from lastspike.rules.records.turns import GameTurns, Turn, turns_of

from .budget import split
from .chances import WinChances, win_chances
from .estimates import estimate
from .facts import Facts, facts_of
from .judges import Judges, tycoons
from .judging import Judgement, forced, judge
from .legal_turns import is_forced
from .luck import DecidingTurn, Luck, deciding_turns, luck_of

PLAYOUTS = 40_000
"""The default budget: well under a minute for four players on one core."""

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


Steps = Generator[tuple[int, int], None, Review]
"""A review under way: yields the playouts done and their total."""


def review(
    record: Record, seed: str = "", playouts: int = PLAYOUTS, progress: Progress | None = None
) -> Review:
    """Review a finished game; `LastSpikeError` if it is not over.

    The same seed and budget give the same review on the same kind of processor.
    """
    steps = review_steps(record, seed, playouts, tycoons())
    while True:
        try:
            done, total = next(steps)
        except StopIteration as end:
            reviewed: Review = end.value
            return reviewed
        if progress is not None:
            progress(done, total)


def review_steps(record: Record, seed: str, playouts: int, judges: Judges) -> Steps:
    """The same in steps, for a program that has other things to do in between."""
    game = record.game
    outcome = game.outcome
    if outcome is None:
        raise LastSpikeError("only a game that is over can be reviewed")
    played = turns_of(game)
    free = [not is_forced(turn.view) for turn in played.turns]
    budget = split(playouts, len(free), sum(free), judges)
    chances = yield from _counted(win_chances(played, seed, budget.chances), playouts)
    done = min(2 * budget.chances * len(free), playouts)
    judgements = []
    for turn, choice in zip(played.turns, free, strict=True):
        stages = (f"{seed}/{turn.number}", budget.hint, budget.lead, judges)
        judgements.append(judge(turn.view, turn.moves, *stages) if choice else forced(turn.moves))
        done = min(done + (budget.cost if choice else 0), playouts)
        yield done, playouts
    seats = range(game.setup.players)
    yield playouts, playouts  # what was not used counts as done
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


def _counted(
    course: Generator[int, None, WinChances], total: int
) -> Generator[tuple[int, int], None, WinChances]:
    done = 0
    while True:
        try:
            done = min(done + next(course), total)
        except StopIteration as end:
            chances: WinChances = end.value
            return chances
        yield done, total


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
