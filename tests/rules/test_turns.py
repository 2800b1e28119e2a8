"""A game split into turns: all of it, in order, each turn with what its player knew."""

from __future__ import annotations

from lastspike.rules.events import Event, PoolMixed, TileChosen
from lastspike.rules.records.turns import events_by_turn, turns_of

from .helpers import random_game, uneven


def test_the_turns_of_a_game_are_all_of_it() -> None:
    kinds: set[type[Event]] = set()
    for number in range(20):
        game = random_game(uneven(), 4, f"turns/{number}")
        found = turns_of(game)
        again = game.again()
        assert (found.start, found.dealt) == (again.position, tuple(again.history))
        assert found.remixes == len(again.remixed)
        for place, turn in enumerate(found.turns, 1):
            assert (turn.number, turn.seat) == (place, again.turn)
            assert turn.view == again.view(turn.seat)
            events = [event for move in turn.moves for event in again.play(move)]
            assert list(turn.events) == events
            assert turn.remixes == len(again.remixed)
            assert turn.after == again.position
        assert again.moves == game.moves
        split = list(events_by_turn(game.history))
        assert split[0] == (0, list(found.dealt))
        assert split[1:] == [(turn.number, list(turn.events)) for turn in found.turns]
        kinds.update(map(type, game.history))
    assert {TileChosen, PoolMixed} <= kinds


def test_a_game_in_progress_ends_with_what_was_played() -> None:
    whole = random_game(uneven(), 3, "turns")
    game = whole.again()
    assert turns_of(game).turns == ()
    raising = next(n for n, turn in enumerate(turns_of(whole).turns) if len(turn.moves) > 1)
    for turn in turns_of(whole).turns[:raising]:
        for move in turn.moves:
            game.play(move)
    game.play(turns_of(whole).turns[raising].moves[0])
    *_, last = turns_of(game).turns
    assert last.moves == (game.moves[-1],)
    assert len(list(events_by_turn(game.history))) == raising + 2


def test_events_without_the_deal_begin_with_a_turn() -> None:
    game = random_game(uneven(), 3, "turns")
    events = list(turns_of(game).turns[0].events)
    assert list(events_by_turn(events)) == [(1, events)]
    assert list(events_by_turn([])) == []
