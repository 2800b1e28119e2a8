"""How quick the page is in a real Chromium, beside another checkout in the same run.

    python -m bench.page [--rounds 5] [--turns 6] [--language en] [--other CHECKOUT] [--json]

Each round opens an empty browser, loads home, starts a game against computers and takes some turns.
Measured are the bytes of the first visit, the time until the first button can be pressed, and the
time that scripts take to handle a message. Checkouts take turns within a round; the figures are
medians over the rounds. The installed dependencies serve both.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, expect, sync_playwright
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tests.browser.finding import ARGUMENTS, chromium
from tests.browser.people import Person, company
from tests.browser.weight import weigh

ROOT = Path(__file__).parents[1]
ADDRESS = re.compile(r"http://\S+:\d+(?=/)")
PROMISED = {
    "first visit, kB": 150,
    "interactive, ms": 1000,
    "redraw, ms": 16,
    "preview, ms": 16,
    "first visit, requests": 15,
    "slow phone: home, ms": 3000,
}
SLOW = {"offline": False, "latency": 562, "downloadThroughput": 180_000, "uploadThroughput": 84_000}
"""A phone on a poor line: milliseconds for a round trip, bytes a second."""
SLOW_CPU = 4

WATCH = """
  window.handled = [];
  const given = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
  Object.defineProperty(WebSocket.prototype, "onmessage", {
    ...given,
    set(handler) {
      given.set.call(this, (event) => {
        const from = performance.now();
        handler.call(this, event);
        window.handled.push([JSON.parse(event.data).type, performance.now() - from]);
      });
    },
  });
  new MutationObserver((_, watching) => {
    if (!document.querySelector("main button")) return;
    watching.disconnect();
    window.ready = performance.now();
  }).observe(document, { childList: true, subtree: true });
"""


@contextmanager
def served(checkout: Path) -> Iterator[str]:
    """The address of a server that runs this checkout's source."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {key: value for key, value in os.environ.items() if "LASTSPIKE" not in key}
        settings = {"LASTSPIKE_PORT": "0", "PYTHONPATH": str(checkout / "src"), "LC_ALL": "C.UTF-8"}
        process = subprocess.Popen(
            [sys.executable, "-m", "lastspike", "serve", "--database", f"{folder}/games.sqlite"],
            env={**kept, **settings, "PYTHONUNBUFFERED": "1"},
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            assert process.stdout is not None
            printed = []
            for line in process.stdout:
                printed.append(line)
                if found := ADDRESS.search(line):
                    yield found[0]
                    break
            else:
                sys.exit(f"The server of {checkout} did not start:\n{''.join(printed)}")
        finally:
            process.terminate()
            process.communicate()


def visit(browser: Browser, url: str, language: str, turns: int) -> dict[str, float]:
    """One first visit and some turns of a game."""
    with company(browser, url) as person:
        me: Person = person(language, width=1440, height=900, calm=False, new=True)
        me.page.add_init_script(WATCH)
        weight = weigh(me)
        me.come()
        expect(me.button("Play now")).to_be_enabled()
        ready = me.page.evaluate("window.ready")
        me.page.wait_for_load_state("networkidle")
        me.play_now()
        loaded, asked = sum(weight.values()), len(weight)
        me.play_on(turns)
        handled = me.page.evaluate("window.handled")
        spent = {
            kind: [ms for told, ms in handled if told == kind] for kind in ("news", "previewed")
        }
    return {
        "first visit, kB": loaded / 1000,
        "first visit, requests": asked,
        "interactive, ms": ready,
        "redraw, ms": median(spent["news"]),
        "redraw, 90 of 100, ms": quantiles(spent["news"], n=10)[-1],
        "preview, ms": median(spent["previewed"]),
    }


def slow_visit(browser: Browser, url: str, language: str) -> dict[str, float]:
    """A first visit on a slow phone: until home can be used, and from there until a table can."""
    with company(browser, url) as person:
        me: Person = person(language, width=390, height=844, touch=True, calm=False, new=True)
        me.page.add_init_script(WATCH)
        devtools = me.context.new_cdp_session(me.page)
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", SLOW)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
        me.come()
        expect(me.button("Play now")).to_be_enabled()
        ready = me.page.evaluate("window.ready")
        me.page.wait_for_load_state("networkidle")
        begun = me.page.evaluate("performance.now()")
        me.button("Play now").click()
        expect(me.map).to_be_visible()
        playing = me.page.evaluate("performance.now()")
    return {"slow phone: home, ms": ready, "slow phone: to the table, ms": playing - begun}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--language", default="en")
    parser.add_argument("--other", type=Path, help="another checkout, such as one of last week")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()

    checkouts = {"this": ROOT, **({"other": asked.other.resolve()} if asked.other else {})}
    found: dict[str, list[dict[str, float]]] = {name: [] for name in checkouts}
    console = Console(stderr=True)
    with ExitStack() as stack:
        urls = {name: stack.enter_context(served(path)) for name, path in checkouts.items()}
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        progress = stack.enter_context(Progress(console=console, transient=True))
        for _ in progress.track(range(asked.rounds), description="Rounds"):
            for name, url in urls.items():
                measured = visit(browser, url, asked.language, asked.turns)
                measured |= slow_visit(browser, url, asked.language)
                found[name].append(measured)
        browser.close()

    figures = {
        name: {what: median(one[what] for one in rounds) for what in rounds[0]}
        for name, rounds in found.items()
    }
    if asked.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    table = Table("median of the rounds", *figures, "promised")
    for what in figures["this"]:
        promised = f"< {PROMISED[what]}" if what in PROMISED else ""
        table.add_row(what, *(f"{told[what]:.1f}" for told in figures.values()), promised)
    Console().print(table)


if __name__ == "__main__":
    main()
