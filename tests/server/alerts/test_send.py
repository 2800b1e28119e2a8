"""Sending alerts: their forms, patience with failures, and no way into the server's network."""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import json
import logging
import shutil
import ssl
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from email.utils import formatdate
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastspike.rules.errors import LastSpikeError
from lastspike.server.alerts import address_guard, send
from lastspike.server.alerts.address_guard import is_open, read_target
from lastspike.server.alerts.forms import Alert, Form
from lastspike.server.alerts.send import AlertSender
from lastspike.server.table.errors import TooMany

SOON = 20.0
LINK = "https://example.org/table/abc?x=1&y=2"
MINE = Alert("abc", LINK, "Zoë <_山田_>", 17, "your_turn", "en")


class Received(NamedTuple):
    target: str
    headers: dict[str, str]
    body: bytes


class Server:
    """Answers with the given statuses, the last for ever, and keeps what it received.

    None is an answer that never comes, a string a status with further headers.
    """

    def __init__(self, *answers: int | str | None) -> None:
        self.answers = list(answers) or [200]
        self.received: list[Received] = []
        self.times: list[float] = []
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook/secret"

    @asynccontextmanager
    async def running(self, tls: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls)
        self.port = server.sockets[0].getsockname()[1]
        self.stopping = asyncio.Event()
        try:
            yield self
        finally:
            self.stopping.set()
            server.close()
            await server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            begin, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines if line)}
            body = await reader.readexactly(int(headers["content-length"]))
            self.received.append(Received(begin.split()[1], headers, body))
            self.times.append(time.monotonic())
            answer = self.answers[min(len(self.received), len(self.answers)) - 1]
            if answer is None:
                await self.stopping.wait()
            else:
                endless = b"x" * 1_000_000
                writer.write(f"HTTP/1.1 {answer}\r\n\r\n".encode() + endless)
                await writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            pass  # who asked has left
        finally:
            writer.transport.abort()


class Sent:
    """Counts what is done, and waits for so many."""

    def __init__(self) -> None:
        self.all: list[bool] = []

    def __call__(self, sent: bool) -> None:
        self.all.append(sent)

    async def wait(self, many: int = 1) -> list[bool]:
        async with asyncio.timeout(SOON):
            while len(self.all) < many:
                await asyncio.sleep(0.005)
        return self.all


def running(test: Callable[[AlertSender, Sent], Awaitable[None]], **more: Any) -> None:
    async def all_of_it() -> None:
        sent = Sent()
        given = {"allow_private": True, "pause": 0.01, "on_done": sent, **more}
        sender = AlertSender(**given)
        await sender.start()
        try:
            await test(sender, sent)
        finally:
            await sender.close()

    asyncio.run(asyncio.wait_for(all_of_it(), 3 * SOON))


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Let names have these address_guard, one answer after the other; which were asked for."""
    asked: list[str] = []

    async def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return answers[min(len(asked), len(answers)) - 1]

    monkeypatch.setattr(address_guard, "resolve", resolve)
    return asked


# ---- forms -----------------------------------------------------------------------------------


def received_as(form: Form, alert: Alert = MINE) -> Received:
    server = Server()

    async def test(sender: AlertSender, sent: Sent) -> None:
        async with server.running():
            sender.send(server.url, form, alert)
            assert await sent.wait() == [True]

    running(test)
    (received,) = server.received
    assert received.target == "/hook/secret"
    return received


def test_json_says_everything() -> None:
    received = received_as("json")
    assert received.headers["content-type"] == "application/json"
    assert json.loads(received.body) == {
        "table": "abc",
        "url": LINK,
        "player": "Zoë <_山田_>",
        "turn": 17,
        "event": "your_turn",
        "text": f"It’s your turn, Zoë <_山田_>: {LINK}",
    }


def test_discord_mentions_and_formats_nothing() -> None:
    alert = MINE._replace(player="@everyone *_[x](y)_*")
    content = json.loads(received_as("discord", alert).body)
    assert content["allowed_mentions"] == {"parse": []}
    name = r"@everyone \*\_\[x\]\(y\)\_\*"
    assert content["content"] == f"It’s your turn, {name}: {LINK}"


def test_slack_gets_its_three_signs_escaped() -> None:
    content = json.loads(received_as("slack", MINE._replace(player="<!channel>")).body)
    link = LINK.replace("&", "&amp;")
    assert content == {"text": f"It’s your turn, &lt;!channel&gt;: {link}"}


def test_ntfy_takes_text_and_headers_that_any_name_fits() -> None:
    received = received_as("ntfy")
    assert received.body.decode() == MINE.text()
    assert received.headers["click"] == LINK
    kind, _, encoded = received.headers["title"].removesuffix("?=").rpartition("?")
    assert kind == "=?UTF-8?B"
    assert base64.b64decode(encoded).decode() == "Last Spike: Zoë <_山田_>"
    assert received_as("ntfy", MINE._replace(player="Ada")).headers["title"] == "Last Spike: Ada"


def test_the_end_of_the_game_is_told_too() -> None:
    received = json.loads(received_as("json", MINE._replace(kind="game_over")).body)
    assert received["event"] == "game_over"
    assert received["text"].startswith("The game is over, Zoë")


# ---- patience --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "tries", "sent"),
    [
        ([500, 200], 2, True),
        ([429, 503, 204], 3, True),
        ([500], 4, False),
        ([404, 200], 1, False),
        (["301 Moved\r\nLocation: /elsewhere", 200], 1, False),
        (["302 Found\r\nLocation: http://169.254.169.254/", 200], 1, False),
    ],
)
def test_what_is_tried_again(answers: list[int | str], tries: int, sent: bool) -> None:
    server = Server(*answers)

    async def test(sender: AlertSender, done: Sent) -> None:
        async with server.running():
            sender.send(server.url, "json", MINE)
            assert await done.wait() == [sent]

    running(test)
    assert len(server.received) == tries
    assert {received.target for received in server.received} == {"/hook/secret"}


def test_nobody_there_is_tried_again() -> None:
    async def test(sender: AlertSender, done: Sent) -> None:
        server = Server()
        async with server.running():
            pass
        sender.send(server.url, "json", MINE)
        await asyncio.sleep(0.05)
        assert done.all == []
        assert await done.wait() == [False]

    running(test, pause=0.1, attempts=2)


def test_patience_is_as_long_as_retry_after() -> None:
    server = Server("429 Later\r\nRetry-After: 1", 200)

    async def test(sender: AlertSender, done: Sent) -> None:
        async with server.running():
            sender.send(server.url, "json", MINE)
            assert await done.wait() == [True]

    running(test)
    first, second = server.times
    assert second - first >= 1


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("5", 5, 5),
        ("9" * 400, 60, 60),
        ("-3", -3, 0),
        ("", 0, 0),
        ("soon", 0, 0),
        ("Mon, 01 Jan 2024 00:00:00 -0000", 0, 0),
    ],
)
def test_how_patience_is_retry_after(text: str, least: float, most: float) -> None:
    answer = httpx.Response(429, headers={"Retry-After": text})
    assert least <= send._retry_after(answer) <= most


def test_patience_is_retry_after_by_date_too() -> None:
    later = formatdate(time.time() + 3600, usegmt=True)
    answer = httpx.Response(429, headers={"Retry-After": later})
    assert 3500 <= send._retry_after(answer) <= 3600


def test_a_slow_server_holds_up_nobody_else() -> None:
    slow, quick = Server(None), Server()

    async def test(sender: AlertSender, done: Sent) -> None:
        async with slow.running(), quick.running():
            for turn in range(5):
                sender.send(slow.url, "json", MINE._replace(turn=turn))
            for turn in range(5):
                sender.send(quick.url, "json", MINE._replace(turn=turn))
            assert await done.wait(5) == [True] * 5
            turns = [json.loads(received.body)["turn"] for received in quick.received]
            assert turns == [0, 1, 2, 3, 4]
            assert len(slow.received) == 1
            assert await done.wait(6) == [True] * 5 + [False]

    running(test, timeout=2.0, attempts=1)


def test_the_oldest_is_dropped_when_too_many_wait(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(send, "MOST_WAITING", 3)
    server = Server()

    async def test(sender: AlertSender, done: Sent) -> None:
        async with server.running():
            for turn in range(6):
                sender.send(server.url, "json", MINE._replace(turn=turn))
            assert sorted(await done.wait(6)) == [False] * 2 + [True] * 4

    with caplog.at_level(logging.WARNING):
        running(test)
    assert [json.loads(each.body)["turn"] for each in server.received] == [0, 3, 4, 5]
    assert caplog.text.count("one for 127.0.0.1 is dropped") == 2


def test_closing_gives_up_what_is_not_sent() -> None:
    server = Server(None)

    async def test(sender: AlertSender, done: Sent) -> None:
        async with server.running():
            sender.send(server.url, "json", MINE)
            sender.send(server.url, "json", MINE)
            async with asyncio.timeout(SOON):
                while not server.received:
                    await asyncio.sleep(0.005)
            await sender.close()
            sender.send(server.url, "json", MINE)
        assert len(server.received) == 1

    running(test)


def test_logs_name_the_host_alone(caplog: pytest.LogCaptureFixture) -> None:
    server = Server(500, 404)

    async def test(sender: AlertSender, done: Sent) -> None:
        async with server.running():
            sender.send(server.url, "ntfy", MINE)
            await done.wait()

    with caplog.at_level(logging.DEBUG):
        running(test)
    assert "127.0.0.1 refused an alert: 404" in caplog.text
    assert "secret" not in caplog.text


# ---- addresses -------------------------------------------------------------------------------

INSIDE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
    *("0.0.0.0", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "192.0.2.1"),
    *("198.18.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1"),
    *("ff02::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::10.0.0.1"),
    *("64:ff9b:1::1", "2002:7f00:1::", "2001:db8::1", "2001::1", "100::1", "4000::1"),
]
OUTSIDE = ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450::1", "64:ff9b::8.8.8.8"]


@pytest.mark.parametrize("address", INSIDE)
def test_addresses_inside(address: str) -> None:
    assert not is_open(address)


@pytest.mark.parametrize("address", OUTSIDE)
def test_addresses_outside(address: str) -> None:
    assert is_open(address)


@pytest.mark.parametrize(
    "url",
    [
        *("", "example.org", "//example.org/x", "ftp://example.org/", "file:///etc/passwd"),
        *("http://", "https:///x", "javascript:alert(1)", "gopher://example.org/", "http://a\n/"),
        *("http://me@example.org/", "https://me:secret@example.org/", "http://:x@example.org/"),
        *("http://example.org:0/", "http://example.org:99999/", "http://example.org:x/"),
        *("http://example.org:22/", "https://example.org:25/"),
    ],
)
def test_urls_that_cannot_be_taken(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["8.8.8.8"])

    async def test(sender: AlertSender, _: Sent) -> None:
        with pytest.raises(LastSpikeError):
            await sender.check_url(url)

    running(test, allow_private=False)


@given(st.text() | st.text("htps:/@[]%.0123456789abcxn-ä?#\\").map("http://".__add__))
def test_any_text_is_taken_or_refused(text: str) -> None:
    try:
        target = read_target(text, allow_private=False)
    except LastSpikeError:
        return
    assert target.host
    assert target.port in {80, 443} or 1024 <= target.port < 65536


@pytest.mark.parametrize(
    "url",
    [
        *("http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://2130706433/"),
        *("http://0x7f.1/", "http://0/", "http://[::ffff:7f00:1]/", "http://169.254.169.254/x"),
        "http://" + "a" * 70 + ".example/",
    ],
)
def test_the_servers_own_network_is_refused(url: str) -> None:
    async def test(sender: AlertSender, _: Sent) -> None:
        with pytest.raises(LastSpikeError, match="can’t be found on the public internet"):
            await sender.check_url(url)

    running(test, allow_private=False)


def test_names_are_judged_by_every_address(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolving(
        monkeypatch, ["8.8.8.8", "2606:4700::1"], ["8.8.8.8", "10.0.0.1"], ["fd00::1"], []
    )

    async def test(sender: AlertSender, _: Sent) -> None:
        await sender.check_url("https://exämple.org:8443/x")
        for _again in range(3):
            with pytest.raises(LastSpikeError, match=r"^xn--exmple-cua\.org can’t be found"):
                await sender.check_url("https://exämple.org:8443/x")

    running(test, allow_private=False)
    assert asked == ["xn--exmple-cua.org"] * 4


def test_private_addresses_are_fine_where_they_are_allowed() -> None:
    async def test(sender: AlertSender, _: Sent) -> None:
        await sender.check_url("http://127.0.0.1:81/x")
        await sender.check_url("http://[::1]/x")

    running(test)


def test_a_lookup_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        await asyncio.sleep(1000)
        return []

    monkeypatch.setattr(address_guard, "resolve", resolve)

    async def test(sender: AlertSender, _: Sent) -> None:
        with pytest.raises(LastSpikeError, match="can’t be found"):
            await sender.check_url("https://example.org/")

    running(test, timeout=0.05)


def test_a_name_that_moves_inside_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fine when it was given, and another address when the alert is sent."""
    server = Server()
    resolving(monkeypatch, ["8.8.8.8"], ["127.0.0.1"])

    async def test(sender: AlertSender, done: Sent) -> None:
        async with server.running():
            url = f"http://rebinding.example:{server.port}/"
            await sender.check_url(url)
            sender.send(url, "json", MINE)
            assert await done.wait() == [False]

    running(test, allow_private=False, attempts=2)
    assert server.received == []


def test_the_connection_goes_to_the_address_that_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The name itself can't be looked up at all: nobody else has tried."""
    server = Server()
    asked = resolving(monkeypatch, ["127.0.0.2", "127.0.0.1"])

    async def test(sender: AlertSender, done: Sent) -> None:
        async with server.running():
            sender.send(f"http://alerts.invalid:{server.port}/a%20b?c=d#e", "json", MINE)
            assert await done.wait() == [True]

    running(test)
    (received,) = server.received
    assert received.headers["host"] == f"alerts.invalid:{server.port}"
    assert received.target == "/a%20b?c=d"
    assert asked == ["alerts.invalid"]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
@pytest.mark.parametrize(("name", "taken"), [("alerts.invalid", True), ("other.invalid", False)])
def test_certificates_are_checked_by_name(
    name: str, taken: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test -keyout {key}"
    made += f" -out {certificate} -addext subjectAltName=DNS:alerts.invalid"
    subprocess.run(["openssl", *made.split()], check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    names: list[str | None] = []
    tls.sni_callback = lambda _, named, __: names.append(named)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    resolving(monkeypatch, ["127.0.0.1"])
    server = Server()

    async def test(sender: AlertSender, done: Sent) -> None:
        async with server.running(tls):
            sender.send(f"https://{name}:{server.port}/", "json", MINE)
            assert await done.wait() == [taken]

    running(test, attempts=1)
    assert names == [name]
    assert len(server.received) == taken


# ---- names that nobody answers for ------------------------------------------------------------


def test_names_without_an_answer_hold_up_nobody_elses_alerts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Many people’s, of many hosts; they take their share and no more."""
    looking = 0

    async def resolve(host: str, port: int) -> list[str]:
        nonlocal looking
        if host == "127.0.0.1":
            return [host]
        looking += 1
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(address_guard, "resolve", resolve)
    server = Server()

    async def test(sender: AlertSender, sent: Sent) -> None:
        async with server.running():
            sender.send(server.url, "json", MINE, "ada")
            await sent.wait(1)
            for number in range(200):
                url = f"http://never{number}.example/"
                sender.send(url, "json", MINE, f"mallory{number // 10}")
            await asyncio.sleep(0)
            assert len(sender._sending) == send.MOST_UNPROVEN
            before = len(sent.all)
            sender.send(server.url, "json", MINE, "ada")
            while sent.all[before:].count(True) < 1:
                await sent.wait(len(sent.all) + 1)
        assert looking == send.MOST_UNPROVEN

    running(test)
    assert len(server.received) == 2


def test_one_persons_alerts_take_no_room_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(address_guard, "resolve", resolve)

    async def test(sender: AlertSender, _sent: Sent) -> None:
        for number in range(3 * send.MOST_OF_ONE):
            sender.send(f"http://never{number}.example/", "json", MINE, "mallory")
        assert len(sender._sending) == send.AT_ONCE_OF_ONE
        assert len(sender._waiting) == send.MOST_OF_ONE

    running(test)


def test_one_person_has_few_looked_up_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(address_guard, "resolve", resolve)

    async def test(sender: AlertSender, _sent: Sent) -> None:
        checks = [
            asyncio.create_task(sender.check_url(f"http://n{number}.example/", "mallory"))
            for number in range(send.AT_ONCE_OF_ONE)
        ]
        await asyncio.sleep(0)
        with pytest.raises(TooMany):
            await sender.check_url("http://one-more.example/", "mallory")
        for check in checks:
            check.cancel()
        await asyncio.gather(*checks, return_exceptions=True)
        assert not sender._owners["mallory"]

    running(test)


def test_a_look_up_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process, which is gone afterwards; a thread would go on for as long as it likes."""
    monkeypatch.setattr(address_guard, "LOOK_UP_S", 0.05)
    monkeypatch.setattr(address_guard, "_LOOK_UP", "import time; time.sleep(1000)")
    started: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def kept(*given: Any, **more: Any) -> asyncio.subprocess.Process:
        started.append(await start(*given, **more))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", kept)

    async def look_up() -> None:
        async with asyncio.timeout(20):
            with pytest.raises(TimeoutError):
                await address_guard.resolve("never.example", 80)
        assert started[0].returncode is not None

    asyncio.run(look_up())


def looking_up(monkeypatch: pytest.MonkeyPatch, code: str) -> list[str]:
    """Look names up with this code; which names a process was started for."""
    monkeypatch.setattr(address_guard, "_LOOK_UP", code)
    names: list[str] = []
    start = asyncio.create_subprocess_exec

    async def counted(*given: str, **more: Any) -> asyncio.subprocess.Process:
        names.append(given[-2])
        return await start(*given, **more)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", counted)
    return names


def test_a_name_is_looked_up_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ask at the same time. A name without addresses is soon tried again."""
    code = "import sys; sys.argv[1] != 'none.example' and print('8.8.8.8')"
    names = looking_up(monkeypatch, code)

    def known(host: str, later: float) -> list[str] | None:
        loop = asyncio.get_running_loop()
        then = loop.time() + later
        with monkeypatch.context() as clock:
            clock.setattr(loop, "time", lambda: then)
            return address_guard._look_ups().kept(host)

    async def look_up() -> None:
        for host, kept_s, found in (
            ("one.example", address_guard.KEPT_S, ["8.8.8.8"]),
            ("none.example", address_guard.UNFOUND_S, []),
        ):
            every = await asyncio.gather(*(address_guard.resolve(host, 80 + n) for n in range(9)))
            assert every == [found] * 9
            assert names.pop() == host
            assert not names
            assert known(host, kept_s - 1) == found
            assert known(host, kept_s + 1) is None

    asyncio.run(look_up())


def test_many_names_start_few_processes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_guard, "LOOK_UP_EVERY_S", 1000)
    names = looking_up(monkeypatch, "")

    async def look_up() -> None:
        asked = [asyncio.create_task(address_guard.resolve(f"n{n}.example", 80)) for n in range(5)]
        assert await asked[0] == []
        assert names == ["n0.example"]
        for each in asked:
            each.cancel()
        await asyncio.gather(*asked, return_exceptions=True)

    asyncio.run(look_up())


def test_a_name_is_looked_up_in_a_process() -> None:
    found = asyncio.run(address_guard.resolve("localhost", 80))
    assert set(found) <= {"127.0.0.1", "::1"}
    assert found


@pytest.mark.parametrize(
    "network",
    [
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "::/128",
        "::1/128",
        "::ffff:0:0/96",
        "64:ff9b:1::/48",
        "100::/64",
        "100:0:0:1::/64",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "2620:4f:8000::/48",
        "3fff::/20",
        "5f00::/16",
        "fc00::/7",
        "fe80::/10",
        "ff00::/8",
    ],
)
def test_no_special_purpose_address_of_ianas_registries_is_open(network: str) -> None:
    whole = ipaddress.ip_network(network)
    for address in (whole[0], whole[whole.num_addresses // 2], whole[-1]):
        assert not is_open(str(address)), address
