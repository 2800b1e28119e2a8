"""What Tycoon makes of the others' choices: it reads them rightly, from what it may see alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from lastspike.batch import from_positions
from lastspike.batch.state import ASIDE, POOL
from lastspike.bots.levels import make_player
from lastspike.bots.tycoon.net import Net
from lastspike.bots.tycoon.net_lookup import net_for, policy_for
from lastspike.bots.tycoon.opponents.evidence import (
    CLOSE,
    Evidence,
    Trust,
    evidence_of,
    log_likelihood,
)
from lastspike.bots.tycoon.opponents.hands import Drawn, Slots, _begin, _sums, draw_hands
from lastspike.bots.tycoon.opponents.history import Choices, read_history
from lastspike.bots.tycoon.opponents.policy import BY_NET, SURVEYOR
from lastspike.bots.tycoon.outlook import Map
from lastspike.rules.board import Seat
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.position import Position
from lastspike.rules.records.shuffle import Stream, seed_of_text
from lastspike.rules.table import Setup, setup

WORLDS = 200
TRUST = Trust()


def nets(rules: Setup) -> tuple[Map, Net]:
    found, policy = net_for(rules), policy_for(rules)
    assert found is not None
    assert policy is not None
    return found.table, policy


def games(players: int, number: int, level: str = "surveyor") -> Iterator[tuple[Game, Seat]]:
    """Games between players of a level, at each turn, with the seat to move."""
    for n in range(number):
        game = Game.shuffled(setup(shipped(), players), Stream(seed_of_text(f"others/{n}")))
        player = make_player(level, "any")
        while game.turn is not None:
            yield game, game.turn
            for move in player.turn(game.view(game.turn)):
                game.play(move)


def read(game: Game, seat: Seat) -> tuple[Choices, Slots]:
    found = read_history(game.view(seat))
    assert found is not None
    return found


def rows_of(game: Game, choices: Choices) -> Evidence:
    table, policy = nets(game.setup)
    return evidence_of(table, policy, *choices, TRUST, np)


def drawn(game: Game, seat: Seat, seed: int = 1) -> tuple[Slots, Drawn]:
    choices, slots = read(game, seat)
    luck, prior = np.random.default_rng(seed), np.array(0.0)
    rows = rows_of(game, choices)
    players = game.setup.players
    return slots, draw_hands(slots, rows, players, WORLDS, TRUST, prior, luck, np)


@pytest.mark.parametrize("players", [2, 4, 5])
def test_the_history_is_read_as_it_was_played(players: int) -> None:
    compared = 0
    before: list[Position] = []
    for game, seat in games(players, 2):
        if not game.moves:
            before = []
        before.append(game.position)
        if len(before) % 9:
            continue
        others = [position for position in before[:-1] if position.table.turn != seat]
        choices, _ = read(game, seat)
        known = from_positions(others, nets(game.setup)[0].board.shape)
        for name in ("laid", "holders", "market", "purses", "turn", "hands", "left", "unpaid"):
            assert np.array_equal(getattr(choices.before, name), getattr(known, name)), name
        compared += len(others)
    assert compared > 20


@pytest.mark.parametrize("players", [2, 4, 6])
def test_every_world_fits_what_is_seen(players: int) -> None:
    for number, (game, seat) in enumerate(games(players, 1)):
        if number % 8 != 6:
            continue
        view = game.view(seat)
        slots, found = drawn(game, seat)
        holders = found.holders[:, slots.unseen]
        sizes = {other: count for other, count in enumerate(view.tiles) if other != seat}
        for owner, size in {**sizes, POOL: view.pool, ASIDE: view.aside}.items():
            assert ((holders == owner).sum(axis=1) == size).all()
        assert (
            slots.unseen.sum() == holders.shape[1] == sum(sizes.values()) + view.pool + view.aside
        )


def test_swaps_keep_the_sums_right() -> None:
    """The sums that chains carry along are those of the tiles that they end with."""
    for number, (game, seat) in enumerate(games(4, 1)):
        if number != 25:
            continue
        choices, slots = read(game, seat)
        rows = rows_of(game, choices)
        start = _begin(slots, 3, np.random.default_rng(2), np)
        table = _sums(slots, rows, start, np)[BY_NET]
        purchases = rows.purchases[:, BY_NET]
        whole = log_likelihood(table, rows, purchases, TRUST, np)
        for world in range(3):
            for turn, owner in enumerate(rows.owner):
                hand = [
                    tile
                    for tile in range(48)
                    if (slots.unseen[tile] or slots.by[tile] == owner)
                    and slots.owner[start[world, tile]] == owner
                    and slots.since[start[world, tile]] <= turn <= slots.at[tile]
                ]
                assert len(hand) == choices.before.hands[owner, turn]
                assert choices.space[turn] in hand
                one = rows.tiles[turn, BY_NET, hand].sum(axis=0)
                assert np.allclose(one, table[world, turn], atol=1e-3)
        assert (whole <= 0).all()


def test_choices_tell_who_holds_what() -> None:
    """The true holders are likelier by the beliefs than by chance, over some Surveyors' games."""
    gained = tiles = 0.0
    for number, (game, seat) in enumerate(games(4, 3)):
        if number % 5 != 4:
            continue
        slots, found = drawn(game, seat, number)
        hidden = game.position.hidden
        true = np.full(48, POOL)
        for other, hand in enumerate(hidden.hands):
            true[hand] = other
        right = (found.holders == true)[:, slots.unseen].mean(axis=0)
        chance = np.array([(true[slots.unseen] == one).mean() for one in true[slots.unseen]])
        smooth = 4 / WORLDS
        gained += np.log((right + smooth * chance) / (1 + smooth) / chance).sum()
        tiles += slots.unseen.sum()
    assert gained / tiles > 0.02


def test_a_double_cost_proves_that_nothing_beside_track_was_held() -> None:
    """L5: with such a tile in hand, it would have had to be laid. No world has one there."""
    doubled = 0
    for number, (game, seat) in enumerate(games(4, 3)):
        if number % 4 != 3 or len(game.moves) < 12:
            continue
        choices, slots = read(game, seat)
        rows = rows_of(game, choices)
        _, found = drawn(game, seat)
        owner, since = slots.owner[found.slot], slots.since[found.slot]
        moving = slots.unseen | (slots.by >= 0)
        for turn in np.flatnonzero(~rows.laid_close):
            held = (owner == rows.owner[turn]) & (since <= turn) & (turn <= slots.at) & moving
            close = rows.tiles[turn, BY_NET, :, CLOSE] > 0
            assert not (held & close).any()
            doubled += 1
    assert doubled > 5


def test_it_tells_a_surveyor_from_a_net() -> None:
    found = {}
    for level in ("surveyor", "tycoon:0"):
        last = [
            (game.view(seat).seat, drawn(game, seat)[1].kinds)
            for number, (game, seat) in enumerate(games(4, 2, level))
            if number % 43 == 36
        ]
        kinds = [np.delete(kinds, seat or 0, axis=1).mean() for seat, kinds in last]
        found[level] = float(np.mean(kinds))
    assert {BY_NET, SURVEYOR} == {0, 1}
    assert found["tycoon:0"] < 0.3
    assert found["surveyor"] > 0.7
