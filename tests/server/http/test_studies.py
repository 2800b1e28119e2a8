"""Studies: started by asking, followed to their end, and not started without limit."""

from __future__ import annotations

import copy
import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar import Litestar
from litestar.testing import TestClient

from lastspike.rules.editions.shipped import shipped
from lastspike.server.config.settings import Config, Limits
from lastspike.server.http.app import make_app
from lastspike.server.http.routes import editions
from tests.server.siege import sqlite_in

from .test_reviews import RECORD

Client = TestClient[Litestar]
PATIENCE_S = 120.0


def done(client: Client, asked: dict[str, Any]) -> dict[str, Any]:
    until = time.monotonic() + PATIENCE_S
    before = 0.0
    while time.monotonic() < until:
        answer = client.post("/api/studies", json=asked)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        assert before <= told["progress"] <= 1
        before = told["progress"]
        if told["found"] is not None:
            found: dict[str, Any] = told["found"]
            return found
        client.get(f"/api/jobs/{told['job']}/progress")  # answers when it is done, or after a while
    raise AssertionError("the study was not done in time")


def test_asked_again_until_it_is_done(tmp_path: Path) -> None:
    limits = Limits(job_seconds_per_address_per_hour=40)
    config = Config(sqlite_in(tmp_path), player_processes=1, limits=limits)
    with TestClient(make_app(config)) as client:
        for asked, said in (
            ({"players": 7}, "players"),
            ({}, "players"),
            ({"players": 2, "edition": "nowhere"}, "there is no edition called"),
            ({"players": 2, "figures": {}}, "cities"),
            ({"players": 2, "figures": only_for(3)}, "is for 3 players"),
        ):
            refused = client.post("/api/studies", json=asked)
            assert refused.status_code == 400
            assert said in refused.json()["message"].lower()
        found = done(client, {"players": 2})
        (of_two,) = found["findings"]
        assert (of_two["players"], of_two["games"]) == (2, editions.STUDY_GAMES)
        assert of_two["faults"] == 0
        assert of_two["length"]["mean"]["low"] < of_two["length"]["mean"]["mean"]
        # The same figures are the same study, whatever names them.
        again = client.post(
            "/api/studies", json={"players": 2, "figures": shipped().to_figures()}
        ).json()
        assert (again["progress"], again["found"]) == (1.0, found)
        # Reviews take as long as many studies, and are paid for from the same budget.
        review = {"record": json.loads(RECORD.read_text("utf-8"))}
        assert client.post("/api/records/review", json=review).status_code == 201
        other = {"record": review["record"] | {"players": [{"name": "Ada"}] * 4}}
        many = client.post("/api/records/review", json=other)
        assert many.status_code == 429
        assert int(many.headers["retry-after"]) > 0


def only_for(players: int) -> dict[str, Any]:
    raw = copy.deepcopy(shipped().to_figures())
    raw["starting_cash"] = {str(players): 50000}
    return raw


TOKEN = "let me create a table"
OFF = {
    "reviews": "eviews are off",
    "studies": "tudies are off",
    "imports": "games can’t be opened",
}


@pytest.mark.parametrize("feature", ["reviews", "studies", "imports"])
def test_the_host_may_switch_it_off_or_keep_it_for_known_people(
    tmp_path: Path, feature: str
) -> None:
    record = {"record": json.loads(RECORD.read_text("utf-8"))}
    path, body = {
        "reviews": ("/api/records/review", {"record": {}}),
        "studies": ("/api/studies", {"players": 2, "figures": {}}),
        "imports": ("/api/records", record),
    }[feature]
    asked: dict[str, Any] = {"name": "Ada", "seats": ["me", "clerk"]}
    database = sqlite_in(tmp_path)
    usual = Config(database, player_processes=1)
    for config, token in (
        (msgspec.structs.replace(usual, **{feature: "known"}), ""),
        (msgspec.structs.replace(usual, create_token=TOKEN), TOKEN),
    ):
        with TestClient(make_app(config)) as client:
            client.post("/api/me", json={"name": "Ada"})
            refused = client.post(path, json=body)
            assert refused.status_code == 403
            assert "only people who have joined a table" in refused.json()["message"].lower()
            if token:
                given = client.post(path, json=body, headers={"X-Create-Token": token})
                assert given.status_code != 403
            made = client.post("/api/tables", json=asked, headers={"X-Create-Token": token})
            assert made.status_code == 201
            assert client.post(path, json=body).status_code != 403
    off = msgspec.structs.replace(usual, **{feature: "off"})
    with TestClient(make_app(off)) as client:
        refused = client.post(path, json=body)
        assert refused.status_code == 403
        assert OFF[feature] in refused.json()["message"]
