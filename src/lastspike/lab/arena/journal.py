"""The journal of an arena: saves each finished deal, so that a run can be resumed.

A line of settings, then one line per deal. An incomplete last line is dropped.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Self

from lastspike import __version__
from lastspike.rules.errors import LastSpikeError

from .game_runner import Fault
from .match import Deal, Result, Settings

FORMAT = "lastspike-arena/2"


class Journal:
    """An open journal. `done` are the deals it already held; `add` appends one.

    `LastSpikeError` if the file has other settings, is no journal, or is in use.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        self.done: list[Deal] = []
        self._file: BinaryIO = path.open("a+b")
        try:
            self._lock()
            self._begin(settings)
        except BaseException:
            self._file.close()
            raise

    def add(self, deal: Deal) -> None:
        """Save a deal, so that it survives a crash."""
        self._file.write(_line(_deal_to_json(deal)))
        self._file.flush()

    def remove(self) -> None:
        """Delete the journal of a finished run."""
        self.path.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _lock(self) -> None:
        if sys.platform == "win32":
            return  # no such lock there
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise LastSpikeError(
                "{path}: another arena is writing to this file", path=self.path
            ) from None

    def _begin(self, settings: Settings) -> None:
        """Read up to the first incomplete line, and truncate the file there."""
        self._file.seek(0)
        head = self._file.readline()
        wanted = _head(settings)
        begin = _line(wanted)
        if not head.endswith(b"\n") and begin.startswith(head):  # new, or killed while starting
            self._file.truncate(0)
            self._file.write(begin)
            self._file.flush()
            return
        _check_same(self.path, _parse_head(self.path, head), wanted)
        numbers = set()
        place = self._file.tell()
        for line in self._file:
            try:
                deal = _deal_from_json(json.loads(line))
            except (ValueError, KeyError, TypeError):
                break
            if not line.endswith(b"\n") or deal.number in numbers:
                break
            numbers.add(deal.number)
            self.done.append(deal)
            place += len(line)
        self._file.truncate(place)
        self._file.seek(0, os.SEEK_END)


def journal_beside(path: Path) -> Path:
    """The path of the journal of a run that writes its figures to this file."""
    return path.with_name(f"{path.name}.part")


def settings_of(path: Path) -> Settings:
    """The settings in this journal; `LastSpikeError` if it is no journal."""
    with path.open("rb") as file:
        return Settings.from_json(_parse_head(path, file.readline()))


def _head(settings: Settings) -> dict[str, Any]:
    return {"format": FORMAT, "version": __version__, **settings.to_json()}


def _parse_head(path: Path, line: bytes) -> dict[str, Any]:
    try:
        raw = json.loads(line)
        if raw["format"] == FORMAT:
            Settings.from_json(raw)
            return dict(raw)
    except (ValueError, KeyError, TypeError, LastSpikeError):
        pass
    raise LastSpikeError("{path}: not an arena journal", path=path)


def _check_same(path: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    wanted = json.loads(json.dumps(wanted))
    differing = [key for key in wanted if found.get(key) != wanted[key]]
    if differing:
        raise LastSpikeError(
            "{path} belongs to a run with different settings ({which}); resume that run with "
            "--resume, or delete the file",
            path=path,
            which=tuple(differing),
        )


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _deal_to_json(deal: Deal) -> dict[str, Any]:
    return {
        "deal": deal.number,
        "games": [game._asdict() for game in deal.games],
        "times": [sorted(bins.items()) for bins in deal.times],
    }


def _deal_from_json(raw: Mapping[str, Any]) -> Deal:
    return Deal(
        int(raw["deal"]),
        tuple(_result(game) for game in raw["games"]),
        tuple(Counter(dict(map(tuple, bins))) for bins in raw["times"]),
    )


def _result(raw: Mapping[str, Any]) -> Result:
    faults = tuple(Fault(*fault) for fault in raw["faults"])
    lists = {key: tuple(value) for key, value in raw.items() if isinstance(value, list)}
    return Result(**{**raw, **lists, "faults": faults})
