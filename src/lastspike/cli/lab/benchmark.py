"""`lastspike benchmark`: how strong a player is, by a fixed protocol."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.table import Column, Table

from lastspike.bots.levels import check_players
from lastspike.cli.files import write_json
from lastspike.cli.progress import bar, print_parts
from lastspike.cli.workers import Cores, OnCluster, workers
from lastspike.lab.benchmark.compare import Comparison
from lastspike.lab.benchmark.protocol import DEALS, PROTOCOL, Row, rows_of, run, to_json
from lastspike.release import full_version
from lastspike.rules.editions.figures import FEWEST_PLAYERS, MOST_PLAYERS
from lastspike.rules.errors import LastSpikeError
from lastspike.words.language import Words, words_for
from lastspike.words.names import player_name


def benchmark(
    player: Annotated[
        str, typer.Argument(metavar="PLAYER", help="The player; lastspike bots lists the names.")
    ],
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Play only against this opponent: surveyor, speculator or tycoon. Repeat it for "
            "more.",
        ),
    ] = None,
    players: Annotated[
        list[int] | None,
        typer.Option(
            min=FEWEST_PLAYERS,
            max=MOST_PLAYERS,
            help="Play only with this number of players. Repeat it for more.",
        ),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(min=1, help="Play only the first deals of each row.", show_default=False),
    ] = None,
    jobs: Cores = None,
    cluster: OnCluster = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write all results to FILE.")
    ] = None,
) -> None:
    """Measure a player against fixed opponents, with two to six players.

    Deals, seats and opponents are always the same, so you can compare the figures with those of
    others. See docs/benchmark.md.
    """
    unknown = [name for name in opponent or () if name not in DEALS]
    if unknown:
        raise LastSpikeError(
            "{name} is no opponent of the benchmark; choose from {known}",
            name=unknown[0],
            known=tuple(DEALS),
        )
    check_players([player])
    rows = rows_of(opponent or (), players or (), deals)
    words = words_for()
    with workers(jobs, cluster) as playing, bar() as shown:
        task = shown.add_task(words.say("Playing"), total=sum(row.games for row in rows))
        found = list(run(player, rows, playing, lambda games: shown.update(task, advance=games)))
    result_json = to_json(player, found)
    if json_file:
        write_json(json_file, result_json, ascii_only=True)
    print_parts(_parts(player, found, result_json["complete"], words))


def _parts(
    player: str, found: list[tuple[Row, Comparison]], complete: bool, words: Words
) -> Iterator[RenderableType]:
    say = words.say
    yield say(
        "{player} in benchmark {number} of version {version}",
        player=player_name(player, words),
        number=PROTOCOL,
        version=full_version(),
    )
    if not complete:
        yield say("This is a part of the benchmark.")
    yield ""
    right = [Column(justify="right") for _ in range(5)]
    table = Table.grid("", *right, padding=(0, 3), collapse_padding=True)
    titles = [say("Players"), say("Deals"), say("Fair share"), say("Wins"), say("95% interval")]
    table.add_row(say("Opponent"), *titles)
    for row, comparison in found:
        share = comparison.share
        table.add_row(
            player_name(row.opponent, words),
            str(row.players),
            words.number(row.deals),
            words.percent(comparison.fair, 1),
            words.percent(share.mean, 1),
            f"{words.percent(share.low, 1)} – {words.percent(share.high, 1)}",
        )
    yield table
    count = sum(made["count"] for _, c in found for made in c.figures["faults"].values())
    if count:
        yield ""
        yield words.count(
            "{n} player error: the figures are partly those of random moves.",
            "{n} player errors: the figures are partly those of random moves.",
            count,
        )
