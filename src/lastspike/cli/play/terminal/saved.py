"""The saved game: a record with its shuffle and who plays, written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from lastspike.bots.levels import LEVELS
from lastspike.cli.files import written_whole
from lastspike.rules.editions.figures import repr_short
from lastspike.rules.errors import LastSpikeError, RecordError
from lastspike.rules.game import Game
from lastspike.rules.records.record import Shuffle, read_records, to_record
from lastspike.rules.table import Setup

PERSON = "person"


class Player(NamedTuple):
    """Who sits in a seat: a name, and PERSON or the level of a computer player."""

    name: str
    kind: str

    @property
    def is_person(self) -> bool:
        return self.kind == PERSON

    @property
    def label(self) -> str:
        """The name, with its level for a computer player."""
        return self.name if self.is_person else f"{self.name} ({self.kind[:20]})"


class Saved(NamedTuple):
    """A game in progress that can be taken up again: its shuffle mixes on where it stopped."""

    game: Game
    shuffle: Shuffle
    players: tuple[Player, ...]

    @classmethod
    def new(cls, setup: Setup, shuffle: Shuffle, players: tuple[Player, ...]) -> Saved:
        return cls(Game.shuffled(setup, shuffle.stream()), shuffle, players)


def save(path: Path, saved: Saved) -> None:
    """Write the game so that, whatever interrupts, the file holds it whole, new or as it was."""
    players = [player._asdict() for player in saved.players]
    record = to_record(saved.game, saved.shuffle, players=players)
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as file:
        json.dump(record, file, ensure_ascii=False, indent=1)
        file.write("\n")


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep other sessions from the same game: two would undo each other's turns.

    `LastSpikeError` if one has it. Where the system has no such locks, nothing is kept.
    """
    if path.exists() and not path.is_file():
        raise LastSpikeError("{path}: not a file that a game can be kept in", path=path)
    try:
        import fcntl
    except ImportError:
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = path.with_name(f".{path.name}.lock")
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise LastSpikeError("{path}: this game is open in another window", path=path) from None
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


def load(path: Path, trusted: Collection[str] = ()) -> Saved:
    """The game in a file. `RecordError` if it is no record, or none that can be played on.

    A file may come from anywhere: a computer player that is none of our levels, and so perhaps a
    program to run, is taken from it only if it is among the trusted.
    """
    with path.open(encoding="utf-8") as file:
        try:
            records = list(read_records(file))
        except RecordError as error:
            where = f"{path}: {error.where}".rstrip(": ")
            raise RecordError(where, error.template, **error.facts) from None
    if len(records) != 1:
        raise RecordError(str(path), "expected one game, found {count}", count=len(records))
    record = records[0]
    if record.shuffle is None:
        raise RecordError(str(path), "a game without its shuffle can't be played on")
    players = _players(path, record.raw, record.game.setup.players, trusted)
    # Played again from the shuffle, so that its stream stands where the game stopped.
    saved = Saved.new(record.game.setup, record.shuffle, players)
    for move in record.game.moves:
        saved.game.play(move)
    return saved


def put_away(path: Path, ending: str) -> Path:
    """Move a game out of the way into the folder of past games, under the time and how it ended."""
    folder = path.parent / "games"
    folder.mkdir(parents=True, exist_ok=True)
    stamp = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    number = 1
    while (place := folder / f"{stamp}-{ending}-{number}.json").exists():
        number += 1
    return path.replace(place)


def _players(
    path: Path, raw: Mapping[str, Any], count: int, trusted: Collection[str]
) -> tuple[Player, ...]:
    given = raw.get("players")
    if not isinstance(given, list) or len(given) != count:
        raise RecordError(str(path), "it does not say who plays")
    players = []
    for entry in given:
        name = entry.get("name") if isinstance(entry, dict) else None
        kind = entry.get("kind") if isinstance(entry, dict) else None
        if not isinstance(name, str) or not isinstance(kind, str):
            raise RecordError(str(path), "it does not say who plays")
        if not name.strip() or not name.isprintable():
            raise RecordError(str(path), "it does not say who plays")
        if kind not in (PERSON, *LEVELS, *trusted):
            raise RecordError(
                str(path),
                "{name} plays in it; name that player with --level if you trust it",
                name=repr_short(kind),
            )
        players.append(Player(name[:40], kind))
    return tuple(players)
