"""Editions of one's own: checked as on the command line, and told where and in which words."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from lastspike import protocol as p
from lastspike.rules.editions import figures
from lastspike.rules.editions.shipped import from_toml, shipped, shipped_ids
from lastspike.rules.errors import EditionError
from lastspike.server.config.settings import Config
from lastspike.server.http.app import make_app
from lastspike.server.jobs.reading import MOST_TOML
from lastspike.server.table.limits import MOST_FIGURES_BYTES
from tests.rules.test_figures import BAD, changed
from tests.server.siege import sqlite_in

Client = TestClient[Litestar]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder: Path = tmp_path_factory.mktemp("editions")
    with TestClient(make_app(Config(sqlite_in(folder), player_processes=1))) as client:
        yield client


def check(client: Client, language: str = "en", **asked: Any) -> dict[str, Any]:
    answer = client.post("/api/editions/check", json=asked, headers={"accept-language": language})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_the_editions_that_come_with_the_game_are_listed(client: Client) -> None:
    listed = client.get("/api/editions").json()["editions"]
    assert [each["id"] for each in listed] == list(shipped_ids())
    assert listed[0]["players"] == [2, 3, 4, 5, 6]
    # The messages know nothing of the rules, so they name the usual edition themselves.
    assert p.Settings().edition == p.StudyEdition(2).edition == shipped().id


def test_good_figures_come_back_with_their_file(client: Client) -> None:
    edition = shipped()
    told = check(client, figures=edition.to_figures())
    assert told["problem"] is None
    assert told["figures"] == edition.to_figures()
    assert from_toml(told["toml"]) == edition
    assert check(client, toml=told["toml"]) == told
    assert check(client, toml="\ufeff# mine\r\n" + told["toml"].replace("\n", "\r\n")) == told


def as_json(raw: dict[str, Any]) -> dict[str, Any] | None:
    """None where JSON can't say it: a number of thousands of digits, a key that is no text."""
    try:
        same: bool = json.loads(json.dumps(raw)) == raw
    except ValueError:
        return None
    return raw if same else None


@pytest.mark.parametrize("number", range(0, len(BAD), 3))
def test_a_bad_figure_is_told_by_its_path(client: Client, number: int) -> None:
    where, value, path, expected = BAD[number]
    raw = as_json(changed(where, value))
    if raw is None:
        return
    told = check(client, figures=raw)
    assert (told["figures"], told["toml"]) == (None, None)
    assert told["problem"]["path"] == path
    with pytest.raises(EditionError) as refused:
        figures.read(raw)
    said = str(refused.value)
    assert expected in said
    assert f"{path}: {told['problem']['message']}".lower() == said.lower()


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "Expected a multiple of 1000, found 1500"),
        ("fr", "Il faut un multiple de 1000, et non 1500"),
        ("pt", "Esperava-se um múltiplo de 1000, e não 1500"),
        ("ja", "1000の倍数が必要ですが、1500となっています"),
    ],
)
def test_it_is_told_in_ones_own_language(client: Client, language: str, message: str) -> None:
    raw = copy.deepcopy(shipped().to_figures())
    raw["routes"][0]["costs"][2] = 1500
    problem = check(client, language, figures=raw)["problem"]
    assert problem["path"] == "routes.A.costs.3"
    assert problem["message"] == message
    assert problem["facts"] == {"found": "1500"}


def test_what_is_no_toml(client: Client) -> None:
    problem = check(client, toml="id = ")["problem"]
    assert problem["path"] == ""
    assert problem["message"].startswith("Not a TOML file: ")


@pytest.mark.parametrize(
    "text",
    ["a" + ".a" * (MOST_TOML // 2 - 5) + "=1", "x=" + "[" * (MOST_TOML - 2), '"\u2028".a' * 9000],
)
def test_a_file_that_would_keep_the_server_busy(client: Client, text: str) -> None:
    began = time.monotonic()
    assert check(client, toml=text)["problem"]["path"] == ""
    assert time.monotonic() - began < 5


def test_limits(client: Client) -> None:
    large = copy.deepcopy(shipped().to_figures())
    large["printed"] = ["x" * 200] * (MOST_FIGURES_BYTES // 200)
    for body, status in (
        ({}, 400),
        ({"figures": {}, "toml": ""}, 400),
        ({"figures": []}, 400),
        ({"figure": {}}, 400),
        ({"toml": "#" * (MOST_TOML + 1)}, 413),
        ({"figures": large}, 413),
        ({"toml": "#" * 300_000}, 413),
    ):
        answer = client.post("/api/editions/check", json=body)
        assert answer.status_code == status, body
        assert answer.json()["message"]


def test_what_is_good_here_can_be_played_with(client: Client) -> None:
    raw = copy.deepcopy(shipped().to_figures())
    raw.update(id="mine-1", name="Mine")
    raw["routes"][0]["costs"][0] = 4000
    told = check(client, figures=raw)
    wanted = {"name": "Ada", "seats": ["me", "clerk"], "settings": {"figures": told["figures"]}}
    made = client.post("/api/tables", json=wanted)
    assert made.status_code == 201, made.text
    table = client.get(f"/api/tables/{made.json()['table']}").json()
    assert table["settings"]["figures"] == told["figures"]
