"""Reads the settings: command line before environment before file before what is usual.

What is wrong is one line: where it stands, what was expected there, what was found.
"""

from __future__ import annotations

import difflib
import ipaddress
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from msgspec import inspect

from lastspike.rules.errors import LastSpikeError

from .settings import CONFIG_JSON, SHORTEST_TOKEN, Config, Limits, origin_of, sqlite_url

PREFIX = "LASTSPIKE_"
CONFIG_FILE = "LASTSPIKE_CONFIG"
"""The environment variable that names the file if the command line does not."""

_NO_SETTINGS = frozenset({CONFIG_FILE, CONFIG_JSON, "LASTSPIKE_HOME", "LASTSPIKE_SOAK"})
_SECRET = frozenset({"create_token", "database"})
_BASE_URL = re.compile(r"(https?://[^/?#@\s]+)((?:/[A-Za-z0-9._~-]+)*)/?", re.IGNORECASE)
_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}


def read_config(
    file: Path | None, environment: Mapping[str, str], given: Mapping[str, Any]
) -> Config:
    """The settings, all checked. `LastSpikeError` names the first thing that is wrong.

    `given` holds what the command line says under the names of `Config`'s fields; None is as good
    as not given. `environment` holds `LASTSPIKE_PORT`, `LASTSPIKE_LIMITS_BODY_BYTES` and so on.
    """
    if file is None and environment.get(CONFIG_FILE):
        file = Path(environment[CONFIG_FILE])
    found: dict[str, _Setting] = {}
    for setting in (
        *(_from_file(file) if file else ()),
        *_from_environment(environment),
        *_from_command_line(given),
    ):
        found[setting.key] = setting
    checked = {key: _checked(setting) for key, setting in found.items()}
    limits = {
        key.removeprefix("limits."): checked.pop(key)
        for key in list(checked)
        if key.startswith("limits.")
    }
    config = Config(**checked, limits=Limits(**limits))
    if config.workers > 1 and config.is_sqlite:
        raise LastSpikeError(
            "{place}: more than one worker needs PostgreSQL; the database is SQLite",
            place=found["workers"].place,
        )
    return config


class _Setting(NamedTuple):
    """A value with its place as a person would look for it. `key` is dotted: `limits.body_bytes`.

    `loose` says that it was written as text whatever its type.
    """

    key: str
    value: Any
    place: str
    loose: bool = False


def _types() -> dict[str, inspect.Type]:
    types: dict[str, inspect.Type] = {}
    for model, prefix in ((Config, ""), (Limits, "limits.")):
        described = inspect.type_info(model)
        assert isinstance(described, inspect.StructType)
        types |= {f"{prefix}{part.name}": part.type for part in described.fields}
    del types["limits"]
    return types


_TYPES = _types()


def _from_file(file: Path) -> Iterator[_Setting]:
    try:
        with file.open("rb") as opened:
            table = tomllib.load(opened)
    except OSError as error:
        raise LastSpikeError(
            "{place}: can't be read: {reason}", place=file, reason=error.strerror or str(error)
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LastSpikeError("{place}: not TOML: {reason}", place=file, reason=error) from None
    limits = table.pop("limits", {})
    if not isinstance(limits, dict):
        raise LastSpikeError("{place}: expected a table of limits", place=f"{file}: limits")
    keys = {**table, **{f"limits.{key}": value for key, value in limits.items()}}
    for key, value in keys.items():
        yield _Setting(_known(key, key, _TYPES, str(file)), value, f"{file}: {key}")


def _from_environment(environment: Mapping[str, str]) -> Iterator[_Setting]:
    names = {PREFIX + key.upper().replace(".", "_"): key for key in _TYPES}
    for name, text in environment.items():
        if name.startswith(PREFIX) and name not in _NO_SETTINGS:
            _known(name, name, names, "")
            yield _Setting(names[name], text, name, loose=True)


def _from_command_line(given: Mapping[str, Any]) -> Iterator[_Setting]:
    for key, value in given.items():
        if value is not None:
            yield _Setting(key, value, f"--{key.replace('_', '-')}")


def _known(key: str, shown: str, known: Iterable[str], place: str) -> str:
    """The key, if it is one. A setting that is ignored might be the one that locks the door."""
    known = list(known)
    if key in known:
        return key
    where = f"{place}: {shown}" if place else shown
    nearest = difflib.get_close_matches(key, known, 1)
    if nearest:
        raise LastSpikeError(
            "{place}: there is no such setting; did you mean {nearest}?",
            place=where,
            nearest=nearest[0],
        )
    raise LastSpikeError("{place}: there is no such setting", place=where)


def _checked(setting: _Setting) -> Any:
    value = _converted(setting, _TYPES[setting.key])
    check = _CHECKS.get(setting.key)
    return value if check is None or value is None else check(setting, value)


def _converted(setting: _Setting, kind: inspect.Type) -> Any:
    """The value as its type wants it; what is text in the environment may be any of them."""
    if isinstance(kind, inspect.UnionType):  # of a type and None, where empty text is none
        if setting.loose and setting.value == "":
            return None
        (kind,) = (one for one in kind.types if not isinstance(one, inspect.NoneType))
    match kind:
        case inspect.BoolType():
            return _boolean(setting)
        case inspect.IntType(ge=least, le=most):
            return _number(setting, least, most)
        case inspect.LiteralType(values=choices):
            return _choice(setting, choices)
        case inspect.VarTupleType():
            return _listed(setting)
        case _:
            return _text(setting)


def _boolean(setting: _Setting) -> bool:
    if isinstance(setting.value, bool):
        return setting.value
    if setting.loose:
        match setting.value.lower():
            case "true" | "yes" | "on" | "1":
                return True
            case "false" | "no" | "off" | "0":
                return False
    raise LastSpikeError("{place}: expected true or false, found {found}", **_facts(setting))


def _number(setting: _Setting, least: int | None, most: int | None) -> int:
    value = setting.value
    if setting.loose and value.isascii() and value.isdigit():
        value = int(value[:20])
    if (
        not isinstance(value, int)
        or isinstance(value, bool)
        or (least is not None and value < least)
        or (most is not None and value > most)
    ):
        raise LastSpikeError(
            "{place}: expected a whole number from {least} to {most}, found {found}",
            least=least,
            most=most,
            **_facts(setting),
        )
    return value


def _choice(setting: _Setting, choices: Iterable[object]) -> Any:
    if setting.value not in choices:
        raise LastSpikeError(
            "{place}: expected one of {choices}, found {found}",
            choices=", ".join(map(str, choices)),
            **_facts(setting),
        )
    return setting.value


def _listed(setting: _Setting) -> tuple[str, ...]:
    value = setting.value
    if setting.loose:
        value = [part.strip() for part in value.split(",") if part.strip()]
    if not isinstance(value, list | tuple) or not all(isinstance(part, str) for part in value):
        raise LastSpikeError("{place}: expected a list of texts, found {found}", **_facts(setting))
    return tuple(value)


def _text(setting: _Setting) -> str:
    if not isinstance(setting.value, str) or not setting.value.strip():
        raise LastSpikeError("{place}: expected a text, found {found}", **_facts(setting))
    return setting.value.strip()


def _facts(setting: _Setting) -> dict[str, object]:
    """What an error tells about a setting: never the value of one that holds a secret."""
    found = "***" if setting.key in _SECRET else repr(setting.value)
    return {"place": setting.place, "found": found[:80]}


# ---- what a type can't say ------------------------------------------------------------------


def _database(setting: _Setting, url: str) -> str:
    if "://" not in url:
        return sqlite_url(Path(url).expanduser().absolute())
    scheme, _, rest = url.partition("://")
    if scheme not in _DRIVERS:
        raise LastSpikeError(
            "{place}: expected sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME, "
            "found {scheme}://",
            place=setting.place,
            scheme=scheme[:40],
        )
    driver = _DRIVERS[scheme]
    if driver.startswith("sqlite") and not re.match(r"/(?!:memory:)[^?]", rest):
        raise LastSpikeError(
            "{place}: a file of SQLite is named after three slashes: sqlite:///spike.db",
            place=setting.place,
        )
    return f"{driver}://{rest}"


def _base_url(setting: _Setting, text: str) -> str:
    parts = _BASE_URL.fullmatch(text)
    if parts is None or not _is_origin(parts[1].lower()):
        raise LastSpikeError(
            "{place}: expected an address such as https://games.example.org/spike, found {found}",
            **_facts(setting),
        )
    return parts[1].lower() + parts[2]


def _origins(setting: _Setting, origins: tuple[str, ...]) -> tuple[str, ...]:
    for origin in origins:
        if not _is_origin(origin):
            raise LastSpikeError(
                "{place}: expected origins such as https://example.org, found {found}",
                place=setting.place,
                found=repr(origin)[:80],
            )
    return origins


def _is_origin(text: str) -> bool:
    """Whether a browser could send just this as `Origin`."""
    try:
        url = urlsplit(text)
        return url.scheme in ("http", "https") and bool(url.hostname) and origin_of(url) == text
    except ValueError:
        return False


def _create_token(setting: _Setting, token: str) -> str:
    if len(token) < SHORTEST_TOKEN:
        raise LastSpikeError(
            "{place}: too short to be safe; expected at least {count} characters",
            place=setting.place,
            count=SHORTEST_TOKEN,
        )
    return token


def _proxies(setting: _Setting, proxies: tuple[str, ...]) -> tuple[str, ...]:
    for proxy in proxies:
        try:
            if proxy != "*":
                ipaddress.ip_network(proxy)
        except ValueError:
            raise LastSpikeError(
                "{place}: expected IP addresses or networks, or *, found {found}",
                place=setting.place,
                found=repr(proxy)[:80],
            ) from None
    return proxies


_CHECKS: dict[str, Callable[[_Setting, Any], Any]] = {
    "database": _database,
    "base_url": _base_url,
    "origins": _origins,
    "create_token": _create_token,
    "trusted_proxies": _proxies,
}
