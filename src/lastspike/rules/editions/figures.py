"""Checking the figures of an edition: from raw keys and values to an `Edition`, or a clear refusal.

A bad figure raises `EditionError` with its dotted path, what was expected and what was found.
Unknown keys are ignored; `oddities` lists them for authors of edition files.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lastspike.rules.errors import EditionError

from .edition import CARDS_A_CITY, SPACES_A_ROUTE, TERRAINS, City, Edition, Route, reached

THOUSAND = 1000
MOST_MONEY = 1_000_000_000
FEWEST_PLAYERS, MOST_PLAYERS = 2, 6
MOST_CITIES = 100
MOST_ROUTES = 26
MOST_LANGUAGES = 50
MOST_PRINTED = 1000
"""More of them would make a board slow and large without making it a better game."""

_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_CODE = re.compile(r"[A-Z][A-Z0-9]{0,7}")
_LETTER = re.compile(r"[A-Z]")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def read(raw: object) -> Edition:
    """The edition these figures describe. Raises `EditionError` at the first bad one."""
    top = _table("", raw)
    cities = _cities(top)
    codes = tuple(city.code for city in cities)
    routes = _routes(top, codes)
    edition = Edition(
        id=_id(top),
        name=_text(top, "name", ""),
        start=_choice("start", _get(top, "start", ""), codes),
        finish=_choice("finish", _get(top, "finish", ""), codes),
        last_spike_bonus=_money("last_spike_bonus", _get(top, "last_spike_bonus", "")),
        hand_size=_whole("hand_size", _get(top, "hand_size", ""), 1, 99),
        set_aside=_by_players(top, "set_aside", _tiles_aside, optional=True),
        starting_cash=_by_players(top, "starting_cash", _money),
        printed=tuple(
            _string(f"printed.{place}", path)
            for place, path in _few("printed", top.get("printed", []), MOST_PRINTED)
        ),
        cities=cities,
        routes=routes,
    )
    if edition.start == edition.finish:
        raise EditionError(
            "finish",
            "expected a city other than the start, found {found}",
            found=repr_short(edition.finish),
        )
    _tips_joined(edition)
    _tiles_enough(edition)
    return edition


def oddities(raw: Mapping[str, Any], edition: Edition) -> Iterator[EditionError]:
    """What is not wrong but probably not meant: unknown keys, paths in `printed` that lead nowhere,
    cities that no route reaches."""
    known = edition.to_figures()
    yield from (EditionError(key, "unknown key, ignored") for key in raw if key not in known)
    for kind, name in (("cities", "code"), ("routes", "letter")):
        for entry, like in zip(raw[kind], known[kind], strict=True):
            for key in entry:
                if key not in like:
                    yield EditionError(f"{kind}.{entry[name]}.{key}", "unknown key, ignored")
    for place, path in enumerate(edition.printed, 1):
        if not _leads_somewhere(edition, path):
            yield EditionError(f"printed.{place}", "there is no figure {figure}", figure=path)
    on_a_route = {code for route in edition.routes for code in route.ends}
    for city in edition.cities:
        if city.code not in on_a_route:
            yield EditionError(f"cities.{city.code}", "no route leads to this city")


def figure_at(edition: Edition, path: str) -> object:
    """The figure at a dotted path such as `routes.A.costs.3`; `LookupError` if there is none."""
    here: Any = edition.to_figures()
    for step in path.split("."):
        if isinstance(here, dict):
            here = here[step]
        elif isinstance(here, list) and here and isinstance(here[0], dict):
            here = next((e for e in here if step in (e.get("code"), e.get("letter"))), None)
            if here is None:
                raise LookupError(path)
        elif isinstance(here, list) and step.isdecimal() and int(step) > 0:
            here = here[int(step) - 1]
        else:
            raise LookupError(path)
    return here


def is_printed(edition: Edition, path: str) -> bool:
    """Whether a rulebook states the figure at this path, by itself or as part of a whole.

    `cities.DEN.land=2000` states a value and not its place, so it counts where the value stands.
    """
    if any(path == stated or path.startswith(f"{stated}.") for stated in edition.printed):
        return True
    whole, _, _ = path.rpartition(".")
    return bool(whole) and f"{whole}={figure_at(edition, path)}" in edition.printed


def _leads_somewhere(edition: Edition, path: str) -> bool:
    figure, has_value, value = path.partition("=")
    try:
        found = figure_at(edition, figure)
    except LookupError:
        return False
    return not has_value or (isinstance(found, list) and value in map(str, found))


def _cities(top: Mapping[str, Any]) -> tuple[City, ...]:
    cities: list[City] = []
    entries = _few("cities", _get(top, "cities", ""), MOST_CITIES)
    for place, raw in entries:
        entry = _table(f"cities.{place}", raw)
        code = _code(entry, f"cities.{place}")
        path = f"cities.{code}"
        if any(city.code == code for city in cities):
            raise EditionError(
                f"cities.{place}.code",
                "expected a code that no other city has, found {found}",
                found=repr_short(code),
            )
        names = _table(f"{path}.names", entry.get("names", {}))
        _check_count(f"{path}.names", len(names), MOST_LANGUAGES)
        for language in names:
            if not _LANGUAGE.fullmatch(language):
                raise EditionError(
                    f"{path}.names",
                    "expected language codes such as fr or ja, found {found}",
                    found=repr_short(language),
                )
        cities.append(
            City(
                code=code,
                name=_text(entry, "name", path),
                names={lang: _string(f"{path}.names.{lang}", names[lang]) for lang in names},
                at=_at(f"{path}.at", entry, place, len(entries)),
                land=_land(f"{path}.land", _get(entry, "land", path)),
                payouts=_amounts(f"{path}.payouts", _get(entry, "payouts", path), CARDS_A_CITY),
            )
        )
    if len(cities) < 2:
        raise EditionError(
            "cities", "expected at least two cities, found {found}", found=repr_short(len(cities))
        )
    return tuple(cities)


def _routes(top: Mapping[str, Any], codes: tuple[str, ...]) -> tuple[Route, ...]:
    routes: list[Route] = []
    for place, raw in _few("routes", _get(top, "routes", ""), MOST_ROUTES):
        entry = _table(f"routes.{place}", raw)
        letter = _letter(entry, f"routes.{place}")
        path = f"routes.{letter}"
        if any(route.letter == letter for route in routes):
            raise EditionError(
                f"routes.{place}.letter",
                "expected a letter that no other route has, found {found}",
                found=repr_short(letter),
            )
        ends = [
            _choice(f"{path}.ends.{end}", code, codes)
            for end, code in _places(f"{path}.ends", _get(entry, "ends", path), 2)
        ]
        if ends[0] == ends[1]:
            raise EditionError(
                f"{path}.ends.2",
                "expected a city other than the route’s first city, found {found}",
                found=repr_short(ends[1]),
            )
        terrain = entry.get("terrain", ["plain"] * SPACES_A_ROUTE)
        routes.append(
            Route(
                letter=letter,
                ends=(ends[0], ends[1]),
                costs=_amounts(f"{path}.costs", _get(entry, "costs", path), SPACES_A_ROUTE),
                terrain=tuple(
                    _choice(f"{path}.terrain.{space}", kind, TERRAINS)
                    for space, kind in _places(f"{path}.terrain", terrain, SPACES_A_ROUTE)
                ),
            )
        )
    return tuple(routes)


def _tips_joined(edition: Edition) -> None:
    joined = reached(edition.start, (route.ends for route in edition.routes))
    if edition.finish not in joined:
        raise EditionError(
            "routes",
            "expected routes that join {start} to {finish}, found none",
            start=edition.start,
            finish=edition.finish,
        )


def _tiles_enough(edition: Edition) -> None:
    tiles = len(edition.routes) * SPACES_A_ROUTE
    for players in edition.player_counts:
        needed = players * edition.hand_size + edition.set_aside.get(players, 0)
        if needed > tiles:
            raise EditionError(
                f"starting_cash.{players}",
                "expected at least {needed} tiles for {players} players, found {tiles}",
                needed=needed,
                players=players,
                tiles=tiles,
            )


def _land(path: str, raw: object) -> tuple[int, ...]:
    prices = _amounts(path, raw, CARDS_A_CITY)
    if prices[0] != 0:
        raise EditionError(
            f"{path}.1", "expected 0 for the free land, found {found}", found=repr_short(prices[0])
        )
    for place in range(2, CARDS_A_CITY + 1):
        least = max(prices[place - 2], THOUSAND)
        if prices[place - 1] < least:
            raise EditionError(
                f"{path}.{place}",
                "expected at least {least} (cheapest first), found {found}",
                least=least,
                found=repr_short(prices[place - 1]),
            )
    return prices


def _amounts(path: str, raw: object, count: int) -> tuple[int, ...]:
    return tuple(_money(f"{path}.{place}", amount) for place, amount in _places(path, raw, count))


def _at(path: str, entry: Mapping[str, Any], place: int, cities: int) -> tuple[float, float]:
    if "at" not in entry:  # cities without a place stand in a ring
        angle = 2 * math.pi * (place - 1) / cities
        return round(50 + 44 * math.cos(angle)), round(50 + 42 * math.sin(angle))
    x, y = (_hundredths(f"{path}.{axis}", value) for axis, value in _places(path, entry["at"], 2))
    return x, y


def _hundredths(path: str, raw: object) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not 0 <= raw <= 100:
        raise EditionError(
            path, "expected a number from 0 to 100, found {found}", found=repr_short(raw)
        )
    return raw


def _by_players(
    top: Mapping[str, Any], key: str, figure: Callable[[str, object], int], optional: bool = False
) -> dict[int, int]:
    raw = _table(key, top.get(key, {}) if optional else _get(top, key, ""))
    counts = {str(n): n for n in range(FEWEST_PLAYERS, MOST_PLAYERS + 1)}
    for name in raw:
        if name not in counts:
            raise EditionError(
                key,
                "expected a number of players from 2 to 6, found {found}",
                found=repr_short(name),
            )
    if not raw and not optional:
        raise EditionError(
            key,
            "expected an amount for at least one number of players, found {found}",
            found=repr_short(raw),
        )
    return {n: figure(f"{key}.{n}", raw[name]) for name, n in counts.items() if name in raw}


def _tiles_aside(path: str, raw: object) -> int:
    return _whole(path, raw, 0, 99)


def _money(path: str, raw: object) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or raw % THOUSAND:
        raise EditionError(
            path, "expected a multiple of 1000, found {found}", found=repr_short(raw)
        )
    if not 0 <= raw <= MOST_MONEY:
        raise EditionError(
            path,
            "expected an amount from 0 to {most}, found {found}",
            most=MOST_MONEY,
            found=repr_short(raw),
        )
    return raw


def _whole(path: str, raw: object, least: int, most: int) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not least <= raw <= most:
        raise EditionError(
            path,
            "expected a whole number from {least} to {most}, found {found}",
            least=least,
            most=most,
            found=repr_short(raw),
        )
    return raw


def _choice(path: str, raw: object, choices: tuple[str, ...]) -> str:
    if not isinstance(raw, str) or raw not in choices:
        raise EditionError(
            path,
            "expected one of {choices}, found {found}",
            choices=choices,
            found=repr_short(raw),
        )
    return raw


def _text(entry: Mapping[str, Any], key: str, within: str) -> str:
    path = f"{within}.{key}" if within else key
    return _string(path, _get(entry, key, within))


def _id(top: Mapping[str, Any]) -> str:
    text = _text(top, "id", "")
    if not _ID.fullmatch(text):
        raise EditionError(
            "id",
            "expected a short id of lowercase letters, digits and hyphens, found {found}",
            found=repr_short(text),
        )
    return text


def _code(entry: Mapping[str, Any], within: str) -> str:
    text = _text(entry, "code", within)
    if not _CODE.fullmatch(text):
        raise EditionError(
            f"{within}.code",
            "expected a code of capital letters, found {found}",
            found=repr_short(text),
        )
    return text


def _letter(entry: Mapping[str, Any], within: str) -> str:
    text = _text(entry, "letter", within)
    if not _LETTER.fullmatch(text):
        raise EditionError(
            f"{within}.letter",
            "expected one capital letter, A to Z, found {found}",
            found=repr_short(text),
        )
    return text


def _string(path: str, raw: object) -> str:
    if not isinstance(raw, str) or not raw.strip() or len(raw) > 200 or not raw.isprintable():
        raise EditionError(path, "expected printable text, found {found}", found=repr_short(raw))
    return raw


def _get(entry: Mapping[str, Any], key: str, within: str) -> object:
    if key not in entry:
        path = f"{within}.{key}" if within else key
        raise EditionError(path, "expected a value, found nothing")
    return entry[key]


def _table(path: str, raw: object) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping) or not all(isinstance(key, str) for key in raw):
        raise EditionError(path, "expected keys and values, found {found}", found=repr_short(raw))
    return raw


def _places(path: str, raw: object, count: int | None = None) -> list[tuple[int, Any]]:
    """The values of a list with their places, which count from 1."""
    if not isinstance(raw, list):
        raise EditionError(path, "expected a list, found {found}", found=repr_short(raw))
    if count is not None and len(raw) != count:
        raise EditionError(
            path, "expected {count} values, found {found}", count=count, found=repr_short(len(raw))
        )
    return list(enumerate(raw, 1))


def _few(path: str, raw: object, most: int) -> list[tuple[int, Any]]:
    if isinstance(raw, list):
        _check_count(path, len(raw), most)
    return _places(path, raw)


def _check_count(path: str, count: int, most: int) -> None:
    if count > most:
        raise EditionError(
            path, "expected at most {most} entries, found {found}", most=most, found=count
        )


def repr_short(value: object) -> str:
    """A value as an error shows it: one line, and not long."""
    if isinstance(value, int) and not isinstance(value, bool):
        # The digits of a huge number take Python minutes, or are refused.
        return str(value) if abs(value) < 10**18 else f"{'-' * (value < 0)}10^18…"
    if isinstance(value, dict | list):
        return f"{'{…}' if isinstance(value, dict) else '[…]'} ({len(value)})"
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
