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

from lastspike.bots.levels import check_players, split_names
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
from lastspike.words.language import Words, words_for
from lastspike.words.names import player_name

Engine = Literal["rules", "batch"]


def simulate(
    players: Players = 4,
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 1000,
    seed: Seed = None,
    bots: Bots = None,
    edition: PlayedEdition = DEFAULT_EDITION,
    double_cost: WhenDouble = "forced",
    engine: Annotated[
        Engine,
        typer.Option(
            help="batch plays many games of random moves at once; its games differ from those of "
            "the rules engine."
        ),
    ] = "rules",
    jobs: Cores = None,
    cluster: OnCluster = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the game records, one per line.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Play games between computer players and print statistics."""
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
        task = shown.add_task(words_for().say("Playing"), total=games)
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
    words = words_for()
    print_parts(_parts(results, games / seconds, words))
    print_parts(fault_lines(total.faults, words))


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
            names=tuple(series.bots),
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


def _parts(results: dict[str, Any], games_a_second: float, words: Words) -> Iterator[str | Table]:
    """The printed results."""
    say, number = words.say, words.number
    games, players = results["games"], results["players"]
    if "bots" in results:
        yield words.count(
            "{n} game with {players} players",
            "{n} games with {players} players",
            games,
            players=players,
        )
        names = enumerate((player_name(name, words) for name in results["bots"]), 1)
        yield words.series(
            say("seat {number}: {player}", number=seat, player=name) for seat, name in names
        )
    else:
        yield words.count(
            "{n} game with {players} random players",
            "{n} games with {players} random players",
            games,
            players=players,
        )
    yield say(
        "Edition: {edition}. Double cost: {double_cost}. Engine: {engine}. Seed: {seed}",
        edition=results["edition"],
        double_cost=results["double_cost"],
        engine=results.get("engine", "rules"),
        seed=results["seed"] if results["seed"].isprintable() else ascii(results["seed"]),
    )
    yield ""

    wins = Table.grid("", *(Column(justify="right") for _ in range(players)), padding=(0, 2))
    wins.add_row("", *map(str, range(1, players + 1)))
    for title, shares in (
        (say("Wins by seat"), results["wins_by_seat"]),
        (say("Wins by turn order"), results["wins_in_order_of_play"]),
    ):
        wins.add_row(title, *(words.percent(share, 1) for share in shares))
    yield wins
    yield ""

    def part(count: int) -> str:
        share = words.percent(count / games, 1)
        return say("{count} ({percent})", count=number(count), percent=share)

    share, advantage = results["wins_in_order_of_play"][0], results["first_player_advantage"]
    margin = 1.96 * math.sqrt(share * (1 - share) / games)
    points = say(
        "{points} ± {margin} points",
        points=("+" if advantage >= 0 else "") + number(100 * advantage, 1),
        margin=number(100 * margin, 1),
    )
    ended = results["ended"]
    winners_cash = words.money(round(results["mean_cash_of_winners"]))
    others = Table.grid(padding=(0, 2))
    others.add_row(say("First player’s advantage"), points)
    others.add_row(say("Shared wins"), part(results["shared_wins"]))
    others.add_row(say("Moves per game"), number(results["mean_moves"], 1))
    others.add_row(say("Turns per game"), number(results["mean_turns"], 1))
    others.add_row(say("Mean final cash"), words.money(round(results["mean_cash"])))
    others.add_row(say("Winners’ mean final cash"), winners_cash)
    others.add_row(say("Bankruptcies"), number(results["bankruptcies"]))
    others.add_row(say("Games with a bankruptcy"), part(results["games_with_bankruptcies"]))
    others.add_row(say("Ended by the last spike"), part(ended["last spike"]))
    others.add_row(say("Ended with one player left"), part(ended["last player"]))
    others.add_row(say("Ended with no tiles left"), part(ended["no tiles left"]))
    if results["last_spike_by_a_winner"] is not None:
        won = words.percent(results["last_spike_by_a_winner"], 1)
        others.add_row(say("Last spikes driven by a winner"), won)
    speed = words.count("{n} game per second", "{n} games per second", round(games_a_second))
    others.add_row(say("Speed"), speed)
    yield others
