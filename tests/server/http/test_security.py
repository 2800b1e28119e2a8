"""Whose pages and which hosts are let in, and the headers that every answer carries."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from litestar import Litestar
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient

from lastspike.server.config.settings import Config, Limits
from lastspike.server.http.limits import rate_limits
from lastspike.server.http.security import (
    allowed_host,
    response_headers,
    same_origin,
    through_proxy,
)
from lastspike.server.monitoring import metrics
from tests.server.run.tiny_app import BODY_BYTES, make_app

HOSTED = Config("sqlite:///x", base_url="https://games.example.org/spike")
LOCAL = Config("sqlite:///x")


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),  # no browser
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "SAME-ORIGIN"}, False),
        ({"sec-fetch-site": ""}, False),
        ({"origin": "https://games.example.org"}, True),
        ({"origin": "http://games.example.org"}, False),
        ({"origin": "https://games.example.org:8443"}, False),
        ({"origin": "https://games.example.org.evil.net"}, False),
        ({"origin": "https://example.org"}, False),
        ({"origin": "null"}, False),
        ({"origin": ""}, False),
        ({"origin": "https://evil.net", "host": "evil.net"}, False),
        ({"origin": "https://games.example.org", "sec-fetch-site": "cross-site"}, False),
    ],
)
def test_behind_a_base_url_only_its_own_pages_may_ask(
    headers: Mapping[str, str], allowed: bool
) -> None:
    assert same_origin(headers, HOSTED) is allowed


@pytest.mark.parametrize(
    ("origin", "host", "scheme", "allowed"),
    [
        ("http://127.0.0.1:8869", "127.0.0.1:8869", "http", True),
        ("http://127.0.0.1:8869", "127.0.0.1:8869", "ws", True),
        ("http://localhost", "localhost:80", "http", True),
        ("https://box.local", "box.local", "wss", True),
        ("http://[::1]:8869", "[::1]:8869", "http", True),
        ("http://127.0.0.1:3000", "127.0.0.1:8869", "http", False),
        ("https://127.0.0.1:8869", "127.0.0.1:8869", "http", False),
        ("http://localhost:8869", "127.0.0.1:8869", "http", False),
        ("null", "127.0.0.1:8869", "http", False),
        ("http://", "", "http", False),
        ("http://x", "[::1", "http", False),
        ("http://x:99999", "x:99999", "http", False),
    ],
)
def test_without_one_the_page_must_come_from_where_the_request_goes(
    origin: str, host: str, scheme: str, allowed: bool
) -> None:
    assert same_origin({"origin": origin, "host": host}, LOCAL, scheme) is allowed


def test_other_origins_can_be_allowed_and_browsers_say_they_are_others() -> None:
    config = Config("sqlite:///x", origins=("https://other.org",))
    assert same_origin({"origin": "https://other.org", "sec-fetch-site": "cross-site"}, config)
    assert not same_origin({"origin": "https://third.org"}, config)


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("localhost:8869", True),
        ("LOCALHOST", True),
        ("127.0.0.1:8869", True),
        ("[::1]:8869", True),
        ("192.168.1.20:8869", True),
        ("box.local", True),
        ("game.localhost", True),
        (f"{socket.gethostname()}:8869", True),
        ("evil.net", False),
        ("evil.net:8869", False),
        ("local", False),
        ("127.0.0.1.evil.net", False),
        ("localhost.evil.net", False),
        ("", False),
        ("[::1", False),
        ("a@localhost.evil.net", False),
    ],
)
def test_a_local_server_answers_to_names_that_no_stranger_can_point_at_it(
    host: str, allowed: bool
) -> None:
    assert allowed_host(host, LOCAL) is allowed
    assert allowed_host(host, HOSTED)


def test_the_policy_allows_no_inline_code_and_nothing_from_elsewhere() -> None:
    headers = dict(response_headers(HOSTED))
    policy = headers[b"content-security-policy"].decode()
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "http" not in policy
    assert headers[b"strict-transport-security"] == b"max-age=31536000"
    assert b"strict-transport-security" not in dict(response_headers(LOCAL))


# ---- at the door ----------------------------------------------------------------------------


@pytest.fixture
def client() -> Iterator[TestClient[Litestar]]:
    with TestClient(make_app(LOCAL)) as client:
        yield client


@pytest.mark.parametrize(
    "path", ["/api/who", "/page", "/nowhere", "/api/refused/foreign", "/api/refused/ours"]
)
def test_every_answer_carries_the_headers(client: TestClient[Litestar], path: str) -> None:
    for answer in (client.get(path), client.get(path, headers={"host": "evil.net"})):
        for name, value in response_headers(LOCAL):
            assert answer.headers.get_list(name.decode()) == [value.decode()]
        if path != "/page":
            assert answer.headers["cache-control"] == "no-store"


def test_a_foreign_page_can_change_nothing(client: TestClient[Litestar]) -> None:
    foreign = {"origin": "https://evil.net"}
    for answer in (
        client.post("/api/persons", json={"name": "Ada"}, headers=foreign),
        client.delete("/api/persons", headers={"sec-fetch-site": "cross-site"}),
        client.post("/nowhere", headers=foreign),
    ):
        assert answer.status_code == 403
        assert answer.json()["message"] == "This request isn’t allowed from another site’s page"
    assert client.post("/api/persons", json={"name": "Ada"}).status_code == 201
    # What only reads is safe: a foreign page can't see the answer.
    assert client.get("/api/who", headers=foreign).status_code == 200


def test_a_foreign_page_opens_no_socket(client: TestClient[Litestar]) -> None:
    with client.websocket_connect("/api/socket") as ours:
        ours.send_text("hello")
        assert ours.receive_text() == "hello"
    for headers in ({"origin": "https://evil.net"}, {"host": "evil.net"}, {"origin": "null"}):
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("/api/socket", headers=headers) as theirs,
        ):
            theirs.receive_text()


def test_a_name_pointed_at_us_reads_nothing(client: TestClient[Litestar]) -> None:
    answer = client.get("/api/who", headers={"host": "evil.net"})
    assert answer.status_code == 403
    assert "pid" not in answer.text


@pytest.mark.parametrize("prefix", ["", "/spike"])
def test_a_proxy_may_take_the_sub_path_off_or_leave_it(prefix: str) -> None:
    with TestClient(make_app(HOSTED)) as client:
        assert client.get(f"{prefix}/api/who").status_code == 200
        assert client.get(f"{prefix}/nowhere").status_code == 404
        with client.websocket_connect(f"{prefix}/api/socket") as socket_there:
            socket_there.send_text("hello")
            assert socket_there.receive_text() == "hello"
        assert client.get("/spikes/api/who").status_code == 404
        assert client.get("/spike/spike/api/who").status_code == 404


def test_too_many_requests_are_told_when_to_come_back() -> None:
    config = Config("sqlite:///x", limits=Limits(requests_per_minute=3))
    with TestClient(make_app(config)) as client:
        answers = [client.get(path) for path in ("/api/who", "/nowhere", "/page", "/page")]
        assert [answer.status_code for answer in answers] == [200, 404, 200, 429]
        assert answers[3].headers["retry-after"] == "20"
        assert answers[3].json()["message"] == "Too many requests; wait 20 s"
        assert client.get("/healthz").status_code == 404  # whoever watches us is not counted
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/socket") as more:
            more.receive_text()


def test_sockets_are_counted_and_given_back() -> None:
    config = Config("sqlite:///x", limits=Limits(sockets_per_address=2))
    before = _open_sockets()
    with TestClient(make_app(config)) as client:
        for _ in range(3):
            with (
                client.websocket_connect("/api/socket") as first,
                client.websocket_connect("/api/socket") as second,
            ):
                first.send_text("1")
                second.send_text("2")
                assert (first.receive_text(), second.receive_text()) == ("1", "2")
                assert _open_sockets() == before + 2
                with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/socket"):
                    pass
    assert _open_sockets() == before


def test_a_body_that_is_too_large_is_refused() -> None:
    config = Config("sqlite:///x")
    with TestClient(make_app(config)) as client:
        answer = client.post("/api/persons", json={"name": "A" * BODY_BYTES})
        assert answer.status_code == 413

        def drops() -> Iterator[bytes]:  # its length is not told beforehand
            for _ in range(BODY_BYTES // 100 + 1):
                yield b" " * 100

        json: Any = {"content-type": "application/json"}
        answer = client.post("/api/persons", content=drops(), headers=json)
        assert answer.status_code == 413


def _open_sockets() -> float:
    lines = metrics.render().decode().splitlines()
    (line,) = (line for line in lines if line.startswith("lastspike_sockets_open "))
    return float(line.split()[1])


@pytest.mark.parametrize(
    ("name", "passed_on"),
    [
        ("x-forwarded-for", True),
        ("x-forwarded-proto", True),
        ("x-real-ip", True),
        ("forwarded", True),
        ("via", True),
        ("user-agent", False),
    ],
)
def test_a_proxy_is_known_by_any_of_its_headers(name: str, passed_on: bool) -> None:
    assert through_proxy({"host": "a", name: "192.0.2.1"}) == passed_on


def test_what_watches_the_server_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "PROBES_PER_MINUTE", 2)
    with TestClient(make_app(LOCAL)) as client:
        assert [client.get("/healthz").status_code for _ in range(3)] == [404, 404, 429]
        assert client.get("/metrics").status_code == 429
        assert client.get("/api/who").status_code == 200
