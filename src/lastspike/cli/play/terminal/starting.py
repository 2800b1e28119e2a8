"""Starts a game in the terminal, or resumes a saved one."""

from __future__ import annotations

import secrets
import signal
import sys
from pathlib import Path
from typing import NamedTuple

from lastspike.bots.levels import LEVELS, check_players
from lastspike.cli.edition import find_edition
from lastspike.rules.editions.edition import Edition
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.records.record import Shuffle
from lastspike.rules.records.shuffle import SECRET_BYTES, seed_of_text
from lastspike.rules.table import Options, setup
from lastspike.server.config.paths import data_folder
from lastspike.words.language import Words, words_for
from lastspike.words.names import level_names
from lastspike.words.typed import folded, in_english, shown_word

from .board import TITLE, intro_lines
from .saved import PERSON, Player, Saved, held, load, put_away, save
from .screen import Quit, Screen, screen_for
from .session import Session

COMPUTER_NAMES = ("Otto", "Mabel", "Jules", "Ada", "Theo", "Rosa")
USUAL_LEVEL = "clerk"


class Wanted(NamedTuple):
    """The command line's settings for the game; missing ones are asked for."""

    people: int | None
    computers: int | None
    levels: list[str]
    names: list[str]
    edition: str
    options: Options
    seed: str | None
    save_to: Path | None
    new: bool
    plain: bool
    language: str | None


def play_here(wanted: Wanted) -> None:
    """Play to the end or until the player quits."""
    words = words_for(wanted.language)
    screen = screen_for(words, wanted.plain)
    for ending in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(ending, _leave)
    save_to, seed = wanted.save_to, wanted.seed
    path = (save_to or data_folder() / "terminal-game.json").resolve()
    session: Session | None = None
    try:
        with held(path):
            saved = None
            if not wanted.new:
                saved = _left_game(path, screen, wanted.levels, save_to is not None)
            if saved is None:
                secret = secrets.token_bytes(SECRET_BYTES) if seed is None else seed_of_text(seed)
                figures = find_edition(wanted.edition)
                screen.say(TITLE, "")
                players = _players(screen, figures, wanted)
                table = setup(figures, len(players), wanted.options)
                saved = Saved.new(table, Shuffle(secret), players)
                if path.exists():
                    kept = put_away(path, "left")
                    screen.page([words.say("Your unfinished game is saved: {path}", path=kept)])
                save(path, saved)
            session = Session(saved, path, screen, words)
            if not saved.game.moves:
                screen.page(intro_lines(session.teller, screen.plain))
            session.run()
            finished = path if save_to is not None else put_away(path, "finished")
    except (Quit, KeyboardInterrupt) as way:
        if session is not None and session.needs_curtain:
            screen.hide()
        screen.say("", _goodbye(words, session, save_to))
        sys.exit(130 if isinstance(way, KeyboardInterrupt) else 0)
    screen.say("", words.say("The record of this game: {path}", path=finished))
    screen.say(words.say("To replay it: {command}", command=f"lastspike replay {finished}"))


def _leave(ending: int, _frame: object) -> None:
    """Exit cleanly on a signal. The last whole turn is saved."""
    sys.exit(128 + ending)


def _left_game(path: Path, screen: Screen, levels: list[str], asked_for: bool) -> Saved | None:
    """The saved game in the file, if there is one and the player resumes it."""
    words = screen.words
    if not path.exists():
        return None
    try:
        saved = load(path, levels)
    except LastSpikeError as error:
        if asked_for:
            raise
        kept = words.say("This saved game can’t be read. The file is kept, and a new game starts.")
        screen.page([words.error(error), kept])
        return None
    if saved.game.over:
        if asked_for:
            raise LastSpikeError(
                "{path}: this game is over; to see it again, use lastspike replay", path=path
            )
        put_away(path, "finished")
        return None
    waiting = words.say(
        "You have an unfinished game: {players}, turn {number}.",
        players=words.listed(player.label(words) for player in saved.players),
        number=saved.game.position.table.turns + 1,
    )
    screen.say(waiting)
    while True:
        answer = screen.ask(
            words.say(
                "Press Enter to resume it, or type “{new}” to start another: ",
                new=shown_word("new", words),
            )
        )
        match in_english(answer, words):
            case "" | "yes":
                return saved
            case "new" | "no":
                return None


def _players(screen: Screen, edition: Edition, wanted: Wanted) -> tuple[Player, ...]:
    """The players; missing details are asked for."""
    words = screen.words
    people, computers, names = wanted.people, wanted.computers, wanted.names
    fewest, most = edition.player_counts[0], edition.player_counts[-1]
    levels = [level.lower() if level.lower() in LEVELS else level for level in wanted.levels]
    check_players(levels)  # report an unknown level before asking anything
    if computers is None and len(levels) > 1:
        computers = len(levels)
    if people is None:
        people = len(names) or _ask_number(
            screen, words.say("How many people are playing at this screen?"), 1, most, 1
        )
    if people > most:
        setup(edition, people)  # raises the error for a bad number of players
    if computers is None:
        least = max(fewest - people, 0)
        usual = min(max(4 - people, least), most - people)
        question = words.say("How many computer players?")
        computers = _ask_number(screen, question, least, max(most - people, least), usual)
    setup(edition, people + computers)  # S1: check before asking for names
    if len(levels) > 1 and len(levels) != computers:
        raise LastSpikeError("give --level once, or once for each computer player")
    if computers and not levels:
        levels = [_ask_level(screen)]
    chosen = [_clean(name) for name in names[:people]]
    if not all(chosen):
        raise LastSpikeError("a name needs at least one letter, digit or symbol")
    while len(chosen) < people:
        chosen.append(_ask_name(screen, chosen))
    if len(set(chosen)) < len(chosen):
        raise LastSpikeError("two players can’t have the same name")
    free = (name for name in COMPUTER_NAMES if name not in chosen)
    return (
        *(Player(name, PERSON) for name in chosen),
        *(Player(next(free), levels[number % len(levels)]) for number in range(computers)),
    )


def _ask_name(screen: Screen, taken: list[str]) -> str:
    words = screen.words
    number = len(taken) + 1
    usual = words.say("Player {number}", number=number)
    question = words.say("Name of player {number}?", number=number)
    while True:
        name = _clean(screen.ask(_with_default(words, question, usual))) or usual
        if name not in taken:
            return name
        screen.say(words.say("{name} is already playing.", name=name))


def _ask_level(screen: Screen) -> str:
    words = screen.words
    names = {level: known.name for level, known in level_names(words).items()}
    if words.language == "en":
        names = {level: level for level in LEVELS}  # as they are typed everywhere
    question = words.say("How strong? {levels}", levels=words.series(names.values()))
    while True:
        answer = screen.ask(_with_default(words, question, names[USUAL_LEVEL]))
        if not answer:
            return USUAL_LEVEL
        for level, name in names.items():
            if folded(answer) in (level, folded(name)):
                return level
        screen.say(words.say("There is no such level: {level}", level=answer[:40]))


def _with_default(words: Words, question: str, usual: str) -> str:
    return words.say("{question} [{default}] ", question=question, default=usual)


def _ask_number(screen: Screen, question: str, least: int, most: int, usual: int) -> int:
    while True:
        answer = screen.ask(
            screen.words.say(
                "{question} ({least}–{most}) [{default}] ",
                question=question,
                least=least,
                most=most,
                default=usual,
            )
        )
        if not answer:
            return usual
        if answer in map(str, range(least, most + 1)):
            return int(answer)
        screen.say(
            screen.words.say("A number from {least} to {most}, please.", least=least, most=most)
        )


def _clean(name: str) -> str:
    """A name that can be shown: printable, on one line, short."""
    return "".join(letter for letter in name if letter.isprintable()).strip()[:20]


def _goodbye(words: Words, session: Session | None, save_to: Path | None) -> str:
    if session is None:
        return words.say("No game was started.")
    command = "lastspike play --terminal" + (f" --save {save_to}" if save_to else "")
    return words.say("The game is saved. To resume it: {command}", command=command)
