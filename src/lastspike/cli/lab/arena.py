"""`lastspike arena`: measures which computer player is stronger, with confidence intervals."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from lastspike import __version__
from lastspike.bots.levels import LEVELS, check_players
from lastspike.cli.edition import find_edition
from lastspike.cli.files import write_json
from lastspike.cli.options import PlayedEdition, Seed, WhenDouble, WhoSeesCash, seed_or_new
from lastspike.cli.progress import bar, print_parts
from lastspike.cli.workers import Cores, OnCluster, workers
from lastspike.lab.arena.journal import FORMAT, Journal, journal_beside, settings_of
from lastspike.lab.arena.ladder import check_openskill, ladder_summary
from lastspike.lab.arena.match import Deal, Settings, check_names, duels, play_match
from lastspike.lab.arena.statistics import (
    faults,
    is_decided,
    share_interval,
    summary,
    timings,
    win_shares,
)
from lastspike.lab.arena.workers import Jobs
from lastspike.rules.editions.figures import FEWEST_PLAYERS, MOST_PLAYERS
from lastspike.rules.editions.shipped import DEFAULT_EDITION, is_shipped
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.table import Options
from lastspike.words.language import words_for
from lastspike.words.names import player_name

from .arena_report import ArenaReport

NO_VERDICT = 3
"""The exit status if there is a duel without a verdict."""


def arena(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER",
            help="A challenger, then champions; lastspike bots lists the players. With --ladder, "
            "the default is all levels.",
            show_default=False,
        ),
    ] = None,
    players: Annotated[
        int,
        typer.Option(min=FEWEST_PLAYERS, max=MOST_PLAYERS, help="Number of players in each game."),
    ] = 4,
    deals: Annotated[
        int, typer.Option(min=1, help="Number of deals; each is played from every seat.")
    ] = 100,
    seed: Seed = None,
    reverse: Annotated[
        bool, typer.Option("--reverse", help="Also play each champion alone among challengers.")
    ] = False,
    ladder: Annotated[
        bool,
        typer.Option(
            "--ladder", help="Rate all players on one scale, from games in every combination."
        ),
    ] = False,
    luck: Annotated[
        bool,
        typer.Option(
            "--luck", help="Also show the results without luck, which takes about a second a game."
        ),
    ] = False,
    decide: Annotated[
        float | None,
        typer.Option(
            "--decide",
            metavar="POINTS",
            min=0.5,
            max=50,
            help="Stop as soon as a difference of POINTS percentage points in the win share is "
            "found or ruled out; --deals is then the maximum.",
            show_default=False,
        ),
    ] = None,
    jobs: Cores = None,
    cluster: OnCluster = None,
    edition: PlayedEdition = DEFAULT_EDITION,
    double_cost: WhenDouble = "forced",
    cash: WhoSeesCash = "open",
    json_file: Annotated[
        Path | None,
        typer.Option(
            "--json",
            metavar="FILE",
            help="Write all results to FILE. Until then, finished deals are kept in FILE.part; "
            "run the same command again to resume.",
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Resume the run in FILE.part; no need to repeat its players and settings.",
        ),
    ] = False,
) -> None:
    """Measure a challenger against champions, in deals played from every seat.

    Shows its win share next to the fair share, with a 95% confidence interval. The exit status is 3
    if the games allow no verdict.
    """
    journal = _journal_for(json_file)
    if resume and journal is None:
        raise LastSpikeError("--resume needs --json FILE")
    if resume and journal and not journal.exists():
        raise LastSpikeError("--resume: there is no run to resume in {path}", path=journal)
    if journal and resume and not names:
        settings = settings_of(journal)
    else:
        if seed is None and journal and journal.exists():
            seed = settings_of(journal).seed  # none was given, so use the unfinished run's
        settings = Settings(
            names=tuple(names or (LEVELS if ladder else ())),
            players=players,
            deals=deals,
            seed=seed_or_new(seed),
            edition=find_edition(edition),
            options=Options(double_cost=double_cost, cash=cash),
            reverse=reverse,
            ladder=ladder,
            luck=luck,
            decide=None if decide is None else decide / 100,
        )
    _check(settings)
    with workers(jobs, cluster) as playing:
        figures = _play(settings, playing, json_file, journal)
    print_parts(ArenaReport(figures, words_for()).parts())
    if any(duel["verdict"] == "no verdict" for duel in figures.get("duels", ())):
        raise typer.Exit(NO_VERDICT)


def _journal_for(path: Path | None) -> Path | None:
    """The journal beside a regular file; None for a pipe or device."""
    if path is None or (path.exists() and not path.is_file()):
        return None
    return journal_beside(path)


def _check(settings: Settings) -> None:
    check_names(settings)
    if settings.ladder:
        check_openskill()
    settings.setup()
    check_players(settings.names)


def _play(
    settings: Settings, jobs: Jobs, path: Path | None, journal_path: Path | None
) -> dict[str, Any]:
    """Play the remaining deals, write the figures to the file if there is one, and return them."""
    if path is None or journal_path is None:
        stopped = words_for().say(
            "The arena was stopped. Nothing was saved; with --json FILE, you can resume a run."
        )
        with _explain_interrupt(stopped):
            figures = _figures(settings, jobs, None)
        if path:
            write_json(path, figures, ascii_only=True)
        return figures
    again = f"lastspike arena --json {shlex.quote(str(path))} --resume"
    with Journal(journal_path, settings) as journal:
        stopped = words_for().say("The arena was stopped. The finished deals are saved. To resume:")
        with _explain_interrupt(f"{stopped}\n  {again}"):
            figures = _figures(settings, jobs, journal)
        write_json(path, figures, ascii_only=True)
        journal.remove()
    return figures


def _figures(settings: Settings, jobs: Jobs, journal: Journal | None) -> dict[str, Any]:
    began = time.perf_counter()
    deals = list(journal.done) if journal else []
    with bar() as shown:
        task = shown.add_task(
            words_for().say("Playing"), total=settings.deals * settings.games_a_deal
        )
        playing = play_match(settings, jobs, [deal.number for deal in deals])
        with closing(playing):
            while not is_decided(settings, deals) and (deal := next(playing, None)):
                if journal:
                    journal.add(deal)
                deals.append(deal)
                shown.update(
                    task,
                    completed=len(deals) * settings.games_a_deal,
                    description=_so_far(settings, deals),
                )
    deals.sort(key=lambda deal: deal.number)
    shown_settings = settings.to_json()
    if is_shipped(settings.edition):
        del shown_settings["figures"]
    kind = "ladder" if settings.ladder else "duels"
    seconds = time.perf_counter() - began
    return {
        "format": FORMAT,
        "version": __version__,
        "settings": shown_settings,
        kind: (ladder_summary if settings.ladder else summary)(settings, deals),
        "faults": faults(settings, deals),
        "timings": {"seconds": seconds, "turns": timings(settings, deals)},
    }


def _so_far(settings: Settings, deals: list[Deal]) -> str:
    words = words_for()
    if settings.ladder:
        return words.say("Playing")
    duel = duels(settings)[0]
    share = share_interval(win_shares(duel, deals))
    player = player_name(settings.names[duel.player], words)[:20]
    return words.say("{player} {percent}", player=player, percent=words.percent(share.mean, 1))


@contextmanager
def _explain_interrupt(stopped: str) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"lastspike: {stopped}", err=True)
        sys.exit(130)
