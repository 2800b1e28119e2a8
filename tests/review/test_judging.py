"""Judging turns: what is terrible is found, what is forced is not blamed, nothing hidden counts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

import pytest

from lastspike.bots.explain.reasons import WinsNow
from lastspike.bots.tycoon.player import turns_by_net
from lastspike.review import judging, review
from lastspike.review.candidates import candidates_for
from lastspike.review.judging import Judgement, TurnJudge
from lastspike.review.legal_turns import is_forced, legal_turns
from lastspike.rules import Game, Move, Options, Position, View, preview, resample, to_text, view_of
from lastspike.rules.events import FirstPlayer, LastSpike
from lastspike.rules.records.turns import turns_of
from lastspike.rules.steps.bankruptcy import Remix
from tests.rules.helpers import SOAK, layout
from tests.rules.worlds import other_world

from .helpers import conformance_games, new_game, play_to_the_end, quick_game, recorded

WORKED = "A E B Y F X V1 V2 V4"
"""The worked example of the rules: V3 is the last spike."""


def seen(position: Position) -> View:
    return view_of(position, position.table.turn, [FirstPlayer(0)])


def judged(
    view: View, played: tuple[Move, ...], seed: str = "judged", worlds: int = 6
) -> Judgement:
    judge = TurnJudge(view, played, seed)
    judge.choose("choose", worlds)
    return judge.judge("judge", 2 * worlds, closely=True)


def moves_of(position: Position, text: str) -> tuple[Move, ...]:
    return tuple(position.table.board.parse(move) for move in text.split())


def test_a_last_spike_that_wins_and_is_left_is_a_loss() -> None:
    """Every route lacks its third tile, and the others hold some that are last spikes too."""
    track = f"{WORKED} Z1 Z2 Z4 C1 C2 C4 D1 D2 D4 U1 U2 U4 W1 W2 W4"
    cash = (30_000, 35_000, 40_000)
    position = layout("C3 V3", track=track, cash=cash, hands={1: "Z3 D3", 2: "U3 W3"}, pool="")
    found = judged(seen(position), moves_of(position, "C3 pass"), worlds=20)
    assert found.other == found.computer == ("V3",)
    assert found.loss is not None
    assert found.loss.mean > 0.3
    assert isinstance(found.reasons[0], WinsNow)


def test_a_last_spike_that_wins_is_no_loss() -> None:
    position = layout("C1 D1 V3 Z1", track=WORKED, cash=(30_000, 35_000, 40_000))
    found = judged(seen(position), moves_of(position, "V3"))
    assert (found.forced, found.loss, found.lead.mean) == (False, None, 0.0)
    assert found.computer == ("V3",)


def spoilt_game() -> tuple[Game, int, int]:
    """A game of Surveyors in which a last spike that wins is not driven, and the game is lost; the
    number of that turn, and its seat."""
    for number in range(100):
        seed = f"spoilt/{number}"
        original = new_game(4, seed)
        play_to_the_end(original, ["surveyor"] * 4)
        *turns, last = turns_of(original).turns
        others = [
            moves for moves in legal_turns(last.view) if not _drives_the_spike(last.view, moves)
        ]
        if not others:
            continue
        game = new_game(4, seed)
        for move in [*(move for turn in turns for move in turn.moves), *others[0]]:
            game.play(move)
        play_to_the_end(game, ["surveyor"] * 4)
        assert original.outcome is not None
        assert game.outcome is not None
        if last.seat in original.outcome.winners and last.seat not in game.outcome.winners:
            return game, last.number, last.seat
    raise AssertionError("no such game")


def _drives_the_spike(view: View, moves: tuple[Move, ...]) -> bool:
    return any(isinstance(event, LastSpike) for event in preview(view, moves).events)


@pytest.mark.soak
def test_a_terrible_move_is_found_in_a_whole_review() -> None:
    game, number, seat = spoilt_game()
    found = review(recorded(game), "terrible", 3000 if SOAK else 1500)
    turn = found.turns[number - 1]
    assert turn.seat == seat
    assert turn.judgement.closely
    assert turn.judgement.loss is not None
    losses = [t.judgement.loss.mean for t in found.turns if t.judgement.loss]
    assert turn.judgement.loss.mean == max(losses)
    assert found.luck[seat].own_play.mean < 0


def test_a_forced_turn_is_never_blamed() -> None:
    """Wherever there was one legal move at every step; and nowhere that there were turns which
    came to different things."""
    forced = free = 0
    for _, record in conformance_games():
        again = Game(record.game.setup, record.game.deal, _remixes(record.game))
        for turn in turns_of(record.game).turns:
            counts = []
            for move in turn.moves:
                counts.append(len(again.legal))
                again.play(move)
            if max(counts) == 1:
                forced += 1
                found = judged(turn.view, turn.moves, worlds=2)
                assert found.forced
                assert (found.loss, found.lead.mean, found.lead.error) == (None, 0.0, 0.0)
                assert found.other == tuple(move.text for move in turn.moves)
            elif counts[0] > 1:
                free += 1
                assert not is_forced(turn.view)
    assert forced > 50
    assert free > 500


def _remixes(game: Game) -> Remix:
    orders = iter(game.remixed)
    return lambda _tiles: next(orders)


def test_sales_in_another_order_are_the_same_turn() -> None:
    """V2 costs all that there is and both cards: which of them goes first is no choice."""
    position = layout("V2", track="V1", cash=(1_000, 30_000, 30_000), land="DEN:1.0.. OGD:10...")
    view = seen(position)
    turns = [" ".join(move.text for move in moves) for moves in legal_turns(view)]
    assert turns == ["V2 -DEN2 -OGD1", "V2 -OGD1 -DEN2"]
    for turn in turns:
        assert judged(view, moves_of(position, turn)).forced


def positions(games: int) -> Iterator[Game]:
    """Games as they stood when a turn began, with hidden and open cash in turn."""
    for number in range(games):
        options = Options(cash="hidden" if number % 2 else "open")
        players, seed = 2 + number % 4, f"leak/{number}"
        whole = new_game(players, seed, options)
        play_to_the_end(whole, ["surveyor", "clerk", "surveyor", "clerk", "clerk"][:players])
        game = new_game(players, seed, options)
        for turn in turns_of(whole).turns:
            yield game
            for move in turn.moves:
                game.play(move)


@pytest.mark.soak
def test_what_a_player_could_not_see_changes_no_judgement() -> None:
    rng = Random(7)
    looked_at = 0
    for place, game in enumerate(positions(40 if SOAK else 4)):
        if not SOAK and place % 3:
            continue
        seat = game.turn
        assert seat is not None
        world, history = other_world(game, seat, rng)
        view, there = game.view(seat), view_of(world, seat, history)
        played = rng.choice(list(legal_turns(view)))
        found = judged(view, played, worlds=2)
        assert found == judged(there, played, worlds=2)
        looked_at += not found.forced
    assert looked_at > (1000 if SOAK else 30)


@pytest.mark.soak
def test_the_lead_is_not_found_in_the_worlds_that_chose_the_best() -> None:
    """Chosen by few worlds, the best is often the luckiest: its lead must be right on average
    all the same. Found in the same worlds it is not."""
    turn = next(
        turn
        for turn in turns_of(quick_game().game).turns[12:]
        if TurnJudge(turn.view, turn.moves, "").candidates > 3
    )
    truth: dict[tuple[str, ...], float] = {}
    excess, chosen = [], set()
    for number in range(100 if SOAK else 40):
        judge = TurnJudge(turn.view, turn.moves, f"curse/{number}")
        judge.choose("choose", 4)
        found = judge.judge("judge", 4, closely=True)
        chosen.add(found.other)
        if found.other not in truth:
            truth[found.other] = judge.judge("truth", 250 if SOAK else 150, closely=True).lead.mean
        excess.append(found.lead.mean - truth[found.other])
    mean = sum(excess) / len(excess)
    spread = math.sqrt(sum((value - mean) ** 2 for value in excess) / len(excess) / len(excess))
    assert len(chosen) > 1
    assert abs(mean) < 2.5 * spread


def test_every_stage_has_worlds_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def noted(view: View, rng: Random) -> Position:
        world = resample(view, rng)
        drawn.append(to_text(world))
        return world

    monkeypatch.setattr(judging, "resample", noted)
    turn = next(t for t in turns_of(quick_game().game).turns if not is_forced(t.view))
    judge = TurnJudge(turn.view, turn.moves, "stages")
    judge.choose("screen", 5)
    judge.choose("choose", 5)
    judge.judge("judge", 5, closely=True)
    assert len(drawn) == len(set(drawn)) == 15


def test_looked_at_are_the_turns_that_the_net_thinks_best() -> None:
    turn = next(t for t in turns_of(quick_game().game).turns if not is_forced(t.view))
    by_net = turns_by_net(turn.view)
    assert by_net
    played, others = candidates_for(turn.view, turn.moves)
    best = [moves for moves, _ in by_net[:4]]
    assert [other.moves for other in others] == [m for m in best if m != played.moves]
    assert {worth for moves, worth in by_net if moves == list(turn.moves)} == {played.prior}
    assert played.estimate == played.prior  # nothing has been played yet
    played.worlds, played.points = 30, 0.0
    assert played.estimate == played.prior / 2
