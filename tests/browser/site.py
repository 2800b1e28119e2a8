"""The site without a server, as people visit it: once over a network, then without one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from lastspike.languages import tag_of

from .people import SILENT, Person

START_MS = 120_000
"""How long Python may take to start on a busy machine."""
PATH = "games/spike/"


class _Files(SimpleHTTPRequestHandler):
    def __init__(self, *given: Any, instead: dict[str, bytes], **others: Any) -> None:
        self._instead = instead
        super().__init__(*given, **others)

    def do_GET(self) -> None:
        name = self.path + "index.html" if self.path.endswith("/") else self.path
        content = self._instead.get(name.removeprefix(f"/{PATH}"))
        if content is None:
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("content-type", self.guess_type(name))
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Tests fail loudly enough."""


class Site:
    """The folder, served below a path. `instead` replaces single files."""

    def __init__(self, folder: Path) -> None:
        self.instead: dict[str, bytes] = {}
        serve = partial(_Files, directory=str(folder), instead=self.instead)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), serve)
        self._thread = Thread(target=self._server.serve_forever)
        self._thread.start()
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        self.url = f"{self.origin}/{PATH}"

    def close(self) -> None:
        """The network is off, whatever the browser tries."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def served(folder: Path) -> Iterator[Site]:
    site = Site(folder)
    try:
        yield site
    finally:
        site.close()


@contextmanager
def traveller(
    browser: Browser, folder: Path, language: str, instead: dict[str, bytes] | None = None
) -> Iterator[Person]:
    """Somebody whose network is off since their first visit. `instead` replaces files."""
    with browser.new_context(locale=tag_of(language), reduced_motion="reduce") as context:
        context.add_init_script(SILENT)
        with served(folder) as site:
            site.instead.update(instead or {})
            page = visited(context, site)
        me = Person(page, site.url.rstrip("/"), language)
        page.reload()
        started(page)
        yield me
        me.check()


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


_SAVED = """
() => new Promise((resolve) => {
  const workers = navigator.serviceWorker;
  if (workers.controller) resolve();
  else workers.addEventListener("controllerchange", () => resolve());
})
"""
