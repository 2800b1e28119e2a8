"""Everything that goes wrong is told to people in their language, and nothing of what is inside."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from lastspike.server.config.settings import Config
from tests.server.run.tiny_app import make_app


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient[Litestar]]:
    with TestClient(make_app(Config("sqlite:///x"))) as client:
        yield client


@pytest.mark.parametrize(
    ("kind", "status", "message"),
    [
        ("ours", 400, "A fact: blue"),
        ("move", 400, "Not now (rule L5)"),
        ("not_allowed", 403, "No"),
        ("not_found", 404, "None"),
        ("conflict", 409, "Late"),
        ("too_large", 413, "Big"),
        ("too_many", 429, "Wait"),
        ("down", 503, "Later"),
        (
            "malformed",
            400,
            "This request can’t be understood: Expected `int`, got `str` - at `$.seat`",
        ),
    ],
)
def test_each_refusal_has_its_status(
    client: TestClient[Litestar], kind: str, status: int, message: str
) -> None:
    answer = client.get(f"/api/refused/{kind}")
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/json"
    problem = answer.json()
    assert problem["message"] == message
    assert problem["rule"] == ("L5" if kind == "move" else None)
    assert answer.headers.get("retry-after") == ("3" if kind == "too_many" else None)


def test_facts_are_sent_as_json_whatever_they_are(client: TestClient[Litestar]) -> None:
    assert client.get("/api/refused/odd").json()["facts"] == {
        "inner": "inside",
        "listed": [1, [2]],
        "mapped": {"3": None},
    }


def test_what_nobody_foresaw_is_noted_and_not_told(
    client: TestClient[Litestar], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        answer = client.get("/api/refused/foreign")
    assert answer.status_code == 500
    assert "hunter2" not in answer.text
    assert "RuntimeError" not in answer.text
    reference = answer.json()["facts"]["reference"]
    assert answer.json()["message"].endswith(f"to report it, quote {reference}")
    (record,) = caplog.records
    assert reference in record.getMessage()
    assert record.exc_info


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"name": ""}', "Expected `str` of length >= 1 (name)"),
        (b'{"name": 1}', "Expected `str`, got `int` (name)"),
        (b'{"nom": "Ada"}', "unknown field `nom`"),
        (b"{}", "missing required field `name`"),
        (b"{", "this request can’t be understood"),
        (b"\xff", "this request can’t be understood"),
        (b"[]", "Expected `object`, got `array`"),
    ],
)
def test_a_request_that_does_not_fit_is_told_where(
    client: TestClient[Litestar], content: bytes, told: str
) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post("/api/persons", content=content, headers=headers)
    assert answer.status_code == 400
    problem = answer.json()
    assert told.lower() in problem["message"].lower()
    assert "Traceback" not in answer.text
    assert "lastspike" not in answer.text


def test_unknown_paths_and_methods_are_problems_too(client: TestClient[Litestar]) -> None:
    assert client.get("/nowhere").json()["message"] == "There is nothing here"
    answer = client.put("/api/who")
    assert answer.status_code == 405
    assert "GET" in answer.headers["allow"]
    assert answer.json()["message"] == "This can’t be done here"
