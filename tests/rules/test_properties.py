"""What holds in every game: all player counts, options, purses and maps, at every move."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from lastspike.rules.board import NOT_FOR_SALE
from lastspike.rules.errors import IllegalMove
from lastspike.rules.events import Event, GameOver, money
from lastspike.rules.position import advance, legal_moves, play
from lastspike.rules.records import notation
from lastspike.rules.records.record import read_record, to_record
from lastspike.rules.table import BANK, OUT, Table
from lastspike.rules.view import preview, resample, view_of, view_to_json

from .helpers import reverse
from .strategies import NewGame, new_games
from .worlds import all_that_is_told, other_world

RNG = st.integers(0, 2**32).map(Random)
SEAT = st.integers(0, 6)
"""A seat, or a spectator where it is the number of players or more."""


class Games(RuleBasedStateMachine):
    """One game; the rules play on, hurry on, or look closely at where it stands."""

    @initialize(new=new_games())
    def deal(self, new: NewGame) -> None:
        self.game, self.shuffle = new
        self.edition = self.game.setup.edition
        self.moves_at_most = 3 * len(self.edition.tiles)

    def going_on(self) -> bool:
        return not self.game.over

    def seat(self, number: int) -> int | None:
        return number if number < self.game.setup.players else None

    @precondition(going_on)
    @rule(place=st.integers(0, 10**6))
    def play(self, place: int) -> None:
        legal = self.game.legal_moves
        before = notation.to_text(self.game.position)
        given = self.game.position
        self.game.play(legal[place % len(legal)])
        assert notation.to_text(given) == before

    @precondition(going_on)
    @rule(rng=RNG, moves=st.integers(2, 40))
    def hurry(self, rng: Random, moves: int) -> None:
        while moves and not self.game.over:
            self.game.play(rng.choice(self.game.legal_moves))
            self.everything_is_conserved()
            moves -= 1

    @invariant()
    def everything_is_conserved(self) -> None:
        position = self.game.position
        table, hidden = position.table, position.hidden
        board = table.board
        cash = [self.edition.starting_cash[table.setup.players]] * table.setup.players
        for event in self.game.history:
            if change := money(event):
                cash[getattr(event, "seat")] += change  # noqa: B009
        assert table.cash == cash
        assert all(purse >= 0 for purse in cash)
        hands = [tile for hand in hidden.hands for tile in hand]
        tiles = [*board.spaces_in(table.track), *hands, *hidden.pool, *hidden.aside]
        assert sorted(tiles) == sorted(board.tiles)
        assert all(list(hand) == sorted(hand) for hand in hidden.hands)
        assert len(table.land) == 5 * len(self.edition.cities)
        seats = set(range(table.setup.players)) - set(table.bankrupt)
        for card, holder in enumerate(table.land):
            assert holder == BANK or holder in seats or (holder == OUT and card % 5 == 0)
        assert table.finished == _finished(table)
        assert table.market == _market(table)

    @invariant()
    def legal_moves_are_sorted_and_there_unless_the_game_is_over(self) -> None:
        texts = [move.text for move in self.game.legal_moves]
        assert texts == sorted(set(texts))
        assert bool(texts) != self.game.over
        assert len(self.game.moves) <= self.moves_at_most
        assert (self.game.turn is None) == self.game.over == (self.game.outcome is not None)

    @rule()
    def legal_moves_are_accepted_and_all_others_refused_without_a_change(self) -> None:
        position = self.game.position
        before, line = position.copy(), notation.to_text(position)
        legal = legal_moves(position)
        for move in position.table.board.moves:
            if move in legal:
                after, _ = play(position, move, reverse)
                playout = position.copy()
                advance(playout, move, reverse)
                assert playout == after
            else:
                with pytest.raises(IllegalMove):
                    play(position, move, reverse)
            assert position == before
            assert notation.to_text(position) == line

    @rule()
    def text_round_trips(self) -> None:
        line = notation.to_text(self.game.position)
        again = notation.from_text(line, self.edition)
        assert again == self.game.position
        assert notation.to_text(again) == line

    @rule()
    def replaying_the_record_gives_the_same_position(self) -> None:
        raw = json.loads(json.dumps(to_record(self.game, self.shuffle)))
        again = read_record(raw).game
        assert again.position == self.game.position
        assert again.deal.first == self.game.deal.first
        assert again.history[1:] == self.game.history[1:]
        assert again.outcome == self.game.outcome
        assert json.loads(json.dumps(to_record(again, self.shuffle))) == raw

    @precondition(going_on)
    @rule(number=SEAT, rng=RNG)
    def what_a_seat_cannot_see_changes_nothing_it_is_told(self, number: int, rng: Random) -> None:
        seat = self.seat(number)
        position, history = other_world(self.game, seat, rng)
        told = all_that_is_told(self.game.view(seat))
        assert all_that_is_told(view_of(position, seat, history)) == told

    @precondition(going_on)
    @rule(number=SEAT)
    def hidden_cash_is_in_no_view(self, number: int) -> None:
        seat = self.seat(number)
        table = self.game.position.table
        shown = view_to_json(self.game.view(seat))["cash"]
        for owner, cash in enumerate(table.cash):
            hidden = table.setup.options.cash == "hidden" and owner != seat
            assert shown[owner] == (None if hidden and table.in_game(owner) else cash)

    @rule(number=SEAT, rng=RNG)
    def the_view_of_a_resampled_position_is_the_view(self, number: int, rng: Random) -> None:
        seat = self.seat(number)
        view = self.game.view(seat)
        told = all_that_is_told(view)
        for _ in range(3):
            world = resample(view, rng)
            assert view_of(world, seat, view.history) == view
            assert all_that_is_told(view_of(world, seat, view.history)) == told
            assert world.table.cash == self.game.position.table.cash
            assert notation.from_text(notation.to_text(world), self.edition) == world

    @precondition(going_on)
    @rule(rng=RNG)
    def preview_of_a_whole_turn_is_what_then_happens(self, rng: Random) -> None:
        view = self.game.view(self.game.turn)
        seen = preview(view, [])
        moves = []
        while not seen.turn_over:
            moves.append(rng.choice(seen.legal_moves))
            seen = preview(view, moves)
        position = self.game.position
        events: list[Event] = []
        for move in moves:
            position, more = play(position, move, reverse)
            events += more
        if self.hides_cash():
            events = [event for event in events if not isinstance(event, GameOver)]
        assert list(seen.events) == events[: len(seen.events)]
        assert position.table.track == seen.table.track
        _check_what_comes_after_a_turn(events[len(seen.events) :])

    def hides_cash(self) -> bool:
        return self.game.setup.options.cash == "hidden"

    def teardown(self) -> None:
        if hasattr(self, "game"):
            rng = Random(len(self.game.moves))
            while not self.game.over:
                self.game.play(rng.choice(self.game.legal_moves))
                assert len(self.game.moves) <= self.moves_at_most
            self.everything_is_conserved()
            self.text_round_trips()
            self.replaying_the_record_gives_the_same_position()


def _check_what_comes_after_a_turn(events: list[Event]) -> None:
    """Nothing that a preview should have told."""
    after = {"TileDrawn", "TurnSkipped", "Bankruptcy", "PoolMixed", "GameOver"}
    assert {type(event).__name__ for event in events} <= after


def _finished(table: Table) -> int:
    """Recomputed from the track, the long way."""
    board = table.board
    laid = {board.codes[space] for space in board.spaces_in(table.track)}
    return sum(
        1 << number
        for number, letter in enumerate(board.letters)
        if all(f"{letter}{place}" in laid for place in range(1, 5))
    )


def _market(table: Table) -> list[int]:
    """Recomputed from the land, the long way."""
    market = []
    for city, code in enumerate(table.board.city_codes):
        prices = table.board.edition.city(code).land
        grant, *priced = table.cards_of(city)
        left = [price for price, holder in zip(prices[1:], priced, strict=True) if holder == BANK]
        market.append(min(left, default=NOT_FOR_SALE) if grant != BANK else NOT_FOR_SALE)
    return market


# Six times as many games as other properties have examples, for there are many kinds of them.
Games.TestCase.settings = settings(max_examples=6 * settings().max_examples, stateful_step_count=30)
TestGames = pytest.mark.soak(Games.TestCase)
