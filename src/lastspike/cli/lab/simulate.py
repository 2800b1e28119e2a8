"""`lastspike simulate`: plays many games between computer players and sums them up."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import typer
from rich.table import Column, Table

from lastspike.bots.levels import check_players, shown_name, split_names
from lastspike.cli.edition import find_edition
from lastspike.cli.files import written_whole
from lastspike.cli.options import Bots, PlayedEdition, Players, Seed, WhenDouble, seed_or_new
from lastspike.cli.progress import bar, fault_lines, print_parts
from lastspike.cli.workers import Cores, OnCluster, workers
from lastspike.lab.arena.series import WIN, Chunk, Series, Tally, play_series
from lastspike.lab.arena.workers import Jobs
from lastspike.rules.editions.shipped import DEFAULT_EDITION
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.outcome import Reason
from lastspike.rules.table import Options
from lastspike.words.language import words_for

Engine = Literal["rules", "batch"]

_ORDER = ("first", "second", "third", "fourth", "fifth", "sixth")


def simulate(
    players: Players = 4,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    seed: Seed = None,
    bots: Bots = None,
    edition: PlayedEdition = DEFAULT_EDITION,
    double_cost: WhenDouble = "forced",
    engine: Annotated[
        Engine,
        typer.Option(
            help="batch plays at random, many games at a time, and other games than rules."
        ),
    ] = "rules",
    jobs: Cores = None,
    cluster: OnCluster = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the games' records, one a line.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Play games between computer players and sum them up."""
    options = Options(double_cost=double_cost)
    series = Series(
        find_edition(edition), players, options, seed_or_new(seed), split_names(bots or ())
    )
    series.setup()  # fail on a bad number of players before anything is written
    check_players(series.seats)
    play = _player(engine, series, records is not None)
    with (
        workers(jobs, cluster) as playing,
        bar() as shown,
        written_whole(records) if records else nullcontext() as file,
    ):
        begun = time.perf_counter()
        total = Tally(players)
        task = shown.add_task("Playing", total=games)
        for chunk in play(games, playing):
            total.add(chunk.tally)
            if file is not None:
                file.write(chunk.records)
            shown.update(task, completed=total.games)
        seconds = time.perf_counter() - begun
    results = _results(series, engine, total)
    if as_json:
        typer.echo(json.dumps(results, indent=2, ensure_ascii=False))
        return
    print_parts(_parts(results, games / seconds))
    print_parts(fault_lines(total.faults, words_for("en")))


def _player(
    engine: Engine, series: Series, records: bool
) -> Callable[[int, Jobs], Iterator[Chunk]]:
    """The function that plays the series' games; `LastSpikeError` if the engine can't."""
    if engine == "rules":
        return partial(play_series, series, records=records)
    if records:
        raise LastSpikeError("the batch engine doesn’t keep moves, so it can’t write --records")
    if not series.random:
        raise LastSpikeError(
            "the batch engine plays random moves and can’t use {names}",
            names=", ".join(series.bots),
        )
    from lastspike.lab.arena.bulk import play_in_bulk  # imports NumPy, which is slow

    return partial(play_in_bulk, series)


def _results(series: Series, engine: Engine, total: Tally) -> dict[str, Any]:
    """The results; they depend only on the series, not on the number of cores."""
    games = total.games
    by_seat, in_order = (
        [wins / (WIN * games) for wins in shares]
        for shares in (total.wins_by_seat, total.wins_in_order)
    )
    spikes = total.ended["last spike"]
    with_bots = {"bots": series.seats, "faults": total.faults.count} if series.bots else {}
    return {
        "edition": series.edition.id,
        "players": series.players,
        **({} if engine == "rules" else {"engine": engine}),
        **with_bots,
        "double_cost": series.options.double_cost,
        "seed": series.seed,
        "games": games,
        "mean_moves": total.moves / games,
        "mean_turns": total.turns / games,
        "mean_cash": total.cash / (games * series.players),
        "mean_cash_of_winners": total.winners_cash / games,
        "wins_by_seat": by_seat,
        "wins_in_order_of_play": in_order,
        "first_player_advantage": in_order[0] - 1 / series.players,
        "shared_wins": total.shared_wins,
        "bankruptcies": total.bankruptcies,
        "games_with_bankruptcies": total.games_with_bankrupts,
        "ended": {reason: total.ended[reason] for reason in get_args(Reason)},
        "last_spike_by_a_winner": total.spike_won / spikes if spikes else None,
    }


def _parts(results: dict[str, Any], games_a_second: float) -> Iterator[str | Table]:
    """The printed results."""
    games, players = results["games"], results["players"]
    seed = results["seed"] if results["seed"].isprintable() else ascii(results["seed"])
    if "bots" in results:
        yield f"{games:,} games of {players} players"
        names = enumerate(map(shown_name, results["bots"]), 1)
        yield ", ".join(f"seat {seat} {name}" for seat, name in names)
    else:
        yield f"{games:,} games of {players} random players"
    engine = f", engine {results['engine']}" if "engine" in results else ""
    options = f"double cost {results['double_cost']}{engine}"
    yield f"edition {results['edition']}, {options}, seed {seed}\n"

    wins = Table.grid("", *(Column(justify="right") for _ in range(players)), padding=(0, 2))
    wins.add_row("Wins", *(f"seat {seat}" for seat in range(1, players + 1)))
    wins.add_row("by seat", *map(_percent, results["wins_by_seat"]))
    wins.add_row("", *_ORDER[:players])
    wins.add_row("in order", *map(_percent, results["wins_in_order_of_play"]))
    yield wins
    yield ""

    share = results["wins_in_order_of_play"][0]
    margin = 1.96 * math.sqrt(share * (1 - share) / games)
    advantage = f"{100 * results['first_player_advantage']:+.1f} points, +/- {100 * margin:.1f}"
    others = Table.grid(padding=(0, 2))
    others.add_row("First player's advantage", advantage)
    others.add_row("Shared wins", _of_games(results["shared_wins"], games))
    others.add_row("Moves a game", f"{results['mean_moves']:.1f}")
    others.add_row("Turns a game", f"{results['mean_turns']:.1f}")
    others.add_row("Final cash, mean", f"${results['mean_cash']:,.0f}")
    others.add_row("Final cash of winners, mean", f"${results['mean_cash_of_winners']:,.0f}")
    others.add_row("Bankruptcies", f"{results['bankruptcies']:,}")
    others.add_row("Games with bankruptcies", _of_games(results["games_with_bankruptcies"], games))
    for reason, count in results["ended"].items():
        others.add_row(f"Ended by {reason}", _of_games(count, games))
    if results["last_spike_by_a_winner"] is not None:
        others.add_row("Last spike by a winner", _percent(results["last_spike_by_a_winner"]))
    others.add_row("Speed", f"{games_a_second:,.0f} games a second")
    yield others


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _of_games(count: int, games: int) -> str:
    return f"{count:,} ({_percent(count / games)})"
