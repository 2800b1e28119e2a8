"""How honest the luck-free score of the Daily Deal is: players of known strength on many days.

    python -m bench.daily_scores --days 2000 --journal days.jsonl

Each day is a deal of its own. Clerk, Surveyor and Tycoon without search play it in the person's
seat. The score of each is computed as a server computes it; on every fourth day Clerk's twice,
with other worlds. The journal keeps every day, so that a run can be resumed and its table printed
at any time.

    python -m bench.daily_scores --single --days 400 --journal single.jsonl

This measures only how often the intervals of a single game hold: each of Clerk's games is scored
twice, with other worlds, and the two scores should differ by no more than both intervals allow in
95% of them.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import correlation, fmean, stdev
from typing import Any

from lastspike.daily.score import mean_points, score_game
from lastspike.daily.tycoon import computers_game
from lastspike.rules.records.shuffle import seed_of_series

PLAYERS = ("clerk", "surveyor", "tycoon:0")
REPEATED, REPEATED_EACH = "clerk", 4


def one_day(series: str, number: int, worlds: int) -> dict[str, Any]:
    """What the players made of one day: result, cash, score, margin, costs turn by turn."""
    link = seed_of_series(series, number)
    found: dict[str, Any] = {"day": number}
    for level in PLAYERS:
        game = computers_game(link, level, f"{series}/{number}")
        score = score_game(game, f"{series}/{number}/a", worlds)
        found[level] = [score.share, score.cash, score.score.points, score.score.margin]
        if level == REPEATED and number % REPEATED_EACH == 0:
            again = score_game(game, f"{series}/{number}/b", worlds).score
            found["again"] = [again.points, again.margin]
    return found


def twice(series: str, number: int, worlds: int) -> dict[str, Any]:
    """Two measurements of Clerk's game on one day."""
    link = seed_of_series(series, number)
    game = computers_game(link, REPEATED, f"{series}/{number}")
    scores = [score_game(game, f"{series}/{number}/{which}", worlds).score for which in "ab"]
    return {"day": number, "scores": [[score.points, score.margin] for score in scores]}


def agreement(days: Sequence[dict[str, Any]]) -> list[str]:
    """How often two measurements of a game agree within their intervals."""
    pairs = [day["scores"] for day in days]
    within = [abs(a - b) <= math.hypot(one, other) for (a, one), (b, other) in pairs]
    share = fmean(within)
    margin = 1.96 * math.sqrt(share * (1 - share) / len(within))
    spread = fmean((a - b) ** 2 for (a, _), (b, _) in pairs) / 2
    width = fmean(one for (_, one), _ in pairs)
    told = f"{share:.1%} ± {margin:.1%}"
    return [
        f"two measurements of {len(within)} games agree within their intervals: {told}",
        f"margin of a game {width:.1f}; spread of its measurement {math.sqrt(spread):.1f}",
    ]


def table(days: Sequence[dict[str, Any]]) -> list[str]:
    """The figures of these days, a line each."""
    lines = [f"{len(days)} days"]
    raw = {level: [100 * day[level][0] for day in days] for level in PLAYERS}
    score = {level: [day[level][2] for day in days] for level in PLAYERS}
    reference = raw["surveyor"]
    lines += [
        f"{level:10} wins {_told(raw[level])}  over Surveyor "
        f"{_told([a - b for a, b in zip(raw[level], reference, strict=True)])}  "
        f"score {_told(score[level])}  spread of a day {stdev(score[level]):.1f}  "
        f"margin of a day {fmean(day[level][3] for day in days):.1f}"
        for level in PLAYERS
    ]
    within = [
        abs(day[REPEATED][2] - day["again"][0]) <= math.hypot(day[REPEATED][3], day["again"][1])
        for day in days
        if "again" in day
    ]
    lines.append(f"two measurements of a game agree within their intervals: {fmean(within):.1%}")
    for level in ("clerk", "tycoon:0"):
        truth = fmean(score[level])
        for size in (7, 30):
            weeks = [score[level][n : n + size] for n in range(0, len(days) - size + 1, size)]
            means = [mean_points(week) for week in weeks]
            covered = fmean(abs(mean.points - truth) <= mean.margin for mean in means)
            lines.append(f"{level:10} mean of {size} days covers the true strength: {covered:.1%}")
        for what, luck in (
            ("Surveyor's result with the same draws", reference),
            ("Surveyor's cash with the same draws", [day["surveyor"][1] for day in days]),
        ):
            lines.append(
                f"{level:10} correlation with {what}: {correlation(score[level], luck):+.3f}"
            )
    for level in ("clerk", "tycoon:0"):
        by_result, by_score = _days(raw[level], reference), _days(score[level], score["surveyor"])
        lines.append(
            f"days to tell {level} from surveyor: {by_result:.1f} by results, {by_score:.1f} by "
            f"scores, {by_result / by_score:.1f} times fewer"
        )
    return lines


def _days(one: Sequence[float], other: Sequence[float]) -> float:
    """The days after which the difference of two players' means is as large as the half-width of
    its 95% interval, if both play the same days."""
    differences = [a - b for a, b in zip(one, other, strict=True)]
    return (1.96 * stdev(differences) / fmean(differences)) ** 2


def _told(values: Sequence[float]) -> str:
    return f"{fmean(values):6.2f} ± {1.96 * stdev(values) / math.sqrt(len(values)):.2f}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--days", type=int, default=2000)
    arguments.add_argument("--worlds", type=int, default=8)
    arguments.add_argument("--series", default="daily")
    arguments.add_argument("--processes", type=int, default=2)
    arguments.add_argument("--single", action="store_true", help="only intervals of single games")
    arguments.add_argument("--journal", type=Path, required=True)
    given = arguments.parse_args()
    journal: Path = given.journal
    known = journal.read_text().splitlines() if journal.exists() else []
    done = {day["day"]: day for day in map(json.loads, known)}
    missing = [number for number in range(given.days) if number not in done]
    with ProcessPoolExecutor(given.processes) as pool, journal.open("a") as kept:
        measured = twice if given.single else one_day
        asked = [pool.submit(measured, given.series, number, given.worlds) for number in missing]
        for day in asked:
            kept.write(json.dumps(day.result()) + "\n")
            kept.flush()
    days = [json.loads(line) for line in journal.read_text().splitlines()]
    days.sort(key=lambda day: day["day"])
    print(*(agreement(days) if given.single else table(days)), sep="\n")


if __name__ == "__main__":
    main()
