"""`lastspike study`: measures what an edition plays like with computer players."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from lastspike.bots.levels import check_players
from lastspike.bots.surveyor import Surveyor
from lastspike.cli.edition import IdOrFile, find_edition, shown
from lastspike.cli.files import write_json
from lastspike.cli.options import Seed, seed_or_new
from lastspike.cli.progress import bar, print_parts
from lastspike.cli.workers import Cores, OnCluster, workers
from lastspike.lab.study import study as study_of
from lastspike.lab.study import study_to_json
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import DEFAULT_EDITION
from lastspike.rules.errors import LastSpikeError
from lastspike.words.language import words_for

from .study_report import Report

_NUMBERS = re.compile(r"([2-6])(?:-([2-6]))?")


def study(
    edition: IdOrFile = DEFAULT_EDITION,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBERS",
            help="Numbers of players, such as 4, 2-6 or 3,5. Default: all that the edition allows.",
        ),
    ] = None,
    games: Annotated[
        int, typer.Option(min=1, help="Number of games for each number of players.")
    ] = 1000,
    player: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="The computer player in every seat; lastspike bots lists them."
        ),
    ] = Surveyor.level,
    seed: Seed = None,
    jobs: Cores = None,
    cluster: OnCluster = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write all results to FILE.")
    ] = None,
) -> None:
    """Measure how an edition plays: game length, endings, payouts, land, routes and turn order.

    One computer player takes all seats. Every figure has a 95% confidence interval.
    """
    check_players([player])
    found = find_edition(edition)
    numbers = player_numbers(players, found)
    words = words_for()
    with workers(jobs, cluster) as playing, bar() as shown_bar:
        task = shown_bar.add_task(words.say("Playing"), total=games * len(numbers))
        done = study_of(
            found,
            numbers,
            games,
            seed_or_new(seed),
            playing,
            lambda played: shown_bar.update(task, completed=played),
            player,
        )
    if json_file:
        write_json(json_file, study_to_json(done))
    print_parts(Report(done, words).parts())


def player_numbers(text: str | None, edition: Edition) -> list[int]:
    """The numbers of players in a text such as 2-4,6; by default, all that the edition allows."""
    if text is None:
        return list(edition.player_counts)
    numbers: set[int] = set()
    for part in text.split(","):
        match = _NUMBERS.fullmatch(part.strip())
        if match is None or (match[2] and match[2] < match[1]):
            raise LastSpikeError(
                "--players: expected numbers from 2 to 6 such as 4, 2-6 or 3,5; found {found}",
                found=shown(text),
            )
        numbers.update(range(int(match[1]), int(match[2] or match[1]) + 1))
    return sorted(numbers)
