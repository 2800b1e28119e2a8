"""A real server and a real Chromium, one of each for all tests of the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.built_site import build_site
from tests.server.admin.operating import KEY_HASH
from tests.server.running import RunningServer, running_server

from .finding import ARGUMENTS, Missing, chromium, japanese_font
from .people import MakePerson, company
from .site import PATH


# For the package, not the session: while it lives, nothing else can run an event loop here.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    try:
        program, _ = chromium(), japanese_font()
    except Missing as missing:
        pytest.fail(str(missing), pytrace=False)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    file = tmp_path_factory.mktemp("page") / "lastspike.sqlite"
    little = {"review_playouts": 300}  # what a review finds out is tested elsewhere
    database = f"sqlite+aiosqlite:///{file}"
    with running_server(database, limits=little, admin_key_hash=KEY_HASH) as running:
        yield running


@pytest.fixture
def person(browser: Browser, server: RunningServer) -> Iterator[MakePerson]:
    """Makes people, each with a browser of their own: `person("fr", width=360)`."""
    with company(browser, server.url) as make:
        yield make


@pytest.fixture(scope="package")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site without a server, built once, in a folder that has it below a path."""
    folder = tmp_path_factory.mktemp("site")
    (folder / PATH).parent.mkdir(parents=True)
    build_site(folder / PATH)
    return folder


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[RunningServer]:
    """One that a test may kill."""
    with running_server(f"sqlite+aiosqlite:///{tmp_path / 'lastspike.sqlite'}") as running:
        yield running
