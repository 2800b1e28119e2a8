"""Judging turns: what is terrible is found, what is forced is not blamed, nothing hidden counts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from lastspike.bots.explain.reasons import WinsNow
from lastspike.bots.levels import judge_of_turns, make_player
from lastspike.bots.player import HINT, Judge
from lastspike.review import review
from lastspike.review.judging import Judgement, forced, judge
from lastspike.review.legal_turns import is_forced, legal_turns
from lastspike.rules import (
    Game,
    Move,
    Options,
    Position,
    Stream,
    View,
    preview,
    seed_of_text,
    setup,
    shipped,
    view_of,
)
from lastspike.rules.editions import figures
from lastspike.rules.events import FirstPlayer, LastSpike
from lastspike.rules.records.turns import Turn, turns_of
from lastspike.rules.steps.bankruptcy import Remix
from lastspike.rules.view import without_others_cash
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
    if is_forced(view):
        return forced(played)
    return judge(view, played, seed, worlds, 2 * worlds)


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
    assert turn.judgement.loss is not None
    losses = [t.judgement.loss.mean for t in found.turns if t.judgement.loss]
    assert turn.judgement.loss.mean == max(losses)
    assert found.luck[seat].own_play.mean < 0


def test_a_forced_turn_is_never_blamed() -> None:
    """Wherever there was one legal move at every step; and nowhere that there were turns which
    came to different things."""
    without = free = 0
    for _, record in conformance_games():
        again = Game(record.game.setup, record.game.deal, _remixes(record.game))
        for turn in turns_of(record.game).turns:
            counts = []
            for move in turn.moves:
                counts.append(len(again.legal_moves))
                again.play(move)
            if max(counts) == 1:
                without += 1
                found = judged(turn.view, turn.moves, worlds=2)
                assert found.forced
                assert (found.loss, found.lead.mean, found.lead.error) == (None, 0.0, 0.0)
                assert found.other == tuple(move.text for move in turn.moves)
            elif counts[0] > 1:
                free += 1
                assert not is_forced(turn.view)
    assert without > 50
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
        if not SOAK and place % 4:
            continue
        seat = game.turn
        assert seat is not None
        world, history = other_world(game, seat, rng)
        view, there = game.view(seat), view_of(world, seat, history)
        played = rng.choice(list(legal_turns(view)))
        found = judged(view, played, worlds=2)
        assert found == judged(there, played, worlds=2)
        looked_at += not found.forced
    assert looked_at > (1000 if SOAK else 22)


def free_turns(levels: str = "surveyor clerk surveyor clerk", seed: str = "a game") -> list[Turn]:
    turns = turns_of(quick_game(levels, seed).game).turns
    return [turn for turn in turns if not is_forced(turn.view)]


def test_what_the_computer_would_have_done_is_the_hint() -> None:
    """Asked as the table asks: Tycoon with the seed of hints, from the view that hides cash."""
    for options in (Options(), Options(cash="hidden")):
        whole = new_game(3, "hinted", options)
        play_to_the_end(whole, ["surveyor", "clerk", "surveyor"])
        for turn in turns_of(whole).turns[3::9]:
            if is_forced(turn.view):
                continue
            hint = make_player("tycoon:8", HINT).turn(without_others_cash(turn.view))
            found = judge(turn.view, turn.moves, "any", 8, 2)
            assert found.computer == tuple(move.text for move in hint)
            followed = judge(turn.view, hint, "any", 8, 2)
            assert followed.hinted
            assert followed.other != found.computer


def test_a_hint_that_is_followed_is_not_blamed() -> None:
    """Only where new worlds speak clearly against it."""
    blamed = asked = 0
    for turn in free_turns()[::4]:
        hint = judge_of_turns().ranked(turn.view)[0][0]
        asked += 1
        blamed += judge(turn.view, hint, "followed", 64, 100).loss is not None
    assert asked > 6
    assert blamed <= 1


def test_hint_and_lead_come_from_worlds_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chosen in the worlds that measure it, the best turn would be the luckiest."""
    seeds = []

    def noted(seed: str = HINT, worlds: int | None = None) -> Judge:
        seeds.append(seed)
        return judge_of_turns(seed, worlds)

    monkeypatch.setattr("lastspike.bots.levels.judge_of_turns", noted)
    turn = free_turns()[5]
    one, other = (judge(turn.view, turn.moves, seed, 4, 4) for seed in ("one", "other"))
    assert seeds == [HINT, "one", HINT, "other"]
    assert one.computer == other.computer
    assert one.lead != other.lead


def test_all_turns_are_played_in_the_same_worlds() -> None:
    """The same turn twice has the same chances, and the sales that it makes are its own."""
    view = free_turns()[8].view
    (best, _), (second, _), *_ = judge_of_turns(worlds=4).ranked(view)
    found = judge_of_turns("worlds", 6).chances(view, [best, second, best], 6)
    assert len(found) == 6
    # Where a row stands in a matrix may change its last bits.
    assert all(one == pytest.approx(again, abs=1e-6) for one, _, again in found)
    assert any(one != two for one, two, _ in found)


def test_a_lead_has_the_size_of_what_the_hint_tells() -> None:
    """The chances that a hint tells, and those of the review, are of one kind."""
    view = free_turns()[12].view
    ranked = judge_of_turns().ranked(view)[:2]
    found = judge_of_turns("other").chances(view, [moves for moves, _ in ranked], 100)
    for place, (_, told) in enumerate(ranked):
        assert told == pytest.approx(sum(world[place] for world in found) / 100, abs=0.04)


def test_on_a_map_without_a_net_both_play_out_to_the_end() -> None:
    raw = shipped().to_figures()
    raw["id"] = "elsewhere"
    raw["start"], raw["finish"] = "LAR", "ELP"
    game = Game.shuffled(setup(figures.read(raw), 3), Stream(seed_of_text("elsewhere")))
    for _ in range(6):
        for move in make_player("clerk", "elsewhere").turn(game.view(game.turn)):
            game.play(move)
    view = game.view(game.turn)
    found = judge(view, tuple(next(legal_turns(view))), "any", 4, 4)
    assert found.computer == tuple(m.text for m in make_player("tycoon:4", HINT).turn(view))
    assert found.lead.error > 0
