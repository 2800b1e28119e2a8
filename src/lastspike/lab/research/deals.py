"""Deals of a series for the environments, all from one seed."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, TypeAlias

from lastspike.lab.arena.series import player_seed
from lastspike.rules.board import Seat
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.records.shuffle import Stream, seed_of_series
from lastspike.rules.table import Options, Setup, setup

Chosen: TypeAlias = Options | Mapping[str, Any]
"""The options, or a mapping of the non-default ones."""


def setup_of(edition: str | Edition, players: int, options: Chosen | None = None) -> Setup:
    """The setup. `LastSpikeError` for an unknown edition, number of players or option value;
    `TypeError` for an unknown option."""
    chosen = options if isinstance(options, Options) else Options(**(options or {}))
    return setup(shipped(edition) if isinstance(edition, str) else edition, players, chosen)


class Deals:
    """The games of a series, dealt as `lastspike simulate --seed` deals them.

    A seed starts a series at game 0; without one, the next game of the series follows.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._seed: str | None = None
        self._number = 0

    def next(self, seed: int | None = None) -> Game:
        """The next game."""
        if seed is not None:
            self._seed, self._number = str(seed), 0
        elif self._seed is None:
            self._seed = secrets.token_hex(8)
        else:
            self._number += 1
        return Game.shuffled(self.setup, Stream(seed_of_series(self._seed, self._number)))

    def player_seed(self, seat: Seat) -> str:
        """The seed of a computer player in this seat."""
        assert self._seed is not None
        return player_seed(self._seed, self._number, seat)
