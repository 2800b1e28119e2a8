"""`lastspike edition`: shows, checks and lists editions."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from lastspike.rules.editions.edition import CARDS_A_CITY, SPACES_A_ROUTE, Edition
from lastspike.rules.editions.figures import is_printed, oddities, read
from lastspike.rules.editions.shipped import DEFAULT_EDITION, parse_toml, shipped, shipped_ids
from lastspike.rules.errors import LastSpikeError

from .progress import plain_console

MARK = "~"
"""Follows a figure that no rulebook states."""

LONGEST_FILE = 1_000_000

app = typer.Typer(help="The figures of the game: map, costs, land, payouts.", no_args_is_help=True)


def _complete(begun: str) -> list[str]:
    return [known for known in shipped_ids() if known.startswith(begun)]


IdOrFile = Annotated[
    str,
    typer.Argument(
        metavar="ID|FILE",
        help="An edition that comes with the game, or a TOML file of one.",
        autocompletion=_complete,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]


@app.command()
def show(edition: IdOrFile = DEFAULT_EDITION, as_json: AsJson = False) -> None:
    """Print an edition: map, costs, land and payouts, and which figures are reconstructed."""
    found = find_edition(edition)
    if as_json:
        typer.echo(json.dumps(found.to_figures(), ensure_ascii=False, indent=2))
        return
    console = plain_console()
    for part in _parts(found, console):
        console.print(part)


@app.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A TOML file of an edition.")],
) -> None:
    """Say whether a file is a good edition, or which figure is bad and what was expected."""
    try:
        raw = find_figures(file)
        found = _read(file, raw)
    except LastSpikeError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    typer.echo(f"{shown(file)}: good: {_size(found)}")
    for oddity in oddities(raw, found):
        typer.echo(f"{shown(file)}: warning: {oddity}")


@app.command("list")
def list_editions() -> None:
    """List the editions that come with the game."""
    table = Table.grid("", "", "", padding=(0, 2))
    for known in shipped_ids():
        found = shipped(known)
        table.add_row(found.id, Text(found.name), f"{_counts(found.player_counts)} players")
    plain_console().print(table)


def find_edition(name: str) -> Edition:
    """The edition with this id or in this file; `LastSpikeError` names the file and problem."""
    return shipped(name) if name in shipped_ids() else _read(name, find_figures(name))


def find_figures(name: str) -> Mapping[str, Any]:
    """As `find_edition`, but the raw figures, unchecked."""
    if name in shipped_ids():
        return shipped(name).to_figures()
    try:
        with open(name, "rb") as file:
            content = file.read(LONGEST_FILE + 1)
    except FileNotFoundError:
        raise LastSpikeError(
            "{file}: no such file or edition; the editions are {known}",
            file=shown(name),
            known=", ".join(shipped_ids()),
        ) from None
    except OSError as error:
        raise _bad_file(name, error.strerror) from None
    if len(content) > LONGEST_FILE:
        raise _bad_file(name, "too long for an edition")
    try:
        return parse_toml(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _bad_file(name, "not a UTF-8 text file") from None
    except LastSpikeError as error:
        raise _bad_file(name, error) from None


def shown(name: str | os.PathLike[str]) -> str:
    """A file name that is safe to print in one line."""
    text = os.fspath(name)
    return text if text.isprintable() else ascii(text)


def _read(name: str, raw: Mapping[str, Any]) -> Edition:
    try:
        return read(raw)
    except LastSpikeError as error:
        raise _bad_file(name, error) from None


def _bad_file(name: str, reason: object) -> LastSpikeError:
    return LastSpikeError("{file}: {reason}", file=shown(name), reason=reason)


def _size(edition: Edition) -> str:
    return (
        f"{len(edition.cities)} cities, {len(edition.routes)} routes, "
        f"{len(edition.tiles)} tiles, {_counts(edition.player_counts)} players"
    )


def _counts(numbers: Sequence[int]) -> str:
    """A range such as 2-6 if the numbers are consecutive, else a list."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}-{numbers[-1]}"
    return " or ".join(map(str, numbers))


def _parts(edition: Edition, console: Console) -> Iterator[RenderableType]:
    yield Text(edition.name, style="bold")
    yield Text(f"{edition.id}: {_size(edition)}")
    yield _section("", _facts(edition))
    yield _section("Setting up, money in $1,000", _setting_up(edition))
    yield _section(
        "Routes: what laying each space costs, in $1,000", _fitting(_routes(edition), console)
    )
    land = _cities(edition, "land", range(2, CARDS_A_CITY + 1))
    yield _section("Land: prices in $1,000, cheapest first, after the free grant", land)
    payouts = _cities(edition, "payouts", range(1, CARDS_A_CITY + 1))
    yield _section("Payouts for 1 to 5 cards when a route is finished, in $1,000", payouts)
    legend = Text.assemble((f"{MARK} reconstructed", "dim"), ": no rulebook states it")
    yield _section("", legend)


def _section(title: str, content: RenderableType) -> RenderableType:
    heading = [Text(title, style="bold")] if title else []
    return Group(Text(), *heading, content)


def _facts(edition: Edition) -> Table:
    table = _table("", "")
    start, finish = (
        _marked(edition, figure, edition.city(code).name)
        for figure, code in (("start", edition.start), ("finish", edition.finish))
    )
    table.add_row("To be joined", start + " and " + finish)
    bonus = _marked(edition, "last_spike_bonus", f"${edition.last_spike_bonus:,}")
    table.add_row("Last spike bonus", bonus)
    table.add_row("Tiles in a hand", _marked(edition, "hand_size", str(edition.hand_size)))
    return table


def _setting_up(edition: Edition) -> Table:
    """The figures that depend on the number of players."""
    counts = edition.player_counts
    width = _width(edition.starting_cash.values())
    table = _table("players", *(f"{players:>{width}}" for players in counts))
    cash, aside = edition.starting_cash, edition.set_aside
    amounts = (_amount(edition, f"starting_cash.{n}", cash[n] // 1000, width) for n in counts)
    table.add_row("starting cash", *amounts)
    none = Text(f"{'-':>{width}}")
    tiles = (
        _amount(edition, f"set_aside.{n}", aside[n], width) if aside.get(n) else none
        for n in counts
    )
    table.add_row("tiles put aside", *tiles)
    return table


def _fitting(tables: Iterable[Table], console: Console) -> Table:
    """The first table that fits the console's width, else the last."""
    options = console.options.update(max_width=1000)
    table = Table()
    for table in tables:
        if console.measure(table, options=options).maximum <= console.width:
            break
    return table


def _routes(edition: Edition) -> Iterator[Table]:
    """The map as a table, widest form first."""
    names = {city.code: city.name for city in edition.cities}
    codes = {city.code: city.code for city in edition.cities}
    yield _route_table(edition, names, " ")
    yield _route_table(edition, names, "\n")
    yield _route_table(edition, codes, "\n")


def _route_table(edition: Edition, called: Mapping[str, str], between: str) -> Table:
    """One route per row; `between` separates a space's cost from its terrain."""
    width = _width(cost for route in edition.routes for cost in route.costs)
    table = _table("", "from", "to", *(f"{place:>{width}}" for place in _spaces()), gap=1)
    for route in edition.routes:
        path = f"routes.{route.letter}"
        table.add_row(
            route.letter,
            *(
                _marked(edition, f"{path}.ends.{end}", called[code])
                for end, code in enumerate(route.ends, 1)
            ),
            *(
                _amount(edition, f"{path}.costs.{place}", route.costs[place - 1] // 1000, width)
                + between
                + _marked(edition, f"{path}.terrain.{place}", route.terrain[place - 1])
                for place in _spaces()
            ),
        )
    return table


def _cities(edition: Edition, figure: str, places: Sequence[int]) -> Table:
    """One city per row, with its `land` or `payouts` at these places."""
    rows = {city: city.land if figure == "land" else city.payouts for city in edition.cities}
    width = _width(amount for amounts in rows.values() for amount in amounts)
    table = _table("", "city", *(f"{number:>{width}}" for number in range(1, len(places) + 1)))
    for city, amounts in rows.items():
        path = f"cities.{city.code}.{figure}"
        table.add_row(
            city.code,
            Text(city.name),
            *(
                _amount(edition, f"{path}.{place}", amounts[place - 1] // 1000, width)
                for place in places
            ),
        )
    return table


def _table(*headings: str, gap: int = 2) -> Table:
    """On a narrow screen the city names wrap, not the figures."""
    table = Table(
        box=None,
        pad_edge=False,
        padding=(0, gap, 0, 0),
        show_header=any(headings),
        header_style="bold",
    )
    for heading in headings:
        name = heading in ("city", "from", "to")
        table.add_column(heading, no_wrap=not name, overflow="fold" if name else "ellipsis")
    return table


def _marked(edition: Edition, path: str, text: str) -> Text:
    """A figure, dimmed and marked if it is reconstructed."""
    return Text(text) if is_printed(edition, path) else Text(f"{text}{MARK}", style="dim")


def _amount(edition: Edition, path: str, amount: int, width: int) -> Text:
    """A right-aligned number, padded for the mark so that digits line up."""
    text = _marked(edition, path, f"{amount:>{width}}")
    text.pad_right(width + len(MARK) - len(text))
    return text


def _width(amounts: Iterable[int]) -> int:
    """The digits that these amounts need, in thousands."""
    return max(len(str(amount // 1000)) for amount in amounts)


def _spaces() -> range:
    return range(1, SPACES_A_ROUTE + 1)
