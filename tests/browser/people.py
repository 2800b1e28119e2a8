"""A person at a browser, who finds things by their roles and names and does what people do."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    WebSocket,
    expect,
)

from lastspike.client import Person as Client
from lastspike.client import play_to_end
from lastspike.client.person import COOKIES
from lastspike.languages import tag_of

from .words import t, t_as

SLOW = 30_000
"""Milliseconds until something that should have happened counts as missing; machines are busy."""
expect.set_options(timeout=SLOW)
SILENT = """window.AudioContext = class extends AudioContext {
  constructor() { super(); void super.suspend(); }
  async resume() {}
};"""
"""Once a page may sound, it computes silence all the time: 2% of a core for each tab."""
TABLE = re.compile(r"/table/[A-Za-z0-9_-]{22}$")


class Person:
    """One page in one browser, in one language.

    Whatever the console says, whatever breaks, and any request that leaves the server is noted
    and fails the test at its end, but for what the person was told to expect.

    Texts are read by `text_content`: the page may replace a thing between finding and reading it,
    and `inner_text` is another text once a thing is no longer shown.
    """

    def __init__(self, page: Page, url: str, language: str) -> None:
        self.context = page.context
        self.url = url
        self.language = language
        self.page = page
        self.troubles: list[str] = []
        self._expected: list[re.Pattern[str]] = []
        self.page.set_default_timeout(SLOW)
        self._listeners: dict[str, Callable[[Any], None]] = {
            "console": self._console,
            "pageerror": self._error,
            "request": self._request,
            "websocket": self._socket,
        }
        for event, listener in self._listeners.items():
            self.page.on(event, listener)  # type: ignore[call-overload]

    # What goes wrong

    def expect_trouble(self, pattern: str) -> None:
        """The browser itself complains of what this test is about, such as a refused line."""
        self._expected.append(re.compile(pattern))

    def check(self) -> None:
        left = [
            trouble
            for trouble in self.troubles
            if not any(pattern.search(trouble) for pattern in self._expected)
        ]
        assert not left, "the page had troubles:\n" + "\n".join(left)

    def leave(self) -> bool:
        """Leave the tab to the next person: nothing stored, nobody listening, and on a page of the
        same server, since the browser forgets the modules of one that it leaves. Whether that was
        possible; a server that was killed has no page, and the tab is closed."""
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)
        self.page.evaluate("sessionStorage.clear()")
        try:
            self.page.goto(f"{self.url}/healthz")
        except Error:
            self.page.close()
            return False
        tab = self.context.new_cdp_session(self.page)
        tab.send("Storage.clearDataForOrigin", {"origin": self.url, "storageTypes": "all"})
        tab.detach()
        self.context.clear_cookies()
        self.context.clear_permissions()
        return True

    def _error(self, error: Error) -> None:
        self.troubles.append(f"error: {error}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            where = message.location.get("url", "")
            self.troubles.append(f"console {message.type}: {message.text} ({where})")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.url}/", "data:", "blob:")):
            self.troubles.append(f"a request left the server: {request.url}")

    def _socket(self, socket: WebSocket) -> None:
        if urlsplit(socket.url).netloc != urlsplit(self.url).netloc:
            self.troubles.append(f"a socket left the server: {socket.url}")

    # Finding things

    def t(self, message: str, **facts: object) -> str:
        return t(self.language, message, **facts)

    def t_as(self, context: str, message: str, **facts: object) -> str:
        return t_as(self.language, context, message, **facts)

    def pattern(self, message: str, **facts: str) -> re.Pattern[str]:
        """The message with whatever matches in its places; a space is a space of any width."""
        told = re.escape(self.t(message, **{name: f"<{name}>" for name in facts}))
        told = re.sub(r"(\\?\s)+", r"\\s+", told)
        for name, pattern in facts.items():
            told = told.replace(re.escape(f"<{name}>"), pattern)
        return re.compile(told)

    def button(self, message: str, **facts: object) -> Locator:
        return self.page.get_by_role("button", name=self.t(message, **facts), exact=True)

    def heading(self, message: str, **facts: object) -> Locator:
        return self.page.get_by_role("heading", name=self.t(message, **facts), exact=True)

    def field(self, message: str, **facts: object) -> Locator:
        return self.page.get_by_label(self.t(message, **facts), exact=True)

    def tab(self, message: str) -> Locator:
        return self.page.get_by_role("tab", name=self.t(message), exact=True)

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    @property
    def hand(self) -> Locator:
        return self.page.get_by_role("group", name=self.t("Your hand"), exact=True)

    @property
    def tiles(self) -> Locator:
        return self.hand.get_by_role("button")

    @property
    def tiles_to_lay(self) -> Locator:
        return self.hand.get_by_role("button", disabled=False)

    @property
    def composer(self) -> Locator:
        return self.page.get_by_role("region", name=self.t("Your turn"), exact=True)

    @property
    def advice(self) -> Locator:
        """The hint: above the choices, or beside the log on a wide screen."""
        return self.page.get_by_role("note")

    @property
    def log(self) -> Locator:
        return self.page.get_by_role("log", name=self.t("Log"), exact=True)

    @property
    def chat(self) -> Locator:
        return self.page.get_by_role("log", name=self.t("Chat"), exact=True)

    @property
    def players(self) -> Locator:
        return self.page.get_by_role("list", name=self.t("Players"), exact=True)

    @property
    def my_turn(self) -> Locator:
        return self.heading("Your turn: lay a tile")

    @property
    def finale(self) -> Locator:
        """The scores, with the way on below them."""
        return self.page.get_by_role("region", name=self.t("Final scores"), exact=True).first

    @property
    def back(self) -> Locator:
        """The way from the head of a screen to the game that it is about."""
        return self.page.get_by_role("link", name=self.t("Back to the game"), exact=True)

    @property
    def scores(self) -> Locator:
        return self.finale.get_by_role("group", name=self.t("Final scores"), exact=True)

    @property
    def map(self) -> Locator:
        told = self.pattern(
            "Map: {laid} of {all} tiles laid, {missing} to the last spike",
            laid=r"\d+",
            all=r"\d+",
            missing=r"\w+",
        )
        return self.page.get_by_role("group", name=told)

    @property
    def show_hand(self) -> Locator:
        name = self.pattern("I’m {player}: show my hand", player=".+")
        return self.page.get_by_role("button", name=name)

    # Doing things

    def come(self, path: str = "/") -> Person:
        self.page.goto(self.url + path)
        return self

    def speak(self, language: str) -> None:
        """Choose another language in the bar; the screen is drawn again."""
        if language != self.language:
            self.page.locator("#language").select_option(language)
            self.language = language
        expect(self.page.locator("html")).to_have_attribute("lang", tag_of(language))

    def resize(self, width: int, height: int) -> None:
        """And wait until the page has seen it: observers are told in the order of their making."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(
            """() => new Promise((done) => {
              const last = new ResizeObserver(() => { last.disconnect(); done(); });
              last.observe(document.body);
            })"""
        )

    def play_now(self, level: str = "Greenhorn") -> None:
        """One click; then the computers are told not to dawdle, as this is a test."""
        self.come()
        self.field("Level").select_option(value=level.lower())
        self.button("Play now").click()
        self.page.wait_for_url(TABLE)
        expect(self.map).to_be_visible()
        self.hurry()

    def name(self, name: str) -> None:
        """As if the person had been here before and had given this name."""
        self.page.evaluate(
            """name => {
              const kept = JSON.parse(localStorage.getItem("lastspike.settings") ?? "{}");
              localStorage.setItem("lastspike.settings", JSON.stringify({ ...kept, name }));
            }""",
            name,
        )
        self.page.reload()

    def type(self, typed: str) -> str:
        """Type a move or a question on the text board; the answer to it."""
        field = self.field("Type a move or a question")
        field.fill(typed)
        lines = self.page.get_by_role("log", name=self.t("Answers"), exact=True)
        before = lines.get_by_role("paragraph").count()
        field.press("Enter")
        expect(lines.get_by_role("paragraph").nth(before + 1)).to_be_attached()
        return "\n".join(lines.get_by_role("paragraph").all_text_contents()[before + 1 :])

    def give_name(self, name: str) -> None:
        """Answer the question that comes before the first seat."""
        expect(self.dialog).to_have_accessible_name(self.t("What’s your name?"))
        self.dialog.get_by_label(self.t("The other players see it."), exact=True).fill(name)
        self.dialog.get_by_role("button", name=self.t("Continue"), exact=True).click()

    def for_players(self, number: int) -> None:
        """Begin to make a table for so many."""
        self.button("Create a table").click()
        self.dialog.get_by_label(self.t("How many players?")).select_option(str(number))
        self.dialog.get_by_role("button", name=self.t("Create a table"), exact=True).click()

    def make_table(self, name: str) -> str:
        """A table for friends; the link that they get."""
        self.come()
        self.for_players(4)
        self.give_name(name)
        self.page.wait_for_url(TABLE)
        return self.field("Link to this table").input_value()

    def sit_down(self, link: str, name: str) -> None:
        self.page.goto(link)
        self.button("Sit here").first.click()
        self.give_name(name)
        expect(self.button("Ready")).to_be_visible()

    def say(self, text: str) -> None:
        self.tab("Chat").click()
        self.field("Write a message").fill(text)
        self.button("Send").click()

    def hurry(self) -> None:
        self.button("Table menu").click()
        self.dialog.get_by_label(self.t("Computer speed")).select_option(self.t("Instant"))
        self.dialog.get_by_role("button", name=self.t("Close"), exact=True).click()
        expect(self.dialog).to_have_count(0)

    def until_mine(self) -> bool:
        """Wait for the turn or the end; whether it is a turn."""
        expect(self.my_turn.or_(self.finale)).to_be_visible()
        return self.my_turn.is_visible()

    def take_turn(self, *, buy: bool = True) -> None:
        """Lay the first tile that can be laid, sell what must be, buy what is offered first."""
        self.tiles_to_lay.first.click()
        end = self.button("End turn")
        expect(end).to_be_visible()
        self.raise_money()
        offers = self.offers
        if buy and offers.count():
            offers.first.click()
            expect(offers.first).to_have_attribute("aria-pressed", "true")
        self.end_turn()

    def end_turn(self) -> None:
        end = self.button("End turn")
        end.click()
        expect(end).to_have_count(0)

    @property
    def offers(self) -> Locator:
        return self.composer.get_by_role("group").get_by_role("button")

    @property
    def sale(self) -> re.Pattern[str]:
        """The name of a button that sells a card."""
        return self.pattern("Sell {card}", card=r"[A-Z]{2,4}\d")

    def raise_money(self) -> None:
        """Sell one card after the other until the tile can be paid for."""
        selling = self.composer.get_by_role("button", name=self.sale)
        end = self.button("End turn")
        expect(end).to_be_visible()
        while end.is_disabled():
            missing = self.composer.text_content() or ""
            selling.first.click()
            expect(self.composer).not_to_have_text(missing)

    def finish(self, *others: Person) -> None:
        """Play to the end, from another device of the same person, and from one of each of the
        others at the table: for what comes after a game."""
        secrets = [
            cookie["value"]
            for one in (self, *others)
            for cookie in one.context.cookies()
            if cookie.get("name") in COOKIES
        ]
        assert len(secrets) == 1 + len(others)
        table_id = urlsplit(self.page.url).path.rpartition("/")[2]

        async def play(secret: str) -> None:
            async with (
                Client.with_secret(self.url, secret) as client,
                client.watch(table_id) as table,
            ):
                await play_to_end(table, patience=SLOW / 1000)

        async def play_all() -> None:
            await asyncio.gather(*map(play, secrets))

        # The browser's own loop runs in this thread.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, play_all()).result()
        expect(self.finale).to_be_visible()

    def play_on(self, turns: int = 1000) -> int:
        """Take so many turns, or play to the end; how many there were."""
        taken = 0
        while taken < turns and self.until_mine():
            self.take_turn()
            taken += 1
        return taken


MakePerson = Callable[..., Person]


@contextmanager
def company(browser: Browser, url: str) -> Iterator[MakePerson]:
    """Makes people, each with a browser of their own, and looks at the end how they fared.

    Their tabs are kept for the next people who come in the same language: loading the page into a
    tab that knows it takes a third of the time.
    """
    made: list[Person] = []
    kept: dict[int, tuple[Person, list[Page]]] = {}

    def make(
        language: str = "en",
        *,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        touch: bool = False,
        calm: bool = True,
        beside: Person | None = None,
        new: bool = False,
    ) -> Person:
        """Usually `calm`, somebody whose system asks for less motion: drawing all of it takes half
        of the time of a game. With `beside`, in another tab of that person's browser. With `new`,
        in a browser that nobody used before nor will again: for a test that changes the tab. Only
        such a browser makes sounds."""
        idle = _IDLE.setdefault((browser, language, touch), [])
        if beside:
            page = beside.context.new_page()
        elif idle and not new:
            page = idle.pop()
        else:
            context = browser.new_context(locale=tag_of(language), has_touch=touch, is_mobile=touch)
            if not new:
                context.add_init_script(SILENT)
            page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(
            media="null",
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if calm else "no-preference",
        )
        person = Person(page, url, language)
        made.append(person)
        if not beside and not new:
            kept[id(person)] = person, idle
        return person

    yield make
    for one in made:
        one.check()
    for one in made:
        if id(one) not in kept and not one.page.is_closed():
            one.page.close()
    for one, idle in kept.values():
        if not one.page.is_closed() and one.leave():
            idle.append(one.page)
    for one in made:
        if not one.context.pages:
            one.context.close()


_IDLE: dict[tuple[Browser, str, bool], list[Page]] = {}
"""Tabs that wait for somebody, by browser, language and whether they are touched."""
