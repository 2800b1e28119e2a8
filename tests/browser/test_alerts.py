"""Alerts in the page: turned on, they arrive as push to a service worker while the page is closed,
and as e-mail until one click ends it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine, Iterator
from datetime import date, timedelta
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Locator, expect

from lastspike import protocol as p
from lastspike.client import Person as Client
from lastspike.client.playing import play_turn
from lastspike.server.alerts.messages import Item, push_content
from tests.server.alerts.receivers import Browser as Subscriber
from tests.server.alerts.receivers import Mailbox
from tests.server.company import Letterbox, begin, same_step
from tests.server.running import RunningServer, running_server

from .layout import faults_in_every_language
from .people import MakePerson, Person, company

T = TypeVar("T")

PHONE, DESK = (390, 844), (1280, 800)

SUBSCRIBES = """subscription => {
  const made = { toJSON: () => subscription, unsubscribe: async () => true };
  PushManager.prototype.subscribe = async () => { sessionStorage.subscribed = "1"; return made; };
  const asked = () => sessionStorage.permission ?? "default";
  Object.defineProperty(Notification, "permission", { get: asked });
  Notification.requestPermission = async () => (sessionStorage.permission = "granted");
  PushManager.prototype.getSubscription = async () => (sessionStorage.subscribed ? made : null);
}"""
"""A browser asks its maker's push service; this one has the push service of the test. A browser
without a window refuses all notifications, so the page and the worker get others instead."""

SHOWS = """() => {
  self.shown = [];
  registration.showNotification = async (title, { body, tag }) => void self.shown.push([body, tag]);
  registration.getNotifications = async () => self.shown;
  navigator.setAppBadge = async () => {};
}"""
"""A browser without a window can show neither notifications nor badges: it crashes."""


class Game:
    """A game of days between Ada, whose browser is tested, and Bob, on a thread of its own."""

    def __init__(self, server: RunningServer) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever)
        self._thread.start()
        self.ada = Client(server.url, "Ada")
        self.bob = Client(server.url, "Bob")
        self.table = self.do(self.start())

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def close(self) -> None:
        async def leave() -> None:
            for client in (self.ada, self.bob):
                await client.__aexit__()

        self.do(leave())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def start(self) -> str:
        table = await self.ada.create(["me", None], p.Settings(pace=0, clock=p.DaysClock(3)))
        await self.bob.take_seat(table)
        async with self.ada.watch(table) as a, self.bob.watch(table) as b:
            await begin(a, b)
            await same_step(a, b)
            if a.my_turn:
                await play_turn(a)
                await same_step(a, b)
        return table

    def plays(self, client: Client) -> None:
        async def play() -> None:
            async with client.watch(self.table) as table:
                await play_turn(table)

        self.do(play())


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with Mailbox() as box:
        yield box


@pytest.fixture
def clock(tmp_path: Path) -> Path:
    """By how many seconds the server's clock is wrong."""
    file = tmp_path / "clock"
    file.write_text("0")
    return file


@pytest.fixture
def alerting_server(tmp_path: Path, mailbox: Mailbox, clock: Path) -> Iterator[RunningServer]:
    with running_server(
        f"sqlite+aiosqlite:///{tmp_path / 'alerts.sqlite'}",
        allow_private_webhooks=True,
        smtp_host="127.0.0.1",
        smtp_port=mailbox.port,
        smtp_security="none",
        mail_from="spike@example.org",
        clock=clock,
    ) as running:
        yield running


@pytest.fixture
def game(alerting_server: RunningServer) -> Iterator[Game]:
    made = Game(alerting_server)
    yield made
    made.close()


@pytest.fixture
def visitor(browser: Any, alerting_server: RunningServer) -> Iterator[MakePerson]:
    with company(browser, alerting_server.url) as make:
        yield make


def _wait_for(page: Any, true: Any) -> Any:
    """Something outside of the page, while the page goes on."""
    for _ in range(600):
        found = true()
        if found:
            return found
        page.wait_for_timeout(50)
    raise AssertionError("it did not come")


def test_a_turn_finds_ada_as_push_and_as_mail(
    visitor: MakePerson, game: Game, mailbox: Mailbox
) -> None:
    with Letterbox() as service:
        me = visitor("fr", width=390, height=844, new=True)
        _become(me, game.ada)
        subscriber = Subscriber(service, "ada")
        given = subscriber.subscription()
        keys = {"p256dh": given.p256dh, "auth": given.auth}
        subscription = json.dumps({"endpoint": given.endpoint, "keys": keys})
        me.page.add_init_script(f"({SUBSCRIBES})({subscription})")
        _push(me, game, service, subscriber)
        _mail(me, game, mailbox)
        _next_game(me, game)


def _become(me: Person, client: Client) -> None:
    """The browser is a device of this person."""
    assert client.secret is not None
    me.context.add_cookies([{"name": "lastspike", "value": client.secret, "url": me.url}])


def _next_game(me: Person, game: Game) -> None:
    """After a turn, the way to the next game, and the offer of alerts."""
    first = game.table
    game.table = game.do(game.start())
    game.plays(game.bob)
    me.come(f"/table/{first}")
    expect(me.my_turn).to_be_visible()
    me.take_turn()
    expect(me.button("Alert me on this device")).to_be_visible()
    me.button("No, thanks").click()
    expect(me.button("Alert me on this device")).to_have_count(0)
    waiting = me.t("Next game waiting for you: {players}", players="Bob")
    me.page.get_by_role("link", name=waiting, exact=True).click()
    expect(me.page).to_have_url(f"{me.url}/table/{game.table}")
    expect(me.my_turn).to_be_visible()


def _push(me: Person, game: Game, service: Letterbox, subscriber: Subscriber) -> None:
    me.come("/alerts")
    state = me.page.locator("[data-state]")
    off = "You don’t get alerts on this device while the page is closed."
    expect(state).to_have_text(me.t(off))
    me.page.evaluate("sessionStorage.permission = 'denied'")
    me.page.reload()
    expect(state).to_have_attribute("data-state", "denied")
    expect(me.button("Turn on")).to_have_count(0)
    me.page.evaluate("sessionStorage.permission = 'default'")
    me.page.reload()
    me.button("Turn on").click()
    expect(state).to_have_attribute("data-state", "on")
    content = json.loads(push_content([Item("your_turn", game.table, ("Bob",))], me.url, "fr"))
    me.page.goto(f"{me.url}/healthz")  # the page is closed
    assert _shown(me, content) == [[content["body"], game.table]]
    game.plays(game.bob)
    (letter,) = _wait_for(me.page, lambda: service.letters)
    sent = subscriber.read(letter)
    assert {**sent, "body": ""} == {**content, "body": ""}
    assert sent["body"].startswith("C’est à vous de jouer contre Bob. Temps restant")
    assert sent["body"].endswith("3 jours.")
    me.come("/alerts")
    me.button("Turn off").click()
    expect(state).to_have_attribute("data-state", "off")


def _shown(me: Person, content: dict[str, Any]) -> Any:
    """What the service worker shows of a message that its browser gets."""
    (worker,) = me.context.service_workers
    worker.evaluate(SHOWS)
    found: list[Any] = []
    devtools = me.context.new_cdp_session(me.page)
    registered = "ServiceWorker.workerRegistrationUpdated"
    devtools.on(registered, lambda told: found.extend(told["registrations"]))
    devtools.send("ServiceWorker.enable")
    registration = _wait_for(me.page, lambda: found)[0]["registrationId"]
    message = {"registrationId": registration, "data": json.dumps(content)}
    devtools.send("ServiceWorker.deliverPushMessage", {"origin": me.url, **message})
    return _wait_for(me.page, lambda: worker.evaluate("self.shown"))


def _mail(me: Person, game: Game, mailbox: Mailbox) -> None:
    _confirm(me, mailbox)
    me.page.goto(f"{me.url}/healthz")
    game.plays(game.ada)
    game.plays(game.bob)
    mail = _wait_for(me.page, lambda: mailbox.mails[1:])[0]
    assert mail["Subject"].startswith("C’est à vous de jouer contre Bob")
    _unsubscribe(me, mail["List-Unsubscribe"].strip("<>"))


def _confirm(me: Person, mailbox: Mailbox) -> None:
    """From the form, by the link in the first e-mail."""
    me.field("E-mail address").fill("ada@example.org")
    me.button("Send confirmation e-mail").click()
    tag = me.page.get_by_text(me.t("not confirmed yet"), exact=True)
    expect(tag).to_be_visible()
    (asks,) = _wait_for(me.page, lambda: mailbox.mails[:1])
    me.page.goto(re.findall(r"http\S+", asks.get_content())[0])
    me.button("Confirm").click()
    expect(me.heading("By e-mail")).to_be_visible()
    expect(tag).to_have_count(0)


def _unsubscribe(me: Person, link: str) -> None:
    me.page.goto(link)
    found = faults_in_every_language(
        me, "unsubscribe", lambda: expect(me.button("Stop these e-mails")).to_be_visible()
    )
    assert not found, "\n" + "\n".join(found)
    me.button("Stop these e-mails").click()
    expect(me.page.get_by_role("status").first).to_have_text(
        me.t("Done. This address will no longer get e-mail from us.")
    )
    me.come("/alerts")
    expect(me.heading("By e-mail")).to_be_visible()
    expect(me.page.get_by_text("ada@example.org", exact=True)).to_have_count(0)


@pytest.mark.parametrize(("language", "size"), [("pt-BR", PHONE), ("ja", DESK)])
def test_what_ada_chooses_is_kept_and_others_see_her_vacation(
    visitor: MakePerson,
    game: Game,
    mailbox: Mailbox,
    clock: Path,
    language: str,
    size: tuple[int, int],
) -> None:
    """A webhook, an e-mail that is ended by its link, quiet hours and a digest, a vacation, and a
    reminder to another player; and their screens in every language."""
    width, height = size
    touch = size == PHONE
    with Letterbox() as service:
        me = visitor(language, width=width, height=height, touch=touch, new=True)
        _become(me, game.ada)
        subscriber = Subscriber(service, "bob")
        game.do(game.bob.add_push(subscriber.subscription("pt")))
        me.come("/alerts")
        _webhook_and_mail(me, game, service, mailbox)
        _choices(me)
        other = visitor("fr", width=width, height=height, touch=touch, new=True)
        _become(other, game.bob)
        _vacation(me, other, game)
        other.page.close()
        _remind(me, game, service, subscriber, clock)


def _webhook_and_mail(me: Person, game: Game, service: Letterbox, mailbox: Mailbox) -> None:
    """The turn comes to both at once; then the one is ended by its link, the other on the page."""
    me.page.get_by_text(me.t("In other apps"), exact=True).click()
    url = f"{service.url}/hook"
    me.field("Webhook URL").fill(url)
    me.field("App").select_option("ntfy")
    me.button("Add").click()
    expect(me.page.get_by_text(url, exact=True)).to_be_visible()
    _confirm(me, mailbox)
    me.page.goto(f"{me.url}/healthz")  # the page is closed
    game.plays(game.bob)
    (letter,) = _wait_for(me.page, lambda: [to for to in service.letters if to.path == "/hook"])
    said = f"{me.url}/table/{game.table}"
    assert (letter.headers["click"], letter.body.decode().endswith(said)) == (said, True)
    mail = _wait_for(me.page, lambda: mailbox.mails[1:])[0]
    _unsubscribe(me, mail["List-Unsubscribe"].strip("<>"))
    row = me.page.get_by_text(url, exact=True).locator("..")
    row.get_by_role("button", name=me.t_as("from a list", "Remove"), exact=True).click()
    expect(me.page.get_by_text(url, exact=True)).to_have_count(0)


CHOSEN = {
    "Quiet hours from": "1320",
    "Quiet hours until": "420",
    "Daily digest at": "480",
    "A game is over": "false",
}


def _choices(me: Person) -> None:
    """They are stored at once, and shown when the page is opened again."""
    for label, value in CHOSEN.items():
        with me.page.expect_response(lambda answer: answer.request.method == "PUT") as stored:
            me.field(label).select_option(value)
        assert stored.value.ok
    me.page.reload()
    for label, value in CHOSEN.items():
        expect(me.field(label)).to_have_value(value)


def _vacation(me: Person, other: Person, game: Game) -> None:
    other.come(f"/table/{game.table}")
    shown = other.pattern("on vacation through {date}", date=".+")
    expect(other.players).to_be_visible()
    expect(other.players.get_by_text(shown)).to_have_count(0)
    today = date.fromisoformat(me.page.evaluate("new Intl.DateTimeFormat('sv').format()"))
    me.field("First day").fill(today.isoformat())
    me.field("Last day").fill((today + timedelta(days=9)).isoformat())
    me.button("Add vacation").click()
    expect(me.button("I’m back")).to_be_visible()
    expect(other.players.get_by_text(shown)).to_be_visible()
    found = faults_in_every_language(
        me, "alerts", lambda: expect(me.heading("Vacation")).to_be_visible()
    )
    found += faults_in_every_language(
        other, "a table with a vacation", lambda: expect(other.players).to_be_visible()
    )
    assert not found, "\n" + "\n".join(found)
    me.button("I’m back").click()
    expect(other.players.get_by_text(shown)).to_have_count(0)


def _remind(
    me: Person, game: Game, service: Letterbox, subscriber: Subscriber, clock: Path
) -> None:
    """Bob may be reminded a day after his turn began, and then not for another day."""

    def remind() -> Locator:
        return me.button("Remind {player}", player="Bob")

    game.plays(game.ada)
    me.come(f"/table/{game.table}")
    expect(me.map).to_be_visible()
    expect(remind()).to_have_count(0)
    clock.write_text(str(25 * 3600))
    me.page.reload()
    expect(remind()).to_be_visible()
    found = faults_in_every_language(
        me, "a table with a reminder", lambda: expect(remind()).to_be_visible()
    )
    assert not found, "\n" + "\n".join(found)
    remind().click()
    expect(remind()).to_have_count(0)
    reminder = Item("nudge", game.table, ("Ada",), who="Ada")
    content = json.loads(push_content([reminder], me.url, "pt"))
    _wait_for(
        me.page,
        lambda: any(
            subscriber.read(letter) == content
            for letter in service.letters
            if letter.path == subscriber.path
        ),
    )
