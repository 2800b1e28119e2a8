"""The process that does one job: a long computation for somebody who waits with a progress bar.

`jobs.py` starts it. What to do comes in as one JSON object, `{"kind": …, …}`; out go lines of
JSON: `[done, total]` now and then, and at last `{"found": …}` or `{"problem": …}`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from lastspike.bots.explain.reasons import Reason
from lastspike.lab.study import study, study_to_json
from lastspike.review import Review, review, review_to_json
from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.records.record import Record, read_record
from lastspike.words.events import Teller
from lastspike.words.hints import tell_reason
from lastspike.words.language import LANGUAGES, words_for

from .player_process import die_with_parent

Progress = Callable[[int, int], None]

_NICER = 15
"""How much an job stands back: behind the server, and behind the computer players."""
_TELL_S = 0.25


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who started us shuts down in order
    die_with_parent()
    os.nice(_NICER)
    out = sys.stdout.buffer
    wanted = json.load(sys.stdin)
    try:
        _write(out, {"found": KINDS[wanted.pop("kind")](_telling(out), **wanted)})
    except LastSpikeError as error:
        _write(out, {"problem": [error.template, _plain(error.facts)]})


def _review(
    progress: Progress, record: dict[str, Any], names: list[str], seed: str, playouts: int
) -> Any:
    read = read_record(record)
    found = review(read, seed, playouts, progress)
    told = review_to_json(found)
    _tell_reasons(told, found, read, names)
    return told


def _study(
    progress: Progress,
    edition: str | dict[str, Any],
    players: list[int],
    games: int,
    seed: str,
) -> Any:
    total = len(set(players)) * games
    played = study(
        _edition(edition), players, games, seed, progress=lambda done: progress(done, total)
    )
    return study_to_json(played)


KINDS: dict[str, Callable[..., Any]] = {"review": _review, "study": _study}


def _edition(named: str | dict[str, Any]) -> Edition:
    return shipped(named) if isinstance(named, str) else figures.read(named)


def _tell_reasons(told: dict[str, Any], found: Review, record: Record, names: list[str]) -> None:
    """What speaks for the other turn, in every language, beside the reasons as they are."""
    edition = record.game.setup.edition
    tellers = {language: Teller(edition, names, words_for(language)) for language in LANGUAGES}
    for turn, raw in zip(found.turns, told["turns"], strict=True):
        if turn.judgement.loss is not None:
            raw["words"] = {
                language: _sentences(teller, turn.judgement.reasons)
                for language, teller in tellers.items()
            }


def _sentences(teller: Teller, reasons: tuple[Reason, ...]) -> list[str]:
    return [line for reason in reasons for line in tell_reason(teller, reason)]


def _telling(out: BinaryIO) -> Progress:
    last = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > _TELL_S:
            last = now
            _write(out, [done, total])

    return tell


def _plain(facts: Mapping[str, object]) -> dict[str, Any]:
    return {
        name: value if isinstance(value, int | str) else str(value) for name, value in facts.items()
    }


def _write(out: BinaryIO, value: Any) -> None:
    out.write(json.dumps(value).encode() + b"\n")
    out.flush()
