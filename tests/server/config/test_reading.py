"""The settings of a server: where they come from, what is refused, and what is never shown."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from lastspike.rules.errors import LastSpikeError
from lastspike.server.config.reading import read_config
from lastspike.server.config.settings import Config, Limits, cores, without_password

TOKEN = "a-token-nobody-guesses"


def read(
    file: Path | None = None, given: Mapping[str, Any] | None = None, /, **environment: str
) -> Config:
    return read_config(file, environment, given or {})


def refused(
    file: Path | None = None, given: Mapping[str, Any] | None = None, /, **environment: str
) -> str:
    with pytest.raises(LastSpikeError) as caught:
        read(file, given, **environment)
    told = str(caught.value)
    assert "\n" not in told
    return told


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "lastspike.toml"
    file.write_text(text, "utf-8")
    return file


def test_without_settings_it_serves_this_machine_from_the_data_folder(tmp_path: Path) -> None:
    with mock.patch.dict(os.environ, {"LASTSPIKE_HOME": str(tmp_path)}):
        config = read()
    assert config.database_file == tmp_path / "last-spike.db"
    assert config.database == f"sqlite+aiosqlite:///{tmp_path}/last-spike.db"
    assert (config.host, config.port, config.workers) == ("127.0.0.1", 8869, 1)
    assert config.retention_days == 0
    assert config.create_token is None
    assert (config.origin, config.sub_path, config.secure) == (None, "", False)
    assert config.limits == Limits()
    assert 1 <= config.player_processes <= min(4, max(1, cores() - 1))


def test_the_command_line_wins_over_the_environment_over_the_file(tmp_path: Path) -> None:
    file = written(
        tmp_path, "port = 1\nworkers = 1\nhost = 'file'\n[limits]\nreview_playouts = 2048\n"
    )
    config = read(file, {"port": 3, "host": None}, LASTSPIKE_PORT="2", LASTSPIKE_HOST="environment")
    assert config.port == 3
    assert config.host == "environment"
    assert config.limits == Limits(review_playouts=2048)
    assert read(file).host == "file"


def test_the_environment_can_name_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, "port = 17")
    assert read(LASTSPIKE_CONFIG=str(file)).port == 17


def test_every_type_can_come_from_the_environment() -> None:
    config = read(
        LASTSPIKE_PUBLIC_LIST="yes",
        LASTSPIKE_ALLOW_PRIVATE_WEBHOOKS="0",
        LASTSPIKE_RETENTION_DAYS="30",
        LASTSPIKE_TRUSTED_PROXIES="10.0.0.0/8, ::1",
        LASTSPIKE_LOG_FORMAT="json",
        LASTSPIKE_LIMITS_SOCKETS_PER_ADDRESS="7",
        LASTSPIKE_CREATE_TOKEN="",
        LASTSPIKE_BASE_URL="https://Games.Example.org/spike/",
        LASTSPIKE_ORIGINS="https://example.org,http://localhost:3000",
        PATH="/bin",
    )
    assert config.public_list
    assert not config.allow_private_webhooks
    assert config.retention_days == 30
    assert config.trusted_proxies == ("10.0.0.0/8", "::1")
    assert config.log_format == "json"
    assert config.limits.sockets_per_address == 7
    assert config.create_token is None
    assert config.base_url == "https://games.example.org/spike"
    assert config.origin == "https://games.example.org"
    assert config.sub_path == "/spike"
    assert config.secure
    assert config.origins == ("https://example.org", "http://localhost:3000")


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("sqlite:////var/lib/spike.db", "sqlite+aiosqlite:////var/lib/spike.db"),
        ("/var/lib/spike.db", "sqlite+aiosqlite:////var/lib/spike.db"),
        ("postgres://u:p@db/games", "postgresql+asyncpg://u:p@db/games"),
        ("postgresql://db/games?ssl=true", "postgresql+asyncpg://db/games?ssl=true"),
    ],
)
def test_a_database_is_named_in_the_usual_ways(given: str, stored: str) -> None:
    config = read(LASTSPIKE_DATABASE=given)
    assert config.database == stored
    assert read(LASTSPIKE_DATABASE=stored) == config


def test_the_file_of_a_database() -> None:
    assert read(LASTSPIKE_DATABASE="sqlite:////a/b.db").database_file == Path("/a/b.db")
    assert read(LASTSPIKE_DATABASE="sqlite:///b.db?mode=rw").database_file == Path("b.db")
    assert read(LASTSPIKE_DATABASE="b.db").database_file == Path("b.db").absolute()
    assert read(LASTSPIKE_DATABASE="postgresql://db/games").database_file is None


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({"PORT": "70000"}, "LASTSPIKE_PORT: expected a whole number from 0 to 65535"),
        ({"PORT": "http"}, "LASTSPIKE_PORT: expected a whole number from 0 to 65535"),
        ({"PORT": "9" * 5000}, "LASTSPIKE_PORT: expected a whole number from 0 to 65535"),
        ({"WORKERS": "0"}, "LASTSPIKE_WORKERS: expected a whole number from 1 to 256, found '0'"),
        ({"WORKERS": "2"}, "LASTSPIKE_WORKERS: more than one worker needs PostgreSQL"),
        ({"DAILY_FOLLOW": "https://x.org"}, "LASTSPIKE_DAILY_FOLLOW: also needs daily_key"),
        ({"DAILY_KEY": "short"}, "LASTSPIKE_DAILY_KEY: too short to be safe"),
        ({"DAILY_FOLLOW": "x.org", "DAILY_KEY": TOKEN}, "LASTSPIKE_DAILY_FOLLOW: expected an"),
        ({"PUBLIC_LIST": "maybe"}, "LASTSPIKE_PUBLIC_LIST: expected true or false, found 'maybe'"),
        ({"LOG_LEVEL": "loud"}, "LASTSPIKE_LOG_LEVEL: expected one of debug, "),
        ({"HOST": " "}, "LASTSPIKE_HOST: expected a string"),
        ({"CREATE_TOKN": TOKEN}, "LASTSPIKE_CREATE_TOKN: there is no such setting; did you mean"),
        ({"ZZZ": "1"}, "LASTSPIKE_ZZZ: there is no such setting"),
        ({"CREATE_TOKEN": "hunter2"}, "LASTSPIKE_CREATE_TOKEN: too short to be safe"),
        ({"BASE_URL": "games.example.org"}, "LASTSPIKE_BASE_URL: expected an address such as "),
        ({"BASE_URL": "ftp://example.org"}, "LASTSPIKE_BASE_URL: expected an address such as "),
        ({"BASE_URL": "https://a:b@example.org"}, "LASTSPIKE_BASE_URL: expected an address"),
        ({"BASE_URL": "https://example.org/?a"}, "LASTSPIKE_BASE_URL: expected an address"),
        ({"BASE_URL": "https://example.org:99999"}, "LASTSPIKE_BASE_URL: expected an address"),
        ({"BASE_URL": "https://[::1"}, "LASTSPIKE_BASE_URL: expected an address"),
        ({"ORIGINS": "https://a.org/x"}, "LASTSPIKE_ORIGINS: expected origins such as "),
        ({"ORIGINS": "null"}, "LASTSPIKE_ORIGINS: expected origins such as "),
        ({"TRUSTED_PROXIES": "proxy"}, "LASTSPIKE_TRUSTED_PROXIES: expected IP addresses"),
        ({"DATABASE": "mysql://u:p@db/x"}, "found mysql://"),
        ({"DATABASE": "sqlite://spike.db"}, "three slashes: sqlite:///spike.db"),
        ({"DATABASE": "sqlite://"}, "three slashes: sqlite:///spike.db"),
        ({"DATABASE": "sqlite:///:memory:"}, "three slashes: sqlite:///spike.db"),
        (
            {"LIMITS_REVIEW_PLAYOUTS": "5"},
            "LASTSPIKE_LIMITS_REVIEW_PLAYOUTS: expected a whole number from 200 to 10000000",
        ),
        ({"THINKERS": "0"}, "LASTSPIKE_THINKERS: expected a whole number from 1 to 256, found '0'"),
        ({"TINKERS": "1"}, "LASTSPIKE_TINKERS: there is no such setting"),
    ],
)
def test_a_bad_setting_is_one_clear_line(environment: Mapping[str, str], told: str) -> None:
    found = refused(**{f"LASTSPIKE_{name}": text for name, text in environment.items()})
    assert told in found
    assert "hunter2" not in found
    assert "u:p@" not in found
    assert len(found) < 250


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("prot = 1", "prot: there is no such setting; did you mean port?"),
        ("[limits]\nsockets = 1", "limits.sockets: there is no such setting; did you mean limits."),
        ("limits = 3", "limits: expected a table of limits"),
        ("port = true", "port: expected a whole number from 0 to 65535, found True"),
        ("port = '80'", "port: expected a whole number from 0 to 65535, found '80'"),
        ("public_list = 1", "public_list: expected true or false, found 1"),
        ("origins = 'x'", "origins: expected a list of strings, found 'x'"),
        ("origins = [1]", "origins: expected a list of strings, found [1]"),
        ("create_token = 12345678901234567890", "create_token: expected a string, found ***"),
        ("port = ", "not TOML: "),
        ("workers = 3", "workers: more than one worker needs PostgreSQL"),
    ],
)
def test_a_bad_file_names_the_file_and_the_place(tmp_path: Path, text: str, told: str) -> None:
    file = written(tmp_path, text)
    found = refused(file)
    assert found.startswith(f"{file}: ")
    assert told in found


def test_a_file_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"
    assert refused(missing) == f"{missing}: can’t be read: No such file or directory"
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b"host = '\xe9'")
    assert "not TOML" in refused(latin)


def test_the_command_line_is_named_as_it_is_typed() -> None:
    assert refused(None, {"create_token": "short"}).startswith("--create-token: too short")


REMOVED = (
    "sockets_total",
    "messages_per_10s",
    "chats_per_minute",
    "message_bytes",
    "body_bytes",
    "webhooks_per_person",
)


def test_a_limit_that_is_fixed_now_is_ignored_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """For one version, so that an upgrade does not end with a server that is down."""
    file = written(tmp_path, "[limits]\n" + "".join(f"{name} = 1\n" for name in REMOVED))
    assert read(file).limits == Limits()
    assert caplog.messages == [
        f"{file}: limits.{name}: ignored, this limit can no longer be changed" for name in REMOVED
    ]
    caplog.clear()
    assert read(LASTSPIKE_LIMITS_BODY_BYTES="5", LASTSPIKE_PORT="1").port == 1
    (told,) = caplog.messages
    assert told == "LASTSPIKE_LIMITS_BODY_BYTES: ignored, this limit can no longer be changed"


def test_the_old_name_of_a_setting_is_taken_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = written(tmp_path, "thinkers = 3")
    assert read(file).player_processes == 3
    assert caplog.messages == [f"{file}: thinkers: this setting is now called player_processes"]
    caplog.clear()
    assert read(file, LASTSPIKE_THINKERS="2").player_processes == 2
    assert caplog.messages[1] == (
        "LASTSPIKE_THINKERS: this setting is now called LASTSPIKE_PLAYER_PROCESSES"
    )
    for text in ("thinkers = 3\nplayer_processes = 5", "player_processes = 5\nthinkers = 3"):
        assert read(written(tmp_path, text)).player_processes == 5


def test_settings_of_today_give_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    read(LASTSPIKE_PLAYER_PROCESSES="2", LASTSPIKE_LIMITS_SOCKETS_PER_ADDRESS="7")
    assert not caplog.messages


def test_several_workers_share_postgresql() -> None:
    assert read(LASTSPIKE_WORKERS="4", LASTSPIKE_DATABASE="postgresql://db/games").workers == 4


def test_settings_reach_worker_processes_whole() -> None:
    config = read(
        LASTSPIKE_CREATE_TOKEN=TOKEN,
        LASTSPIKE_LIMITS_SOCKETS_PER_ADDRESS="5",
        LASTSPIKE_ORIGINS="https://example.org",
    )
    assert Config.from_env_json(config.to_env_json()) == config


def test_no_secret_is_ever_shown() -> None:
    config = read(
        LASTSPIKE_CREATE_TOKEN=TOKEN,
        LASTSPIKE_DAILY_KEY=TOKEN,
        LASTSPIKE_DATABASE="postgresql://ada:p@ss:word@db/games",
    )
    for shown in (repr(config), str(config), f"{config}", repr(config.__rich_repr__())):
        assert TOKEN not in shown
        assert "ss:word" not in shown
        assert "postgresql://ada:***@db/games" in shown
    assert "create_token=None" in repr(read())
    assert without_password("sqlite+aiosqlite:////a.db") == "sqlite:////a.db"
