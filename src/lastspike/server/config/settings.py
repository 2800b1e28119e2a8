"""The settings of a server: names, types, bounds, defaults and derived values."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import SplitResult, urlsplit

import msgspec
from msgspec import Meta, Struct, field

from .paths import data_folder

CONFIG_JSON = "LASTSPIKE_CONFIG_JSON"
"""The environment variable that passes the settings to worker processes."""

USUAL_PORT = 8869
SHORTEST_TOKEN = 16
HIDDEN = "***"

_Text = Annotated[str, Meta(min_length=1)]
_Whom = Literal["everyone", "known", "off"]
_Count = Annotated[int, Meta(ge=1, le=10_000_000)]


def cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _player_processes() -> int:
    return min(4, max(1, cores() - 1))


def _database() -> str:
    return sqlite_url(data_folder() / "last-spike.db")


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits that a host can change; others are constants beside the code they limit.

    Limits per address count a /64 of IPv6 as one address. Each worker counts separately."""

    requests_per_minute: _Count = 600
    """HTTP requests from one address, bursts included."""
    sockets_per_address: _Count = 100
    spectators_per_table: Annotated[int, Meta(ge=0, le=100_000)] = 100
    tables_per_person_per_hour: _Count = 30
    persons_per_address_per_hour: _Count = 60
    job_seconds_per_address_per_hour: _Count = 900
    """CPU seconds of reviews and studies for one address; all of them may come at once."""
    review_playouts: Annotated[int, Meta(ge=200, le=10_000_000)] = 40_000
    """Playouts for the review of one game; the default takes under a minute."""


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """Every setting of a server. `reading.read_config` returns one whose values are checked."""

    database: _Text = field(default_factory=_database)
    """A URL for SQLAlchemy: `sqlite+aiosqlite:///…` or `postgresql+asyncpg://…`."""
    host: Annotated[str, Meta(min_length=1, max_length=255)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535)] = USUAL_PORT
    """0 takes any free port."""
    base_url: _Text | None = None
    """The public URL of a server behind a proxy: scheme, host and optional sub-path."""
    workers: Annotated[int, Meta(ge=1, le=256)] = 1
    retention_days: Annotated[int, Meta(ge=0, le=36_500)] = 0
    """Days after its last change until a table is deleted; 0 keeps tables forever."""
    audit_days: Annotated[int, Meta(ge=1, le=36_500)] = 365
    """Days until an event in the audit log is deleted."""
    admin_key_hash: _Text | None = None
    """The SHA-256 of the operator's key, from `lastspike admin key`; None lets nobody in."""
    name: Annotated[str, Meta(min_length=1, max_length=60)] | None = None
    """What this server is called, at the foot of the page."""
    privacy: _Text | None = None
    imprint: _Text | None = None
    """Texts for the page about this server, or addresses where they are."""
    contact: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    """How to reach the operator: an e-mail address or a URL."""
    create_token: _Text | None = None
    """The secret needed to create a table; None allows everybody."""
    public_list: bool = False
    daily: Literal["own", "public", "off"] = "own"
    """The chain of the Daily Deal: this server's own, the public one that ships with the project,
    or none."""
    daily_follow: _Text | None = None
    """The URL of a server whose chain this one plays instead."""
    daily_key: _Text | None = None
    """Who sends this to our server may follow its chain; where we follow one, that server's."""
    reviews: _Whom = "everyone"
    studies: _Whom = "everyone"
    imports: _Whom = "everyone"
    """Who may have games reviewed, editions studied, and recorded games opened. *Known* are people
    with a table here; where a token is needed to create one, never everyone."""
    venues: tuple[str, ...] = ()
    """Addresses or networks of clubs and schools: their limits per address are higher."""
    allow_private_webhooks: bool = False
    smtp_host: _Text | None = None
    """The server that sends our e-mail; None turns e-mail off."""
    smtp_port: Annotated[int, Meta(ge=1, le=65_535)] = 587
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    smtp_user: _Text | None = None
    smtp_password: _Text | None = None
    mail_from: Annotated[str, Meta(min_length=3, max_length=254)] | None = None
    """The sender of our e-mail."""
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    """Addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are trusted."""
    player_processes: Annotated[int, Meta(ge=1, le=256)] = field(default_factory=_player_processes)
    """Processes for computer players, per worker."""
    limits: Limits = Limits()
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["text", "json"] = "text"
    origins: tuple[str, ...] = ()
    """Other origins whose pages may use this server, like `https://example.org`."""

    @property
    def is_sqlite(self) -> bool:
        return self.database.startswith("sqlite")

    @property
    def database_file(self) -> Path | None:
        """The file of an SQLite database; None for PostgreSQL."""
        if not self.is_sqlite:
            return None
        return Path(self.database.partition("///")[2].partition("?")[0])

    @property
    def sub_path(self) -> str:
        """The prefix of every path, like `/spike`; empty at the root of a host."""
        return urlsplit(self.base_url or "").path.rstrip("/")

    @property
    def origin(self) -> str | None:
        """The origin of our own pages; None if any host in a request is right."""
        return None if self.base_url is None else origin_of(urlsplit(self.base_url))

    @property
    def page_url(self) -> str:
        """Where the page is, for links in alerts."""
        return (self.base_url or f"http://{self.host}:{self.port}").rstrip("/")

    @property
    def push_contact(self) -> str:
        """Where push services reach the operator: a mailto: or https: URL."""
        if self.contact is not None and "@" in self.contact and "/" not in self.contact:
            return f"mailto:{self.contact}"
        if self.mail_from is not None:
            return f"mailto:{self.mail_from}"
        origin = self.origin or ""
        return origin if re.fullmatch(r"https://[\w.-]+", origin) else "mailto:operator@localhost"

    @property
    def secure(self) -> bool:
        """Whether the server is public by https only, so that cookies can be marked secure."""
        return (self.base_url or "").startswith("https:")

    @property
    def host_cookie(self) -> bool:
        """Whether the cookie can have the prefix `__Host-`: over https, for the whole host."""
        return self.secure and not self.sub_path

    def to_env_json(self) -> str:
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_env_json(cls, text: str) -> Config:
        return msgspec.json.decode(text, type=cls)

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={value!r}" for name, value in self.__rich_repr__())
        return f"Config({parts})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """Every field, with secrets hidden, for printing and logging."""
        shown = {name: getattr(self, name) for name in self.__struct_fields__}
        shown["database"] = without_password(self.database)
        for name in ("create_token", "admin_key_hash", "smtp_password", "daily_key"):
            if shown[name] is not None:
                shown[name] = HIDDEN
        return list(shown.items())


def sqlite_url(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


def without_password(url: str) -> str:
    """The database URL, safe to show, and without our driver, which is nobody's choice."""
    head, sign, rest = url.partition("://")
    head = head.partition("+")[0]
    user, at, place = rest.rpartition("@")
    if ":" in user:
        user = f"{user.partition(':')[0]}:{HIDDEN}"
    return f"{head}{sign}{user}{at}{place}"


def origin_of(url: SplitResult) -> str:
    """Scheme, host and port as a browser sends them in `Origin`, without the default port."""
    host = (url.hostname or "").lower()
    if ":" in host:
        host = f"[{host}]"
    usual = {"http": 80, "https": 443}.get(url.scheme)
    port = "" if url.port in (None, usual) else f":{url.port}"
    return f"{url.scheme}://{host}{port}"
