"""Plays the Daily Deal of the public chain in the terminal, and tells its score."""

from __future__ import annotations

import json
import signal
import sys
import time
from datetime import date, timedelta
from pathlib import Path

from lastspike.cli.progress import bar
from lastspike.daily.chain import PUBLIC, read_day, today
from lastspike.daily.deal import LEVELS, daily_setup
from lastspike.daily.score import Points, Score, score_game
from lastspike.daily.sharing import signed, squares, streak
from lastspike.daily.tycoon import GAMES, mean_of, score_seed, tycoons_score
from lastspike.languages import Language
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.records.record import Shuffle
from lastspike.server.config.paths import data_folder
from lastspike.words.language import Words, words_for

from .terminal.board import intro_lines
from .terminal.saved import PERSON, Player, Saved, held, load, save
from .terminal.screen import Quit, Screen, screen_for
from .terminal.session import Session
from .terminal.starting import COMPUTER_NAMES

PAST_DAYS = 30


def play_daily(
    day: str | None,
    name: str,
    folder: Path | None,
    *,
    plain: bool,
    tycoon: bool,
    language: Language | None,
) -> None:
    """Begin or resume the game of a day, and tell its score once it is over."""
    words = words_for(language)
    now = today(int(time.time() * 1000))
    played = now if day is None else read_day(day)
    if not now - timedelta(days=PAST_DAYS) <= played <= now:
        raise LastSpikeError("you can only play deals from the last {days} days", days=PAST_DAYS)
    games = folder or data_folder() / "daily"
    path = games / f"{played.isoformat()}.json"
    screen = screen_for(words, plain)
    with held(path):
        saved = _opened(path, played, name or words.say("You"))
        if not saved.game.over:
            _play(saved, path, screen, words)
    screen.say("", *_told(saved, played, words, _streak(games, now)))
    if tycoon:
        screen.say(_tycoons(PUBLIC.link(played), words))


def _opened(path: Path, day: date, name: str) -> Saved:
    """The game of a day: the saved one, or a new one."""
    if path.exists():
        return load(path, [])
    computers = zip(COMPUTER_NAMES, LEVELS[1:], strict=False)
    players = (
        Player(name[:20], PERSON),
        *(Player(other, level) for other, level in computers if level is not None),
    )
    saved = Saved.new(daily_setup(), Shuffle(PUBLIC.link(day)), players)
    save(path, saved)
    return saved


def _play(saved: Saved, path: Path, screen: Screen, words: Words) -> None:
    """Play to the end; leaves the command if the person quits. Every turn is saved."""
    for ending in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(ending, lambda number, _frame: sys.exit(128 + number))
    session = Session(saved, path, screen, words)
    if not saved.game.moves:
        screen.page(intro_lines(session.teller, screen.plain))
    try:
        session.run()
    except (Quit, KeyboardInterrupt) as way:
        saved_as = words.say(
            "The game is saved. To resume it: {command}",
            command=f"lastspike daily --day {path.stem}",
        )
        screen.say("", saved_as)
        sys.exit(130 if isinstance(way, KeyboardInterrupt) else 0)


def _told(saved: Saved, day: date, words: Words, days: int) -> list[str]:
    """The score of a finished game, and the line to share."""
    score = score_game(saved.game, score_seed(saved.shuffle.seed))
    told = _points(score.score, words)
    lines = [words.say("Your score: {score}", score=told), *_costliest(score, words)]
    title = words.say(
        "The Last Spike, Daily Deal for {day}: {score}", day=day.isoformat(), score=told
    )
    in_a_row = [words.count("{n} day in a row", "{n} days in a row", days)] if days > 1 else []
    return [*lines, "", " ".join([title, squares(score.turns), *in_a_row])]


def _costliest(score: Score, words: Words) -> list[str]:
    worst = score.costliest
    if worst is None:
        return []
    told = _points(Points(worst.points, worst.margin), words)
    return [words.say("Turn {turn} cost you the most: {score}.", turn=worst.turn, score=told)]


def _points(score: Points, words: Words) -> str:
    points, margin = signed(score.points, words.number), words.number(-(-score.margin // 1))
    return words.say("{points} ± {margin}", points=points, margin=margin)


def _tycoons(link: bytes, words: Words) -> str:
    scores = []
    with bar() as shown:
        task = shown.add_task(words.say("Tycoon is playing…"), total=GAMES)
        for number in range(GAMES):
            scores.append(tycoons_score(link, number))
            shown.advance(task)
    mean = mean_of(scores)
    return words.count(
        "Tycoon, playing the same deal in your seat, averaged a score of {score} and {cash} in "
        "cash over {n} game ({wins} won).",
        "Tycoon, playing the same deal in your seat, averaged a score of {score} and {cash} in "
        "cash over {n} games ({wins} won).",
        mean.games,
        score=_points(mean.score, words),
        wins=words.percent(mean.share),
        cash=words.money(1000 * round(mean.cash / 1000)),
    )


def _streak(games: Path, now: date) -> int:
    """The days in a row whose games are finished."""
    days = set()
    for path in games.glob("????-??-??.json"):
        if json.loads(path.read_text("utf-8")).get("result") is not None:
            days.add(read_day(path.stem))
    return streak(days, now)
