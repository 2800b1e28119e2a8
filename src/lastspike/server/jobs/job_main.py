"""What runs in the process of one job, a review or a study, for `job_queue.py`.

Its input is one JSON object, `{"kind": …, …}`. Its output is lines of JSON: `[done, total]` for
progress, and finally `{"found": …, "cpu": …}` or `{"problem": …, "cpu": …}`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from lastspike.review import review, review_to_json
from lastspike.review.quick import quick_review
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.records.record import read_record

from .players.player_main import begin_child
from .review_sentences import review_with_sentences

Progress = Callable[[int, int], None]

_NICENESS = 15
"""Lower priority than the server and the computer players. A quick job keeps the usual one: it is
over within seconds, and somebody waits for it."""
QUICK_S = 1.2
"""How long a quick job goes on playing out. With its start, an answer is there within 3 seconds."""
_REPORT_S = 0.25


def main() -> None:
    begin_child(0)
    out = sys.stdout.buffer
    request = json.load(sys.stdin)
    kind = request.pop("kind")
    if kind != "quick":
        os.nice(_NICENESS)
    try:
        answer = {"found": KINDS[kind](_reporter(out), **request)}
    except LastSpikeError as error:
        answer = {"problem": [error.template, _plain(error.facts)]}
    _write(out, answer | {"cpu": time.process_time()})


def _review(
    progress: Progress, record: dict[str, Any], names: list[str], seed: str, playouts: int
) -> Any:
    read = read_record(record)
    return review_with_sentences(review(read, seed, playouts, progress), read, names)


def _quick(progress: Progress, record: dict[str, Any], seed: str) -> Any:
    return review_to_json(quick_review(read_record(record), seed, progress, QUICK_S))


def _study(
    progress: Progress, edition: str | dict[str, Any], players: list[int], games: int, seed: str
) -> Any:
    from lastspike.lab.study import study, study_to_json  # the others start faster without it
    from lastspike.rules.editions import figures
    from lastspike.rules.editions.shipped import shipped

    total = len(set(players)) * games
    chosen = shipped(edition) if isinstance(edition, str) else figures.read(edition)
    played = study(chosen, players, games, seed, progress=lambda done: progress(done, total))
    return study_to_json(played)


KINDS: dict[str, Callable[..., Any]] = {"review": _review, "quick": _quick, "study": _study}


def _reporter(out: BinaryIO) -> Progress:
    last = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > _REPORT_S:
            last = now
            _write(out, [done, total])

    return report


def _plain(facts: Mapping[str, object]) -> dict[str, Any]:
    return {
        name: value if isinstance(value, int | str | tuple) else str(value)
        for name, value in facts.items()
    }


def _write(out: BinaryIO, value: Any) -> None:
    out.write(json.dumps(value).encode() + b"\n")
    out.flush()
