"""The walk without a server, with the network off after the first visit.

Only in the soak, as test_site.py.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
from playwright.sync_api import Browser, BrowserContext, Error, expect

from lastspike.rules.records.record import read_record
from lastspike.rules.records.shuffle import commitment
from lastspike.server.offline.players import PLAYERS
from tests.server.paper import secret_of
from tests.server.running import RunningServer
from tests.sizes import FULL_SIZE

from .finding import ARGUMENTS, chromium
from .learner import TURNS, Learner
from .people import SILENT, TABLE, Person
from .screens import curtain
from .site import PATH, START_MS, served, started, traveller, visited
from .test_one_device import REST, assert_nothing_shown

pytestmark = list(FULL_SIZE)

SECRET = secret_of("offline")


def test_the_first_turns_of_the_lesson(site_folder: Path, browser: Browser) -> None:
    with traveller(browser, site_folder, "ja") as me:
        learner = Learner(me).begin()
        for moves in TURNS[:2]:
            learner.take_turn(moves)


def test_a_whole_game_against_each_level_and_a_review(site_folder: Path, browser: Browser) -> None:
    """By messages to the worker, as the page sends them; the review by the page itself."""
    with traveller(browser, site_folder, "en") as me:
        made = ""
        for level in PLAYERS:
            made, raw = played(me, level)
            record = read_record(raw)
            assert record.game.over
            assert raw["players"][1]["level"] == level
        me.come(f"/table/{made}")
        me.button("Review the game").click()
        expect(me.page.get_by_text("Without a server, Speculator judges the turns.")).to_be_visible(
            timeout=10 * START_MS
        )
        expect(me.heading("Luck and play")).to_be_visible()
        me.page.reload()  # it is stored
        expect(me.heading("Mistakes")).to_be_visible(timeout=START_MS)
        me.back.click()
        me.button("Separate luck from play").click()
        expect(me.page.locator(".luck-bars")).to_be_visible()


def test_a_record_is_opened_reviewed_and_verified(site_folder: Path, browser: Browser) -> None:
    with traveller(browser, site_folder, "fr") as me:
        _, raw = played(me, "greenhorn")
        me.come()
        started(me.page)
        with me.page.expect_file_chooser() as chooser:
            me.button("Choose a file").click()
        content = me.page.evaluate("record => JSON.stringify(record)", raw).encode()
        chooser.value.set_files(
            {"name": "game.json", "mimeType": "application/json", "buffer": content}
        )
        expect(me.finale).to_be_visible(timeout=START_MS)
        me.button("Check the shuffle").click()
        expect(me.page.locator(".verdict.good")).to_be_visible()
        me.page.go_back()
        me.button("Review the game").click()
        expect(me.heading("Mistakes")).to_be_visible(timeout=10 * START_MS)


def test_the_device_is_passed_around(site_folder: Path, browser: Browser) -> None:
    with traveller(browser, site_folder, "pt") as us:
        curtain(us)
        for _ in range(3):
            expect(us.show_hand).to_be_visible()
            assert_nothing_shown(us, [])
            us.show_hand.click()
            expect(us.my_turn).to_be_visible()
            us.take_turn()
        found = us.page.evaluate(REST)
        assert found["turns"] > 20
        assert not found["shown"]
        expect(us.finale).to_be_visible()


def test_of_two_tabs_one_plays_and_the_other_says_so(site_folder: Path, browser: Browser) -> None:
    with traveller(browser, site_folder, "en") as me:
        me.play_now()
        me.play_on(1)
        second = me.context.new_page()
        second.goto(me.page.url)
        told = second.locator(".start-status")
        expect(told).to_contain_text("The game is open in another tab. Close it there to play here")
        me.play_on(1)  # the first goes on as if nothing had been
        me.until_mine()
        hand = me.tiles.all_text_contents()
        expect(told).to_be_visible()
        me.page.close()
        started(second)
        other = Person(second, me.url, "en")
        expect(other.my_turn).to_be_visible()
        assert other.tiles.all_text_contents() == hand
        other.take_turn()


def test_a_full_disk_loses_nothing_that_was_acknowledged(
    site_folder: Path, browser: Browser
) -> None:
    """Chromium doesn't hold its headless self to a quota. So the transactions are broken off, as
    they are when there is no room."""
    path, source = shelf(site_folder)
    change = b"change(names.map((name) => transaction.objectStore(name)));"
    assert source.count(change) == 1
    listening = b'new BroadcastChannel("full").onmessage = ({ data }) => (self.full = data);\n'
    fails = listening + source.replace(change, change + b" if (self.full) transaction.abort();")
    with traveller(browser, site_folder, "fr", {path: fails}) as me:
        me.play_now()
        me.play_on(2)
        me.until_mine()
        hand, turns = me.tiles.all_text_contents(), me.log.get_by_role("heading").count()
        me.page.evaluate(_FULL, True)
        me.tiles_to_lay.first.click()
        me.raise_money()
        me.button("End turn").click()
        told = me.page.get_by_text(re.compile("navigateur ne peut rien enregistrer"))
        expect(told.first).to_be_visible()
        me.page.reload()
        expect(me.button("End turn")).to_be_visible(timeout=START_MS)  # what was composed is kept
        assert me.tiles.all_text_contents() == hand
        assert me.log.get_by_role("heading").count() == turns
        me.raise_money()
        me.end_turn()
        assert me.until_mine()
        assert me.log.get_by_role("heading").count() > turns


def test_without_storage_it_says_that_games_last_as_long_as_the_tab(
    site_folder: Path, browser: Browser
) -> None:
    """As in private windows of some browsers, where IndexedDB can't be opened."""
    with (
        served(site_folder) as site,
        browser.new_context(locale="en", service_workers="block") as context,
    ):
        path, source = shelf(site_folder)
        site.instead[path] = b"const indexedDB = undefined;\n" + source
        context.add_init_script(SILENT)
        page = context.new_page()
        me = Person(page, site.url.rstrip("/"), "en")
        me.expect_trouble("Service Worker registration blocked")
        me.come()
        told = "This browser doesn’t let the game save anything."
        expect(page.get_by_text(told)).to_be_visible(timeout=START_MS)
        started(page)
        me.play_now()
        me.play_on(2)
        me.check()


def test_a_new_version_keeps_the_game(site_folder: Path, browser: Browser) -> None:
    with served(site_folder) as site, browser.new_context(locale="fr") as context:
        context.add_init_script(SILENT)
        page = visited(context, site)
        me = Person(page, site.url.rstrip("/"), "fr")
        me.play_now()
        me.play_on(2)
        me.until_mine()
        hand, address = me.tiles.all_text_contents(), page.url
        file = site_folder / PATH / "offline-cache.js"
        newer = re.sub(rb'"version": "\w+"', b'"version": "newer"', file.read_bytes(), count=1)
        assert newer != file.read_bytes()
        site.instead["offline-cache.js"] = newer
        page.reload()
        reload = page.locator("[data-key=renew]")
        expect(reload).to_be_visible(timeout=START_MS)
        assert len(page.evaluate("caches.keys()")) == 2  # until then, the old one answers
        with page.expect_navigation():
            reload.click()
        expect(me.my_turn).to_be_visible(timeout=START_MS)
        assert page.url == address
        assert me.tiles.all_text_contents() == hand
        assert page.evaluate("caches.keys()") == ["lastspike-site-newer"]
        me.play_on(1)


def test_a_killed_browser_loses_no_acknowledged_turn(
    site_folder: Path, browser: Browser, tmp_path: Path
) -> None:
    profile = tmp_path / "profile"

    def launched() -> BrowserContext:
        return browser.browser_type.launch_persistent_context(
            profile, executable_path=chromium(), args=ARGUMENTS, locale="en"
        )

    def kill() -> None:
        for process in psutil.Process().children(recursive=True):
            if any(str(profile) in part for part in process.cmdline()):
                process.kill()

    context = launched()
    with served(site_folder) as site:
        page = visited(context, site)
    for most in (3, 8, 13):
        acknowledged: list[tuple[str, int]] = []

        def note(table: str, number: int, kept: Any = acknowledged, enough: int = most) -> None:
            kept.append((table, number))
            if len(kept) == enough:
                kill()  # the next turn is under way

        page.expose_function("acknowledged", note)
        with pytest.raises(Error, match="closed"):
            page.evaluate(_GAME, ["clerk", SECRET.hex(), commitment(SECRET).hex()])
        context = launched()
        page = context.new_page()
        table, number = acknowledged[-1]
        page.goto(f"{site.url}table/{table}")
        started(page)
        assert page.evaluate(_TURN, table) > number
        me = Person(page, site.url.rstrip("/"), "en")
        me.take_turn()
        me.until_mine()
    context.close()


@pytest.mark.parametrize("known", [True, False])
def test_a_game_goes_on_at_a_server(
    site_folder: Path, browser: Browser, server: RunningServer, known: bool
) -> None:
    """In one press if the site knows an address, else by a file."""
    page = (site_folder / PATH / "index.html").read_text("utf-8")
    unknown = html.escape('"playAt": ""')
    assert unknown in page
    if known:
        page = page.replace(unknown, html.escape(f'"playAt": "{server.url}/"'))
    with traveller(browser, site_folder, "en", {"index.html": page.encode()}) as me:
        me.expect_trouble("left the server")
        me.play_now()
        me.play_on(2)
        me.until_mine()
        hand, laid = me.tiles.all_text_contents(), me.map.aria_snapshot().splitlines()[0]
        me.button("Table menu").click()
        move = me.dialog.locator("[data-key=continue-elsewhere]")
        if known:
            expect(move).to_contain_text(server.url.partition("//")[2])
            move.click()
            me.button("Continue the game").click()
        else:
            with me.page.expect_download() as download:
                move.click()
            expect(me.page.get_by_text("The game is saved as a file.")).to_be_visible()
            me.page.goto(server.url)
            with me.page.expect_file_chooser() as chooser:
                me.button("Choose a file").click()
            chooser.value.set_files(download.value.path())
        me.page.wait_for_url(f"{server.url}/table/*")
        expect(me.my_turn).to_be_visible()
        assert me.tiles.all_text_contents() == hand
        assert me.map.aria_snapshot().splitlines()[0] == laid
        me.take_turn()
        me.until_mine()


def shelf(site_folder: Path) -> tuple[str, bytes]:
    """The module that stores games: its path in the site, and its text."""
    [file] = (site_folder / PATH / "web").glob("*/js/local/shelf.js")
    return file.relative_to(site_folder / PATH).as_posix(), file.read_bytes()


def played(me: Person, level: str) -> tuple[str, dict[str, Any]]:
    """The table and the record of a game that a computer player has just lost or won."""
    told = [level, SECRET.hex(), commitment(SECRET).hex()]
    table, record = me.page.evaluate(_GAME, told)
    assert TABLE.search(f"/table/{table}")
    return table, record


_FULL = """(full) => new BroadcastChannel("full").postMessage(full)"""
"""From now on nothing can be stored."""

_TURN = """
async (table) => {
  const modules = new URL(`web/${document.documentElement.dataset.version}/js/`, document.baseURI);
  const { openSocket } = await import(new URL("lib/api.js", modules).href);
  return await new Promise((resolve) => {
    const socket = openSocket(table);
    const hello = JSON.stringify({ type: "hello", protocol: 1, language: "en" });
    socket.onopen = () => socket.send(hello);
    socket.onmessage = ({ data }) => {
      const { view } = JSON.parse(data);
      if (!view) return;
      socket.close();
      resolve(view.number);
    };
  });
}
"""
"""The turn that a table has come to."""

_GAME = """
async ([level, secret, commitment]) => {
  const modules = new URL(`web/${document.documentElement.dataset.version}/js/`, document.baseURI);
  const { get, openSocket, post } = await import(new URL("lib/api.js", modules).href);
  const seats = ["me", level];
  const { table } = await post("api/tables/", { name: "Ada", seats, settings: { pace: 0 } });
  await new Promise((over, failed) => {
    const socket = openSocket(table);
    const waiting = new Map();
    let requests = 0;
    let played = 0;
    const send = (message) => socket.send(JSON.stringify(message));
    const ask = (message) => new Promise((resolve) => {
      const id = `r${++requests}`;
      waiting.set(id, resolve);
      send({ ...message, id });
    });
    const begin = async () => {
      await ask({ type: "ready", round: 1, commitment });
      await ask({ type: "reveal", round: 1, secret });
    };
    const turn = async ({ number, legal }) => {
      const moves = [];
      for (let ahead = { legal, turn_over: false }; !ahead.turn_over; ) {
        moves.push(ahead.legal[0]);
        ahead = await ask({ type: "preview", moves });
      }
      const answer = await ask({ type: "turn", turn: number, moves });
      if (answer.type !== "accepted") throw new Error(JSON.stringify(answer));
      window.acknowledged?.(table, number);
    };
    socket.onopen = () => send({ type: "hello", protocol: 1, language: "en" });
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      waiting.get(message.id)?.(message);
      if (message.type === "welcome") begin().catch(failed);
      const { view } = message;
      if (view?.phase === "over") {
        socket.close();
        over();
      } else if (view && view.turn === view.seat && view.number > played) {
        played = view.number;
        turn(view).catch(failed);
      }
    };
  });
  return [table, await get(`api/tables/${table}/record`)];
}
"""
"""Plays a game to its end; its table and its record. `acknowledged` hears of each own turn."""
