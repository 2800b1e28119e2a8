"""Golden playthroughs: whole seeded games told event by event, kept as text under golden/."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.events import Event
from lastspike.rules.game import Game
from lastspike.rules.records import notation
from lastspike.rules.records.shuffle import Stream, seed_of_series, seed_of_text
from lastspike.rules.table import Options, setup

GOLDEN = Path(__file__).parent / "golden"


def _poor() -> Edition:
    raw = shipped().to_figures()
    return figures.read(raw | {"id": "poor", "starting_cash": {"5": 14_000}})


GAMES = {
    "standard-4": lambda: (setup(shipped(), 4), seed_of_series("golden", 0)),
    "poor-5": lambda: (setup(_poor(), 5, Options(double_cost="open")), seed_of_text("poor")),
}
"""Each with its setup and seed. The moves come from a stream of their own."""


def playthrough(name: str) -> str:
    """The game as text, a line each for a move and for what happened."""
    table, seed = GAMES[name]()
    game = Game.shuffled(table, Stream(seed))
    chance = Stream(seed_of_text(f"moves of {name}"))
    return "\n".join(_lines(name, game, chance)) + "\n"


def _lines(name: str, game: Game, chance: Stream) -> Iterator[str]:
    yield f"# {name}: python -m tests.rules.regenerate"
    yield notation.to_text(game.position)
    yield from map(_told, game.history)
    while not game.over:
        legal = game.legal_moves
        move = legal[chance.below(len(legal))]
        yield f"seat {game.turn}: {move} of {' '.join(each.text for each in legal)}"
        yield from map(_told, game.play(move))
    yield notation.to_text(game.position)
    yield str(game.outcome)


def _told(event: Event) -> str:
    return f"    {event}"
