"""The devices of a person: what they are, how they end with all their sockets, and what is kept."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest

from lastspike import protocol as p
from lastspike.client import LostError, RefusedError, Table
from lastspike.server.config.settings import Config
from lastspike.server.http.app import make_app
from lastspike.server.live.connection import Connection
from lastspike.server.live.open_sockets import OpenSockets
from lastspike.server.people import sessions as sessions_module
from lastspike.server.people.devices import Device, device_of
from lastspike.server.people.sessions import Sessions, hashed
from lastspike.server.storage import SessionRow, Storage
from lastspike.server.storage.queries.hidden_chat import HiddenChat
from lastspike.server.table.now import now_ms
from tests.server.company import (
    FAST,
    KINDS,
    PATIENCE,
    SharedServers,
    begin,
    in_database,
    people,
    watching,
)
from tests.server.http.measured_app import measured
from tests.server.http.measured_socket import open_socket
from tests.server.running import RunningServer
from tests.server.siege import sqlite_in
from tests.server.strangers import ask, secret_of

pytestmark = pytest.mark.anyio

WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0"
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)
CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0"


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest, shared_servers: SharedServers) -> RunningServer:
    """One for all tests, which make persons of their own."""
    return shared_servers.get(request.param)


async def ended(table: Table) -> None:
    """The server closes the line because its session has ended."""
    with pytest.raises(LostError) as lost:
        await table.until(lambda _: False, PATIENCE)
    assert lost.value.code == p.CLOSE_LOGGED_OUT


# ---- ending them ----------------------------------------------------------------------------


async def test_a_thief_is_out_at_once(server: RunningServer) -> None:
    """Their socket shows the hand until it is ended, and makes no turn afterwards."""
    async with people(server.url, "Ada", "Bob", "", "") as (ada, bob, phone, thief):
        table_id = await ada.create(["me", None], FAST)
        await bob.take_seat(table_id)
        for device in (phone, thief):
            await device.use_link((await ada.link()).token)
        async with watching(table_id, ada, bob, phone, thief) as (a, b, c, t):
            await begin(a, b)
            await t.until(lambda t: t.view and t.view["hands"][0], PATIENCE)
            stolen = {each.id for each in await thief.devices() if each.this}
            await ada.end_device(stolen.pop())
            await ended(t)
            with pytest.raises(LostError):
                await t.say("I am Ada")
            with pytest.raises(RefusedError, match=r"(?i)name first"):
                await thief.me()
            assert len(await ada.devices()) == 2
            await ada.forget_other_devices()
            await ended(c)
            for other in (a, b):
                await other.say("Still here")
            [left] = await ada.devices()
            assert left.this


async def test_logging_out_ends_this_device_and_keeps_the_way_on(server: RunningServer) -> None:
    async with people(server.url, "Ada", "", "") as (ada, phone, later):
        table_id = await ada.create(["me", None], FAST)
        await phone.use_link((await ada.link()).token)
        async with watching(table_id, ada, phone) as (a, b):
            link, was = await phone.link(), secret_of(phone)
            answer = await ask(server.url, "POST", "/api/me/log-out", cookie=was)
            assert answer.status == 200
            gone = answer.header("set-cookie") or ""
            assert gone.startswith("lastspike=")
            assert "max-age=0" in gone.lower()
            await ended(b)
            await a.say("Still here")
            again = await ask(server.url, "POST", "/api/me/log-out", cookie=was)
            assert again.status == 200  # asking twice does no harm
            await later.use_link(link.token)
            assert (await later.me()).name == "Ada"


async def test_whoever_is_erased_is_out_everywhere(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Bob", "") as (ada, bob, phone):
        table_id = await ada.create(["me", None], FAST)
        await bob.take_seat(table_id)
        await phone.use_link((await ada.link()).token)
        async with watching(table_id, bob, phone) as (b, c):
            await ada.be_forgotten()
            await ended(c)
            await b.say("Still here")


async def test_one_ends_only_ones_own_devices(server: RunningServer) -> None:
    async with people(server.url, "Ada", "Eve", "") as (ada, eve, nobody):
        await ada.introduce()
        await eve.introduce()
        [device] = await ada.devices()
        for other, status in ((eve, 404), (nobody, 403)):
            with pytest.raises(RefusedError) as refused:
                await other.end_device(device.id)
            assert refused.value.status == status
        assert await ada.devices() == [device]
        await ada.end_device(device.id)  # this one, which is a log-out
        with pytest.raises(RefusedError):
            await ada.me()


async def test_a_session_that_ends_during_the_hello_shows_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The socket has read who it is, and is about to sit down."""
    async with measured(app := make_app(Config(sqlite_in(tmp_path), player_processes=1))) as ada:
        wanted = {"name": "Ada", "seats": ["me", None], "settings": {}}
        table_id = (await ada.ask("POST", "/api/tables", wanted)).json["table"]
        secret = ada.cookie.partition("=")[2]
        token = (await ada.ask("POST", "/api/me/link")).json["token"]
        await ada.ask("POST", "/api/me/use-link", {"token": token})
        read = HiddenChat.of

        async def meanwhile(chat: HiddenChat, *about: Any) -> Any:
            monkeypatch.setattr(HiddenChat, "of", read)
            assert (await ada.ask("DELETE", "/api/me/other-devices")).status == 200
            return await read(chat, *about)

        monkeypatch.setattr(HiddenChat, "of", meanwhile)
        async with open_socket(app, table_id, secret) as socket:
            hello = '{"type":"hello","protocol":1}'
            socket.coming.put_nowait({"type": "websocket.receive", "text": hello})
            async with asyncio.timeout(PATIENCE):
                first = json.loads(await socket.told.get())
        assert first["type"] == "closed"
        assert socket.code == p.CLOSE_LOGGED_OUT


async def test_what_ended_while_the_news_were_lost_ends_later(tmp_path: Path) -> None:
    storage = Storage(sqlite_in(tmp_path))
    await storage.open()
    await storage.persons.add("ada", "Ada", SessionRow(b"1", 0, 100))
    await storage.persons.add_session("ada", SessionRow(b"2", 0, 100))
    sockets = OpenSockets(storage)

    async def send(_text: str) -> None: ...

    one, two = (Connection(name, "ada", "Ada", "en", send) for name in "12")
    with sockets.opened(one, {b"1"}), sockets.opened(two, {b"2"}):
        await storage.persons.end_sessions("ada", only=b"2")
        before = two.gone
        await sockets.on_gap()
        assert (before, two.gone, two.code) == (False, True, p.CLOSE_LOGGED_OUT)
        assert not one.gone
    await storage.close()


# ---- what they are --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent", "device"),
    [
        (WINDOWS, Device("Firefox", "Windows")),
        (PHONE, Device("Safari", "iPhone")),
        (f"Mozilla/5.0 (Windows NT 10.0) {CHROME} Safari/537.36", Device("Chrome", "Windows")),
        (f"Mozilla/5.0 (Windows) {CHROME} Safari/537.36 Edg/129.0", Device("Edge", "Windows")),
        (f"Mozilla/5.0 (X11; CrOS x86_64) {CHROME} Safari/537.36", Device("Chrome", "ChromeOS")),
        (f"Mozilla/5.0 (X11; Linux) {CHROME} Safari/537.36 OPR/114", Device("Opera", "Linux")),
        (
            f"Mozilla/5.0 (Linux; Android 14) SamsungBrowser/26.0 {CHROME} Mobile",
            Device("Samsung Internet", "Android"),
        ),
        ("Mozilla/5.0 (Android 14; Mobile; rv:131.0) Firefox/131.0", Device("Firefox", "Android")),
        ("Mozilla/5.0 (iPad; CPU OS 18_0) CriOS/129.0 Mobile", Device("Chrome", "iPad")),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15",
            Device("Safari", "macOS"),
        ),
        ("curl/8.5.0", Device()),
        ("<script>alert(1)</script>", Device()),
        ("x" * 100_000 + "Firefox/1", Device()),
        ("", Device()),
    ],
)
def test_a_user_agent_in_plain_words(agent: str, device: Device) -> None:
    assert device_of({"user-agent": agent}) == device


async def test_devices_are_listed_as_they_are(server: RunningServer) -> None:
    async with people(server.url, "Ada", "") as (ada, phone):
        await ada.introduce()
        begun = time.time() * 1000
        await phone.use_link((await ada.link()).token)
        desk = {"user-agent": WINDOWS}
        await ask(server.url, "GET", "/api/me", cookie=ada.secret, headers=desk)
        await ask(server.url, "GET", "/api/me", cookie=phone.secret, headers={"user-agent": PHONE})
        listed = {each.browser: each for each in await phone.devices()}
        assert {name: each.system for name, each in listed.items()} == {
            "Firefox": "Windows",
            "Safari": "iPhone",
        }
        assert [each.browser for each in listed.values() if each.this] == ["Safari"]
        assert listed["Firefox"].first <= listed["Safari"].first
        for each in listed.values():
            assert begun - 60_000 < each.first <= each.last <= time.time() * 1000
            assert secret_of(ada) not in str(each)
            assert each.id not in secret_of(phone)


async def test_a_device_in_use_is_seen_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over HTTP and through an open socket, but not at every request."""
    storage = Storage(sqlite_in(tmp_path))
    await storage.open()
    clock = 1_000_000
    monkeypatch.setattr(sessions_module, "now_ms", lambda: clock)
    sessions = Sessions(storage, OpenSockets(storage))
    person, secret = await sessions.new("Ada")

    async def seen_at() -> int:
        [row] = await sessions.devices(person)
        return row.seen_at

    known = sessions_module.Session(
        person, (await sessions.devices(person))[0], secret, sessions.cookie
    )
    clock += sessions_module.SEEN_EVERY_MS - 1
    known = await sessions.seen(known)
    assert await seen_at() == 1_000_000
    clock += 1
    known = await sessions.seen(known)
    assert await seen_at() == clock
    assert await sessions.renewed(known) is None
    clock += sessions_module.RENEW_EVERY_MS + 1
    assert await sessions.renewed(known) == secret
    [row] = await sessions.devices(person)
    assert row.expires_at == clock + sessions_module.SESSION_MS
    await storage.close()


async def test_who_has_too_many_devices_loses_the_one_unseen_for_longest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions_module, "MOST_DEVICES", 3)
    storage = Storage(sqlite_in(tmp_path))
    await storage.open()
    now = now_ms()
    for number in (1, 2, 3):
        row = SessionRow(bytes([number]), now, now + 10**9, seen_at=now - number)
        if number == 1:
            await storage.persons.add("ada", "Ada", row)
        else:
            await storage.persons.add_session("ada", row)
    await storage.persons.new_link(hashed("token"), "ada", now + 10**9)
    sessions = Sessions(storage, OpenSockets(storage))
    secret = await sessions.use_link("token", Device())
    rows = await storage.persons.sessions_of("ada", now)
    assert {row.secret_hash for row in rows} == {bytes([1]), bytes([2]), hashed(secret)}
    await storage.close()


# ---- what is recorded -----------------------------------------------------------------------


async def test_what_happens_to_devices_is_recorded_for_their_person(server: RunningServer) -> None:
    async with people(server.url, "Ada", "", "", "") as (ada, phone, tablet, thief):
        await ada.introduce()
        first = await ada.link()
        use = {"token": first.token}
        at_phone = {"user-agent": PHONE}
        answer = await ask(server.url, "POST", "/api/me/use-link", use, headers=at_phone)
        phone.secret = answer.cookie
        for _ in range(3):  # of which one is recorded
            await ask(server.url, "POST", "/api/me/use-link", use, headers={"user-agent": WINDOWS})
        await ask(server.url, "POST", "/api/me/use-link", {"token": "A" * 43})
        expired = await ada.link()
        await in_database(
            server,
            "UPDATE link SET expires_at = 1 WHERE token_hash = :hash",
            hash=hashed(expired.token),
        )
        with pytest.raises(RefusedError):
            await thief.use_link(expired.token)
        await tablet.use_link((await ada.link()).token)
        await tablet.log_out()
        [lost] = [each.id for each in await ada.devices() if not each.this]
        await ada.end_device(lost)
        await phone.use_link((await ada.link()).token)
        await ada.forget_other_devices()
        events = (await ada.export()).events
    told = [
        (each.what, each.mine, each.detail.get("browser"), each.detail.get("why"))
        for each in reversed(events)
    ]
    assert told == [
        ("link_made", True, "", None),
        ("device_added", True, "Safari", None),
        ("link_failed", False, "Firefox", "used"),
        ("link_made", True, "", None),
        ("link_failed", False, "", "expired"),
        ("link_made", True, "", None),
        ("device_added", True, "", None),
        ("logged_out", True, "", None),
        ("device_ended", True, "Safari", None),
        ("link_made", True, "", None),
        ("device_added", True, "", None),
        ("other_devices_ended", True, None, None),
    ]
    assert first.token not in str(events)


async def test_erasure_is_recorded_but_not_of_whom(server: RunningServer) -> None:
    async with people(server.url, "Ada") as (ada,):
        me = await ada.introduce()
        await ada.link()
        rows = await in_database(server, "SELECT * FROM audit_event WHERE who = :me", me=me.person)
        [link] = rows
        await ada.be_forgotten()
    rows = await in_database(server, "SELECT * FROM audit_event")
    assert me.person not in str(rows)
    erased = [row for row in rows if row[0] > link[0] and row[3] == "person_erased"]
    assert erased
    assert {(row[2], row[4], row[5], row[6]) for row in erased} == {
        ("erased", None, "erased", "{}")
    }


# ---- the cookie -----------------------------------------------------------------------------

HTTPS = "https://spike.example"
HOST = sessions_module.HOST_COOKIE


async def cookies(app: Any, *secrets: str, path: str = "/api/me/tables") -> tuple[int, list[str]]:
    """Ask with these cookies; the status, and the cookies that are set."""
    app.cookie = "; ".join(secrets)
    answer = await app.ask("GET", path)
    return answer.status, answer.cookies


async def test_the_cookie_is_the_hosts_own_over_https_at_the_root(tmp_path: Path) -> None:
    config = Config(sqlite_in(tmp_path), base_url=HTTPS, player_processes=1)
    async with measured(make_app(config)) as app:
        made = await app.ask("POST", "/api/me", {"name": "Ada"})
        given, old = made.cookies
        for part in ("Secure", "HttpOnly", "Path=/;", "SameSite=strict"):
            assert part.lower() in f"{given};".lower()
        assert "domain" not in given.lower()
        assert given.startswith(f"{HOST}=")
        assert old.startswith("lastspike=")
        assert "max-age=0" in old.lower()
        secret = given.partition("=")[2].partition(";")[0]
        assert (await cookies(app, f"{HOST}={secret}", path="/api/me"))[0] == 200
        # A neighbour of ours can give a browser the old cookie, but not as somebody new here.
        assert (await cookies(app, f"lastspike={secret}", path="/api/me"))[0] == 403
        # Nor can they replace one.
        app.cookie = ""
        made = await app.ask("POST", "/api/me", {"name": "Eve"})
        eve = made.cookies[0].partition("=")[2].partition(";")[0]
        app.cookie = f"lastspike={eve}; {HOST}={secret}"
        assert (await app.ask("GET", "/api/me")).json["name"] == "Ada"
        app.cookie = f"{HOST}={secret}"
        gone = (await app.ask("POST", "/api/me/log-out")).cookies
        assert sorted(each.partition("=")[0] for each in gone) == [HOST, "lastspike"]


@pytest.mark.parametrize("base", [None, "http://192.168.0.7:8869", "https://spike.example/game"])
async def test_elsewhere_the_cookie_has_a_plain_name(tmp_path: Path, base: str | None) -> None:
    config = Config(sqlite_in(tmp_path), base_url=base, player_processes=1)
    async with measured(make_app(config)) as app:
        path = "/game/api/me" if base and base.endswith("game") else "/api/me"
        [given] = (await app.ask("POST", path, {"name": "Ada"})).cookies
        assert given.startswith("lastspike=")
        assert ("secure" in given.lower()) == bool(base and base.startswith("https"))
        assert (await app.ask("GET", path)).status == 200


async def test_nobody_loses_their_person_by_the_new_name(tmp_path: Path) -> None:
    """An old cookie gets its new name, and counts by the old one until that has arrived."""
    database = sqlite_in(tmp_path)
    async with measured(make_app(Config(database, player_processes=1))) as before:
        [given] = (await before.ask("POST", "/api/me", {"name": "Ada"})).cookies
    old = given.partition(";")[0]
    config = Config(database, base_url=HTTPS, player_processes=1)
    async with measured(make_app(config)) as app:
        for _ in range(2):  # the first answer may be lost
            status, (new, _) = await cookies(app, old)
            assert status == 200
            assert new.startswith(f"{HOST}={old.partition('=')[2]};")
        new = new.partition(";")[0]
        assert await cookies(app, new, old) == (200, [])
        assert (await cookies(app, old, path="/api/me"))[0] == 403  # it has moved on
        assert (await cookies(app, new, path="/api/me"))[0] == 200
    async with measured(make_app(Config(database, player_processes=1))) as back:
        # The host gives up https: browsers don't send the new one, but our own client does.
        assert (await cookies(back, old, path="/api/me"))[0] == 200
