"""The site without a server: built, served as plain files, and played with the network off.

Only in the soak: it fetches Pyodide once, and starts Python several times.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from lastspike.rules.records import trace
from tests.rules.helpers import CONFORMANCE
from tests.sizes import FULL_SIZE

from .site import PATH, START_MS, served, started, visited

pytestmark = list(FULL_SIZE)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(locale="fr-FR", reduced_motion="reduce") as made:
        yield made


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


def test_a_whole_game_without_a_network(site_folder: Path, context: BrowserContext) -> None:
    with served(site_folder) as site:
        page = visited(context, site)
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


def test_games_have_the_same_traces_in_the_worker(site_folder: Path, browser: Browser) -> None:
    with served(site_folder) as site, browser.new_context() as context:
        page = context.new_page()
        page.goto(site.url)
        [python] = (site_folder / PATH / "python").iterdir()
        games = sorted(CONFORMANCE.glob("*.json"))
        records = [path.read_text("utf-8") for path in games]
        tracing = Path(trace.__file__).read_text("utf-8")  # which the page has no use for
        given = [f"{site.url}python/{python.name}/", tracing, records]
        traces = page.evaluate(_TRACES, given)
    for path, told in zip(games, traces, strict=True):
        lines = path.with_suffix(".trace").read_text("utf-8").splitlines()
        assert json.loads(told) == [json.loads(line) for line in lines], path.name


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
