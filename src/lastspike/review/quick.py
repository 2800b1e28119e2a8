"""The quick review: chances, luck and deciding turns within a second or two, without judgements.

Two sources give each player's chance to win. Tycoon's net values every position from each player's
own view. Near the end, where playouts are short, they correct it. As in the full review, play is
measured against likely turns: a turn's start is worth what the policy of the playouts makes of it.

The figures differ from the full review's. Their errors here are those differences as measured by
`bench/quick_review.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from time import monotonic

import msgspec
import numpy as np

from lastspike.batch import from_positions
from lastspike.bots.tycoon.features import features
from lastspike.bots.tycoon.net import judge
from lastspike.bots.tycoon.net_lookup import NetForMap, net_for
from lastspike.rules.board import Space
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.hidden import Hidden
from lastspike.rules.moves import Move
from lastspike.rules.position import Position, advance, legal_moves
from lastspike.rules.records.record import Record, result_of
from lastspike.rules.records.turns import GameTurns, Turn, turns_of

from .chances import Moment, Shares, WinChances, World, both_ends, new_world
from .estimates import Estimate
from .facts import facts_of
from .luck import DecidingTurn, Luck, deciding_turns, luck_of
from .policy import Fortune, likely_choice, new_fortune, shares_of_win
from .run_review import Chances, Progress, Review

LIKELY = 8
"""The likely turns that a turn's start is valued by."""
NEAR = 16
"""The last turns, whose positions are also played out."""
WORLDS, ROUND = 40, 8
"""The worlds of those playouts, and how many are played out for all those turns before the next."""

NET_WORLDS = 10.0
"""The net's chances weigh as much as this number of worlds. It does not know all the hands."""

CHANCE_ERROR, MOVED_ERROR = 0.08, 0.12
"""Standard errors of a chance, and of how much a turn moved."""
LUCK_ERRORS = {
    "deal": 0.08,
    "draws": 0.25,
    "own_draws": 0.25,
    "luck": 0.25,
    "own_play": 0.12,
    "others_play": 0.25,
}


def quick_review(
    record: Record,
    seed: str = "",
    progress: Progress | None = None,
    seconds: float | None = None,
) -> Review:
    """A review without judged turns; `LastSpikeError` if the game is not over.

    After `seconds` nothing more is played out; on a busy machine, the net then decides more alone.
    For a map without a net it holds the facts alone: no chances, deciding turns or luck.
    """
    game = record.game
    outcome = game.outcome
    if outcome is None:
        raise LastSpikeError("only a game that is over can be reviewed")
    played = turns_of(game)
    found = net_for(game.setup)
    until = math.inf if seconds is None else monotonic() + seconds
    chances = _win_chances(played, found, seed, progress, until) if found is not None else None
    return Review(
        seed=seed,
        playouts=2 * WORLDS * min(NEAR, len(played.turns)) if chances else 0,
        edition=game.setup.edition.id,
        players=game.setup.players,
        result=result_of(outcome),
        facts=facts_of(played),
        chances=_chances(chances) if chances else (),
        turns=(),
        deciding=_deciding(chances, played.turns) if chances else (),
        luck=_luck(chances, played) if chances else (),
    )


def _win_chances(
    played: GameTurns, found: NetForMap, seed: str, progress: Progress | None, until: float
) -> WinChances:
    """One world for each moment: the best estimate."""
    turns = played.turns
    moved = [_after(turn.before, turn.moves) for turn in turns]
    rng = Random(f"{seed}/quick")
    fortunes = [new_fortune(rng) for _ in range(LIKELY)]
    likely = [_likely(turn.before, fortune) for fortune in fortunes for turn in turns]
    by_fortune = np.array(_by_net(found, likely)).reshape(LIKELY, len(turns), found.table.players)
    at_start: list[Shares] = [tuple(map(float, row)) for row in by_fortune.mean(axis=0)]
    at_end = _by_net(found, moved)
    worlds = [new_world(len(played.game.setup.board.codes), rng) for _ in range(WORLDS)]
    far = max(len(turns) - NEAR, 0)
    for place, ends in enumerate(_played_out(turns[far:], worlds, progress, until), far):
        at_start[place] = _blended(at_start[place], [before for before, _ in ends])
        at_end[place] = _blended(at_end[place], [after for _, after in ends])
    last = turns[-1].after if turns else played.start
    begun = [*at_start, shares_of_win(last.table)]
    return WinChances(
        tuple(Moment((shares,)) for shares in begun), tuple(Moment((shares,)) for shares in at_end)
    )


def _played_out(
    turns: Sequence[Turn], worlds: Sequence[World], progress: Progress | None, until: float
) -> list[list[tuple[Shares, Shares]]]:
    """By turn, the results of playing on from its start and from after its moves, in as many of the
    worlds as there is time for."""
    ends: list[list[tuple[Shares, Shares]]] = [[] for _ in turns]
    done, total = 0, len(turns) * -(-len(worlds) // ROUND)
    for first in range(0, len(worlds), ROUND):
        for turn, found in zip(turns, ends, strict=True):
            if monotonic() > until:
                return ends
            found += [both_ends(turn, world) for world in worlds[first : first + ROUND]]
            done += 1
            if progress is not None:
                progress(done, total)
    return ends


def _after(before: Position, moves: Sequence[Move]) -> Position:
    """The position after a turn's moves, without the draw."""
    after = _without_pool(before)
    for move in moves:
        advance(after, move, _unmixed)
    return _with_pool(after, before)


def _likely(before: Position, fortune: Fortune) -> Position:
    """The same after the turn that the policy of the playouts makes."""
    after = _without_pool(before)
    while after.table.track == before.table.track or after.table.phase == "buy":
        advance(after, likely_choice(after, legal_moves(after), fortune), _unmixed)
    return _with_pool(after, before)


def _without_pool(position: Position) -> Position:
    return Position(position.table.copy(), Hidden(position.hidden.hands, (), position.hidden.aside))


def _with_pool(after: Position, before: Position) -> Position:
    hidden = after.hidden
    return Position(
        after.table, Hidden(hidden.hands, (*hidden.pool, *before.hidden.pool), hidden.aside)
    )


def _unmixed(tiles: list[Space]) -> Sequence[Space]:
    return tiles


def _by_net(found: NetForMap, positions: Sequence[Position]) -> list[Shares]:
    """The chances of all players, each valued with the own hand; they sum to 1. For a finished
    game, the result."""
    if not positions:
        return []
    table, net = found
    state = from_positions(positions, table.board.shape)
    own = [
        judge(net, features(table, state, np.full(len(positions), seat), np), np).chances[:, 0]
        for seat in range(table.players)
    ]
    chances = np.stack(own, axis=1) + 1e-6
    return [
        shares_of_win(position.table)
        if position.table.phase == "over"
        else tuple(map(float, row / row.sum()))
        for position, row in zip(positions, chances, strict=True)
    ]


def _blended(by_net: Shares, ends: Sequence[Shares]) -> Shares:
    weight = NET_WORLDS + len(ends)
    return tuple(
        (NET_WORLDS * chance + sum(shares[seat] for shares in ends)) / weight
        for seat, chance in enumerate(by_net)
    )


def _chances(chances: WinChances) -> tuple[Chances, ...]:
    last = len(chances.begun) - 1
    return tuple(
        Chances(
            number,
            moment.chances,
            0.0 if number == last else CHANCE_ERROR,
            chances.moved[number - 1].chances if number else None,
        )
        for number, moment in enumerate(chances.begun)
    )


def _deciding(chances: WinChances, turns: Sequence[Turn]) -> tuple[DecidingTurn, ...]:
    found = deciding_turns(chances, turns)
    return tuple(msgspec.structs.replace(turn, error=MOVED_ERROR) for turn in found)


def _luck(chances: WinChances, played: GameTurns) -> tuple[Luck, ...]:
    found = []
    for seat in range(played.game.setup.players):
        luck = luck_of(chances, played.turns, seat)
        parts = {
            part: Estimate(getattr(luck, part).mean, error) for part, error in LUCK_ERRORS.items()
        }
        found.append(msgspec.structs.replace(luck, **parts))
    return tuple(found)
