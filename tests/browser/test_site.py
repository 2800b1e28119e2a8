"""The site without a server: built, served as plain files, and played with the network off.

Only in the soak: it fetches Pyodide once, and starts Python several times.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from lastspike.rules.records import trace
from tests.rules.helpers import CONFORMANCE

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(os.environ.get("LASTSPIKE_SOAK") != "1", reason="only in the soak"),
]

ROOT = Path(__file__).parents[2]
START_MS = 120_000
"""How long Python may take to start on a busy machine."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Tests fail loudly enough."""


class Site:
    """The folder, served below a path."""

    def __init__(self, folder: Path) -> None:
        serve = partial(_Quiet, directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), serve)
        self._thread = Thread(target=self._server.serve_forever)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/games/spike/"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    subprocess.run(("make", "site"), cwd=ROOT, check=True)
    folder = tmp_path_factory.mktemp("site")
    (folder / "games").mkdir()
    (folder / "games" / "spike").symlink_to(ROOT / "build" / "site")
    return folder


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(locale="fr-FR", reduced_motion="reduce") as made:
        yield made


def visited(context: BrowserContext, site: Site) -> Page:
    """A page after a first visit, with everything saved. Nothing else was asked for."""
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site.url)
    started(page)
    page.evaluate(_SAVED)
    assert all(url.startswith((site.url, "data:", "blob:")) for url in asked)
    return page


def started(page: Page) -> None:
    """Python has started."""
    page.get_by_role("button").first.wait_for()
    expect(page.locator(".start-status")).to_have_count(0, timeout=START_MS)


def play(page: Page, turns: int) -> int:
    """Make so many turns; returns how many were made before the game was over."""
    over = page.locator(".why-card")
    for made in range(turns):
        tile = page.locator(".hand [data-tile]:not([aria-disabled])").first
        expect(tile.or_(over).first).to_be_visible(timeout=START_MS)
        if over.count():
            return made
        tile.click()
        for _ in range(8):  # land to sell, until the tile is paid for
            end = page.locator("[data-key=end-turn]:not([disabled])")
            sale = page.locator("[data-key^='move--']:not([disabled])")
            expect(end.or_(sale).first).to_be_visible()
            if end.count():
                end.click()
                break
            sale.first.click()
        expect(page.locator("[data-key=end-turn]")).to_have_count(0, timeout=START_MS)
    return turns


def test_a_whole_game_without_a_network(folder: Path, context: BrowserContext) -> None:
    site = Site(folder)
    try:
        page = visited(context, site)
    finally:
        site.close()  # the network is off, whatever the browser tries
    page.reload()
    started(page)
    page.get_by_role("button", name="Jouer maintenant").click()
    play(page, 3)
    address = page.url
    assert "/games/spike/table/" in address
    page.reload()  # in the middle of the game, at an address that is no file
    started(page)
    play(page, 60)
    expect(page.locator(".why-card")).to_be_visible(timeout=START_MS)
    page.goto(site.url)
    started(page)
    expect(page.locator(f'a[href="table/{address.rpartition("/")[2]}"]')).to_be_visible()
    other = context.new_page()
    other.goto(site.url)
    expect(other.locator(".start-status")).to_contain_text("autre onglet")
    page.close()
    started(other)
    expect(other.locator("a[href^='table/']").first).to_be_visible()


def test_games_have_the_same_traces_in_the_worker(folder: Path, browser: Browser) -> None:
    site = Site(folder)
    try:
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(site.url)
            [python] = (folder / "games" / "spike" / "python").iterdir()
            games = sorted(CONFORMANCE.glob("*.json"))
            records = [path.read_text("utf-8") for path in games]
            tracing = Path(trace.__file__).read_text("utf-8")  # which the page has no use for
            given = [f"{site.url}python/{python.name}/", tracing, records]
            traces = page.evaluate(_TRACES, given)
    finally:
        site.close()
    for path, told in zip(games, traces, strict=True):
        lines = path.with_suffix(".trace").read_text("utf-8").splitlines()
        assert json.loads(told) == [json.loads(line) for line in lines], path.name


_SAVED = """
() => new Promise((resolve) => {
  const workers = navigator.serviceWorker;
  if (workers.controller) resolve();
  else workers.addEventListener("controllerchange", () => resolve());
})
"""

_TRACES = """
async ([python, tracing, records]) => {
  const { loadPyodide } = await import(`${python}pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: python });
  const ours = await (await fetch(`${python}lastspike.zip`)).arrayBuffer();
  pyodide.unpackArchive(ours, "zip", { extractDir: "/lib/python3.14/site-packages" });
  pyodide.runPython(tracing);
  const trace = pyodide.runPython(`
import io, json
from lastspike.rules.records.record import read_records

def told(text):
    records = read_records(io.StringIO(text))
    return json.dumps([line for record in records for line in trace(record.game)])
told
`);
  return records.map((text) => trace(text));
}
"""
