"""An edition as the text of its file, which `from_toml` reads back as the same edition."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from .edition import City, Edition, Route


def to_toml(edition: Edition) -> str:
    """Every figure of the edition, in the order of the files that come with the game."""
    return "\n".join(_lines(edition)) + "\n"


def _lines(edition: Edition) -> Iterator[str]:
    yield f"id = {_text(edition.id)}"
    yield f"name = {_text(edition.name)}"
    yield f"start = {_text(edition.start)}"
    yield f"finish = {_text(edition.finish)}"
    yield f"last_spike_bonus = {edition.last_spike_bonus}"
    yield f"hand_size = {edition.hand_size}"
    yield f"set_aside = {_table(edition.set_aside)}"
    yield f"starting_cash = {_table(edition.starting_cash)}"
    yield ""
    yield from _printed(edition.printed)
    for city in edition.cities:
        yield from _city(city)
    for route in edition.routes:
        yield from _route(route)


def _printed(paths: tuple[str, ...]) -> Iterator[str]:
    if not paths:
        yield "printed = []"
        return
    yield "printed = ["
    yield from (f"  {_text(path)}," for path in paths)
    yield "]"


def _city(city: City) -> Iterator[str]:
    yield from ("", "[[cities]]", f"code = {_text(city.code)}", f"name = {_text(city.name)}")
    if city.names:
        yield f"names = {_table({language: _text(n) for language, n in city.names.items()})}"
    yield f"at = {_list(city.at)}"
    yield f"land = {_list(city.land)}"
    yield f"payouts = {_list(city.payouts)}"


def _route(route: Route) -> Iterator[str]:
    yield from ("", "[[routes]]", f"letter = {_text(route.letter)}")
    yield f"ends = {_list(map(_text, route.ends))}"
    yield f"costs = {_list(route.costs)}"
    yield f"terrain = {_list(map(_text, route.terrain))}"


def _text(text: str) -> str:
    """Quoted as JSON quotes it, which TOML reads the same: texts of an edition can be printed."""
    return json.dumps(text, ensure_ascii=False)


def _list(values: Iterable[object]) -> str:
    return f"[{', '.join(map(str, values))}]"


def _table(values: Mapping[int, int] | Mapping[str, str]) -> str:
    inside = ", ".join(f"{key} = {value}" for key, value in values.items())
    return f"{{ {inside} }}" if inside else "{}"
