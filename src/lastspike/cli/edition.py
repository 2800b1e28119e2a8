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
from lastspike.words.language import Words, words_for
from lastspike.words.names import terrain_name

from .progress import plain_console

MARK = "~"
"""Follows a figure that no rulebook states."""

LONGEST_FILE = 1_000_000

app = typer.Typer(
    help="Show, check and list editions: map, costs, land and payouts.", no_args_is_help=True
)


def _complete(begun: str) -> list[str]:
    return [known for known in shipped_ids() if known.startswith(begun)]


IdOrFile = Annotated[
    str,
    typer.Argument(
        metavar="ID|FILE",
        help="A built-in edition, or the TOML file of another.",
        autocompletion=_complete,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]


@app.command()
def show(edition: IdOrFile = DEFAULT_EDITION, as_json: AsJson = False) -> None:
    """Print an edition’s map, costs, land and payouts, and mark reconstructed figures."""
    found = find_edition(edition)
    if as_json:
        typer.echo(json.dumps(found.to_figures(), ensure_ascii=False, indent=2))
        return
    console = plain_console()
    for part in _parts(found, words_for(), console):
        console.print(part)


@app.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An edition’s TOML file.")],
) -> None:
    """Check an edition file, and report the first bad figure, if any, and what was expected."""
    words = words_for()
    try:
        raw = find_figures(file)
        found = _read(file, raw)
    except LastSpikeError as error:
        typer.echo(words.error(error), err=True)
        raise typer.Exit(1) from None
    size = _size(found, words)
    typer.echo(words.say("{file}: valid edition: {size}", file=shown(file), size=size))
    for oddity in oddities(raw, found):
        text = words.error(oddity)
        typer.echo(words.say("{file}: warning: {text}", file=shown(file), text=text))


@app.command("list")
def list_editions() -> None:
    """List the built-in editions."""
    words = words_for()
    table = Table.grid("", "", "", padding=(0, 2))
    for known in shipped_ids():
        found = shipped(known)
        table.add_row(found.id, Text(found.name), _counts(found.player_counts, words))
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
            known=shipped_ids(),
        ) from None
    except OSError as error:
        raise _bad_file(name, error.strerror) from None
    if len(content) > LONGEST_FILE:
        raise _bad_file(name, LastSpikeError("too large for an edition"))
    try:
        return parse_toml(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _bad_file(name, LastSpikeError("not a UTF-8 text file")) from None
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


def _size(edition: Edition, words: Words) -> str:
    return words.series(
        [
            words.count("{n} city", "{n} cities", len(edition.cities)),
            words.count("{n} route", "{n} routes", len(edition.routes)),
            words.count("{n} tile", "{n} tiles", len(edition.tiles)),
            _counts(edition.player_counts, words),
        ]
    )


def _counts(numbers: Sequence[int], words: Words) -> str:
    """A range such as 2–6 players if the numbers are consecutive, else a list."""
    counts = words.any_of(map(str, numbers))
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        counts = f"{numbers[0]}–{numbers[-1]}"
    return words.say("{counts} players", counts=counts)


def _parts(edition: Edition, words: Words, console: Console) -> Iterator[RenderableType]:
    say = words.say
    yield Text(edition.name, style="bold")
    yield Text(say("{edition}: {size}", edition=edition.id, size=_size(edition, words)))
    yield _section("", _facts(edition, words))
    yield _section(say("Setup (cash in $1,000)"), _setting_up(edition, words))
    routes = _fitting(_routes(edition, words), console)
    yield _section(say("Routes: cost of each space, in $1,000"), routes)
    land = _cities(edition, words, "land", range(2, CARDS_A_CITY + 1))
    yield _section(say("Land prices in $1,000, after the free land"), land)
    payouts = _cities(edition, words, "payouts", range(1, CARDS_A_CITY + 1))
    title = say("Payout per finished route for 1–{most} cards, in $1,000", most=CARDS_A_CITY)
    yield _section(title, payouts)
    legend = say("reconstructed: not in any rulebook we have")
    yield _section("", Text(f"{MARK} {legend}", style="dim"))


def _section(title: str, content: RenderableType) -> RenderableType:
    heading = [Text(title, style="bold")] if title else []
    return Group(Text(), *heading, content)


def _facts(edition: Edition, words: Words) -> Table:
    say = words.say
    table = _table("", "")
    ends = (
        _marked(edition, figure, edition.city(code).name_in(words.language)).plain
        for figure, code in (("start", edition.start), ("finish", edition.finish))
    )
    table.add_row(say("Ends of the line"), words.listed(ends))
    bonus = _marked(edition, "last_spike_bonus", words.money(edition.last_spike_bonus))
    table.add_row(say("Last-spike bonus"), bonus)
    table.add_row(say("Hand size"), _marked(edition, "hand_size", str(edition.hand_size)))
    return table


def _setting_up(edition: Edition, words: Words) -> Table:
    """The figures that depend on the number of players."""
    counts = edition.player_counts
    width = _width(edition.starting_cash.values())
    table = _table(words.say("players"), *(f"{players:>{width}}" for players in counts))
    cash, aside = edition.starting_cash, edition.set_aside
    amounts = (_amount(edition, f"starting_cash.{n}", cash[n] // 1000, width) for n in counts)
    table.add_row(words.say("starting cash"), *amounts)
    none = Text(f"{'–':>{width}}")
    tiles = (
        _amount(edition, f"set_aside.{n}", aside[n], width) if aside.get(n) else none
        for n in counts
    )
    table.add_row(words.say("tiles set aside unseen"), *tiles)
    return table


def _fitting(tables: Iterable[Table], console: Console) -> Table:
    """The first table that fits the console's width, else the last."""
    options = console.options.update(max_width=1000)
    table = Table()
    for table in tables:
        if console.measure(table, options=options).maximum <= console.width:
            break
    return table


def _routes(edition: Edition, words: Words) -> Iterator[Table]:
    """The map as a table, widest form first."""
    names = {city.code: city.name_in(words.language) for city in edition.cities}
    codes = {city.code: city.code for city in edition.cities}
    yield _route_table(edition, words, names, " ")
    yield _route_table(edition, words, names, "\n")
    yield _route_table(edition, words, codes, "\n")


def _route_table(edition: Edition, words: Words, called: Mapping[str, str], between: str) -> Table:
    """One route per row; `between` separates a space's cost from its terrain."""
    width = _width(cost for route in edition.routes for cost in route.costs)
    ends = [words.say_as("route", "from"), words.say_as("route", "to")]
    table = _table("", *ends, *(f"{place:>{width}}" for place in _spaces()), names=(1, 2), gap=1)
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
                + _marked(
                    edition,
                    f"{path}.terrain.{place}",
                    terrain_name(route.terrain[place - 1], words),
                )
                for place in _spaces()
            ),
        )
    return table


def _cities(edition: Edition, words: Words, figure: str, places: Sequence[int]) -> Table:
    """One city per row, with its `land` or `payouts` at these places."""
    rows = {city: city.land if figure == "land" else city.payouts for city in edition.cities}
    width = _width(amount for amounts in rows.values() for amount in amounts)
    numbers = (f"{number:>{width}}" for number in range(1, len(places) + 1))
    table = _table("", words.say("city"), *numbers, names=(1,))
    for city, amounts in rows.items():
        path = f"cities.{city.code}.{figure}"
        table.add_row(
            city.code,
            Text(city.name_in(words.language)),
            *(
                _amount(edition, f"{path}.{place}", amounts[place - 1] // 1000, width)
                for place in places
            ),
        )
    return table


def _table(*headings: str, names: Sequence[int] = (), gap: int = 2) -> Table:
    """`names` are the columns of names: on a narrow screen they wrap, and the figures don't."""
    table = Table(
        box=None,
        pad_edge=False,
        padding=(0, gap, 0, 0),
        show_header=any(headings),
        header_style="bold",
    )
    for column, heading in enumerate(headings):
        name = column in names
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
