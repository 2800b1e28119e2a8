"""Recorded games to review, played by quick computer players."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from lastspike.bots.levels import make_player
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.records.record import Record, read_record, read_records, to_record
from lastspike.rules.records.shuffle import Stream, seed_of_text
from lastspike.rules.table import Options, setup
from tests.rules.helpers import CONFORMANCE


def new_game(players: int, seed: str, options: Options | None = None) -> Game:
    return Game.shuffled(setup(shipped(), players, options), Stream(seed_of_text(seed)))


def play_to_the_end(game: Game, levels: Sequence[str]) -> None:
    players = [make_player(level, f"review/{seat}") for seat, level in enumerate(levels)]
    while game.turn is not None:
        for move in players[game.turn].turn(game.view(game.turn)):
            game.play(move)


def recorded(game: Game) -> Record:
    return read_record(to_record(game))


@cache
def quick_game(levels: str = "surveyor clerk surveyor clerk", seed: str = "a game") -> Record:
    game = new_game(len(levels.split()), seed)
    play_to_the_end(game, levels.split())
    return recorded(game)


def conformance_games() -> list[tuple[str, Record]]:
    found = []
    for path in sorted(CONFORMANCE.glob("*.json")):
        with path.open(encoding="utf-8") as file:
            found += [(path.stem, record) for record in read_records(file)]
    return found
