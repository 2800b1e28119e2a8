"""Reads the settings from the command line, the environment, the file and the defaults, in this
order. An error is one line: the place of the setting, what was expected, and what was found."""

from __future__ import annotations

import difflib
import ipaddress
import logging
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple, get_args, get_type_hints
from urllib.parse import urlsplit

import msgspec
from msgspec import inspect

from lastspike.rules.errors import LastSpikeError

from .settings import CONFIG_JSON, SHORTEST_TOKEN, Config, Limits, origin_of, sqlite_url

PREFIX = "LASTSPIKE_"
CONFIG_FILE = "LASTSPIKE_CONFIG"
"""The environment variable that names the file, unless the command line does."""

ADMIN_KEY = "LASTSPIKE_ADMIN_KEY"
"""The environment variable from which `lastspike admin` takes the operator's key."""

_log = logging.getLogger(__name__)

_NO_SETTINGS = frozenset({CONFIG_FILE, CONFIG_JSON, "LASTSPIKE_HOME", "LASTSPIKE_SOAK", ADMIN_KEY})
_SECRET = frozenset({"admin_key_hash", "create_token", "daily_key", "database", "smtp_password"})
_OLD_NAMES = {
    "thinkers": "player_processes",
    "limits.sockets_total": None,
    "limits.messages_per_10s": None,
    "limits.chats_per_minute": None,
    "limits.message_bytes": None,
    "limits.body_bytes": None,
    "limits.webhooks_per_person": None,
}
"""Settings of 0.1 with their new names, or None if they can no longer be set. This version warns
about them; the next one will not know them."""
_SWITCHES = {"yes": "true", "on": "true", "no": "false", "off": "false"}
_BASE_URL = re.compile(r"(https?://[^/?#@\s]+)((?:/[A-Za-z0-9._~-]+)*)/?", re.IGNORECASE)
_CONTACT = re.compile(r"https://[^\s<>\"]+|[^\s@<>\"/:?&]+@[^\s@<>\"/:?&]+\.[a-zA-Z0-9-]+")
_MAIL = re.compile(r"[^\s@<>\"/:?&]+@[^\s@<>\"/:?&]+")
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
    """All settings, checked. `LastSpikeError` names the first invalid one.

    `given` maps fields of `Config` to options of the command line, None if not given.
    `environment` holds `LASTSPIKE_PORT`, `LASTSPIKE_LIMITS_REVIEW_PLAYOUTS` and so on.
    """
    if file is None and environment.get(CONFIG_FILE):
        file = Path(environment[CONFIG_FILE])
    found: dict[str, _Setting] = {}
    from_file = _from_file(file) if file else ()
    for setting in (*from_file, *_from_environment(environment), *_from_command_line(given)):
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
    if config.daily_follow is not None and config.daily_key is None:
        raise LastSpikeError(
            "{place}: also needs daily_key, which that server’s operator gives you",
            place=found["daily_follow"].place,
        )
    return config


class _Setting(NamedTuple):
    """A value and its place, for error messages. `key` is dotted: `limits.review_playouts`.

    `loose` marks a value that is text whatever its type.
    """

    key: str
    value: Any
    place: str
    loose: bool = False


_TYPES = get_type_hints(Config, include_extras=True) | {
    f"limits.{name}": hint for name, hint in get_type_hints(Limits, include_extras=True).items()
}
del _TYPES["limits"]


def _from_file(file: Path) -> Iterator[_Setting]:
    try:
        with file.open("rb") as opened:
            table = tomllib.load(opened)
    except OSError as error:
        raise LastSpikeError(
            "{place}: can’t be read: {reason}", place=file, reason=error.strerror or str(error)
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LastSpikeError("{place}: not TOML: {reason}", place=file, reason=error) from None
    limits = table.pop("limits", {})
    if not isinstance(limits, dict):
        raise LastSpikeError("{place}: expected a table of limits", place=f"{file}: limits")
    named = {**table, **{f"limits.{key}": value for key, value in limits.items()}}
    return _known(named, str, f"{file}: ", loose=False)


def _from_environment(environment: Mapping[str, str]) -> Iterator[_Setting]:
    named = {
        name: text
        for name, text in environment.items()
        if name.startswith(PREFIX) and name not in _NO_SETTINGS
    }
    return _known(named, _variable, "", loose=True)


def _variable(key: str) -> str:
    return PREFIX + key.upper().replace(".", "_")


def _from_command_line(given: Mapping[str, Any]) -> Iterator[_Setting]:
    for key, value in given.items():
        if value is not None:
            yield _Setting(key, value, f"--{key.replace('_', '-')}")


def _known(
    named: Mapping[str, Any], spelled: Callable[[str], str], place: str, *, loose: bool
) -> Iterator[_Setting]:
    """The settings with these names; `spelled` makes a name from a key.

    An unknown name is an error: it might be a misspelled setting that protects the server.
    """
    keys = {spelled(key): key for key in _TYPES}
    old = {spelled(key): new for key, new in _OLD_NAMES.items()}
    for name in sorted(named, key=lambda name: name not in old):  # so that the new name wins
        if name in keys:
            yield _Setting(keys[name], named[name], place + name, loose)
        elif name not in old:
            raise _no_such_setting(place + name, difflib.get_close_matches(name, keys, 1))
        elif new := old[name]:
            _log.warning("%s%s: this setting is now called %s", place, name, spelled(new))
            yield _Setting(new, named[name], place + name, loose)
        else:
            _log.warning("%s%s: ignored, this limit can no longer be changed", place, name)


def _no_such_setting(place: str, nearest: list[str]) -> LastSpikeError:
    if not nearest:
        return LastSpikeError("{place}: there is no such setting", place=place)
    return LastSpikeError(
        "{place}: there is no such setting; did you mean {nearest}?",
        place=place,
        nearest=nearest[0],
    )


def _checked(setting: _Setting) -> Any:
    value = _converted(setting)
    check = _CHECKS.get(setting.key)
    return value if check is None or value is None else check(setting, value)


def _converted(setting: _Setting) -> Any:
    """The value, converted to the type of the setting."""
    kind, value = _TYPES[setting.key], setting.value
    if isinstance(value, str):
        value = value.strip()
    if setting.loose and value == "" and NoneType in get_args(kind):
        return None
    if setting.loose and kind is bool:
        value = _SWITCHES.get(value.lower(), value)
    elif setting.loose and kind == tuple[str, ...]:
        value = [part.strip() for part in value.split(",") if part.strip()]
    try:
        return msgspec.convert(value, kind, strict=not setting.loose)
    except msgspec.ValidationError:
        raise _expected(setting) from None


def _expected(setting: _Setting) -> LastSpikeError:
    facts = _facts(setting)
    match inspect.type_info(_TYPES[setting.key]):
        case inspect.BoolType():
            return LastSpikeError("{place}: expected true or false, found {found}", **facts)
        case inspect.IntType(ge=least, le=most):
            return LastSpikeError(
                "{place}: expected a whole number from {least} to {most}, found {found}",
                least=least,
                most=most,
                **facts,
            )
        case inspect.LiteralType(values=choices):
            return LastSpikeError(
                "{place}: expected one of {choices}, found {found}",
                choices=tuple(map(str, choices)),
                **facts,
            )
        case inspect.VarTupleType():
            return LastSpikeError("{place}: expected a list of strings, found {found}", **facts)
        case _:
            return LastSpikeError("{place}: expected a string, found {found}", **facts)


def _facts(setting: _Setting, part: object = None) -> dict[str, object]:
    """The place and the value, or a part of it, for an error; never the value of a secret."""
    found = "***" if setting.key in _SECRET else repr(setting.value if part is None else part)
    return {"place": setting.place, "found": found[:80]}


# ---- checks beyond the type -----------------------------------------------------------------


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
            "{place}: a SQLite file needs three slashes: sqlite:///spike.db",
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
                **_facts(setting, origin),
            )
    return origins


def _is_origin(text: str) -> bool:
    """Whether a browser could send exactly this as `Origin`."""
    try:
        url = urlsplit(text)
        return url.scheme in ("http", "https") and bool(url.hostname) and origin_of(url) == text
    except ValueError:
        return False


def _secret(setting: _Setting, token: str) -> str:
    if len(token) < SHORTEST_TOKEN:
        raise LastSpikeError(
            "{place}: too short to be safe; expected at least {count} characters",
            place=setting.place,
            count=SHORTEST_TOKEN,
        )
    return token


def _admin_key_hash(setting: _Setting, key_hash: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{64}", key_hash):
        raise LastSpikeError(
            "{place}: expected a hash; run: lastspike admin key", place=setting.place
        )
    return key_hash


def _contact(setting: _Setting, contact: str) -> str:
    if not _CONTACT.fullmatch(contact):
        raise LastSpikeError(
            "{place}: expected an e-mail address or an https:// address, found {found}",
            **_facts(setting),
        )
    return contact


def _mail_from(setting: _Setting, address: str) -> str:
    if not _MAIL.fullmatch(address):
        raise LastSpikeError(
            "{place}: expected an e-mail address such as spike@example.org, found {found}",
            **_facts(setting),
        )
    return address


def _networks(setting: _Setting, networks: tuple[str, ...]) -> tuple[str, ...]:
    for network in networks:
        try:
            ipaddress.ip_network(network)
        except ValueError:
            raise LastSpikeError(
                "{place}: expected IP addresses or networks, found {found}",
                **_facts(setting, network),
            ) from None
    return networks


def _proxies(setting: _Setting, proxies: tuple[str, ...]) -> tuple[str, ...]:
    for proxy in proxies:
        try:
            if proxy != "*":
                ipaddress.ip_network(proxy)
        except ValueError:
            raise LastSpikeError(
                "{place}: expected IP addresses or networks, or *, found {found}",
                **_facts(setting, proxy),
            ) from None
    return proxies


_CHECKS: dict[str, Callable[[_Setting, Any], Any]] = {
    "database": _database,
    "base_url": _base_url,
    "origins": _origins,
    "create_token": _secret,
    "daily_follow": _base_url,
    "daily_key": _secret,
    "admin_key_hash": _admin_key_hash,
    "contact": _contact,
    "mail_from": _mail_from,
    "trusted_proxies": _proxies,
    "venues": _networks,
}
