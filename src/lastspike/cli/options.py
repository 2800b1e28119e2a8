"""Command-line options shared by the commands that play many games."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer

from lastspike.rules.editions.figures import FEWEST_PLAYERS, MOST_PLAYERS
from lastspike.rules.errors import LastSpikeError
from lastspike.rules.table import Cash, DoubleCost

Players = Annotated[
    int, typer.Option(min=FEWEST_PLAYERS, max=MOST_PLAYERS, help="Number of players.")
]
Seed = Annotated[
    str | None,
    typer.Option(help="Any text; the same seed gives the same games. Default: a random seed."),
]
Bots = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Computer players, such as clerk,surveyor; they fill the seats in turn. Default: "
        "greenhorn.",
    ),
]
PlayedEdition = Annotated[str, typer.Option(metavar="ID|FILE", help="The edition to play.")]
WhenDouble = Annotated[
    DoubleCost, typer.Option(help="Rule L5: when a tile may be laid at double cost.")
]
WhoSeesCash = Annotated[Cash, typer.Option(help="Rule B3: whether everybody sees all cash.")]


def seed_or_new(given: str | None) -> str:
    """The given seed, or a new random one."""
    seed = secrets.token_hex(8) if given is None else given
    try:
        seed.encode()
    except UnicodeEncodeError:
        raise LastSpikeError("--seed: not valid UTF-8") from None
    return seed
