"""Saved games: a record with its shuffle and players, written atomically."""

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
from lastspike.words.language import Words
from lastspike.words.names import player_name

PERSON = "person"


class Player(NamedTuple):
    """A seat's player: a name, and PERSON or a computer player's level."""

    name: str
    kind: str

    @property
    def is_person(self) -> bool:
        return self.kind == PERSON

    def label(self, words: Words) -> str:
        """The name, with the level of a computer player."""
        if self.is_person:
            return self.name
        level = player_name(self.kind, words)[:20]
        return words.say("{name} ({level})", name=self.name, level=level)


class Saved(NamedTuple):
    """A game in progress that can be resumed; its shuffle stream continues where it stopped."""

    game: Game
    shuffle: Shuffle
    players: tuple[Player, ...]

    @classmethod
    def new(cls, setup: Setup, shuffle: Shuffle, players: tuple[Player, ...]) -> Saved:
        return cls(Game.shuffled(setup, shuffle.stream()), shuffle, players)


def save(path: Path, saved: Saved) -> None:
    """Write the game atomically."""
    players = [player._asdict() for player in saved.players]
    record = to_record(saved.game, saved.shuffle, players=players)
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as file:
        json.dump(record, file, ensure_ascii=False, indent=1)
        file.write("\n")


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Lock the game against other sessions, where the platform has file locks.

    `LastSpikeError` if another session holds the lock.
    """
    if path.exists() and not path.is_file():
        raise LastSpikeError("{path}: a game can only be saved in a regular file", path=path)
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
    """The game in a file. `RecordError` if it is no record, or one that can't be resumed.

    Files may come from anywhere, so a player that is not a built-in level, and might run a program,
    must be in `trusted`.
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
        raise RecordError(str(path), "without its shuffle, a game can’t be resumed")
    players = _players(path, record.raw, record.game.setup.players, trusted)
    # Replayed from the shuffle, so that its stream continues where the game stopped.
    saved = Saved.new(record.game.setup, record.shuffle, players)
    for move in record.game.moves:
        saved.game.play(move)
    return saved


def put_away(path: Path, ending: str) -> Path:
    """Move a game to the folder of past games, named by time and `ending`."""
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
        raise RecordError(str(path), "the file doesn’t say who is playing")
    players = []
    for entry in given:
        name = entry.get("name") if isinstance(entry, dict) else None
        kind = entry.get("kind") if isinstance(entry, dict) else None
        named = isinstance(name, str) and name.strip() and name.isprintable()
        if not (isinstance(name, str) and isinstance(kind, str) and named):
            raise RecordError(str(path), "the file doesn’t say who is playing")
        if kind not in (PERSON, *LEVELS, *trusted):
            raise RecordError(
                str(path),
                "{name} plays in this game; if you trust that player, name it with --level",
                name=repr_short(kind),
            )
        players.append(Player(name[:40], kind))
    return tuple(players)
