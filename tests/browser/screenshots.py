"""`make screenshots`: every screen of the page, light, dark, on a phone and in each language.

    python -m tests.browser.screenshots [FOLDER] [NAME …]

A name such as `fr-phone` or `dark` makes only those sets. Those that stand in the README are
written into docs/pictures as well, in a smaller form; those are a part of the repository.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.server.running import running_server

from .finding import ARGUMENTS, Missing, chromium, japanese_font
from .people import company
from .screens import all_screens, play
from .words import LANGUAGES

CALM_MS = 900
"""A picture is taken when the rails lie and the focus rests."""
DESKTOP = {"width": 1440, "height": 900}
TABLET = {"width": 820, "height": 1180}
PHONE = {"width": 360, "height": 640, "touch": True}

SETS: dict[str, dict[str, Any]] = {
    "light": {"language": "en", **DESKTOP},
    "dark": {"language": "en", "dark": True, **DESKTOP},
    "tablet": {"language": "en", "touch": True, **TABLET},
    "phone": {"language": "en", **PHONE},
    "phone-landscape": {"language": "en", "width": 740, "height": 360, "touch": True},
    "phone-dark": {"language": "en", "dark": True, **PHONE},
    **{language: {"language": language, **DESKTOP} for language in LANGUAGES[1:]},
    **{f"{language}-phone": {"language": language, **PHONE} for language in LANGUAGES[1:]},
}


IN_README = {
    ("light", "home"): "home",
    ("light", "composed"): "table",
    ("dark", "end"): "end",
    ("fr-phone", "composed"): "phone-french",
    ("ja-phone", "table"): "phone-japanese",
    ("phone-dark", "land"): "phone-land",
}
DOCS = Path(__file__).parents[2] / "docs"


def main() -> int:
    """Write them into docs/screenshots, one folder for each set."""
    folder = DOCS / "screenshots"
    wanted = sys.argv[1:]
    if wanted and wanted[0] not in SETS:
        folder = Path(wanted.pop(0))
    try:
        program, _ = chromium(), japanese_font()
    except Missing as missing:
        print(missing, file=sys.stderr)
        return 1
    with (
        tempfile.TemporaryDirectory() as database,
        running_server(
            f"sqlite+aiosqlite:///{database}/lastspike.sqlite", limits={"review_playouts": 10_000}
        ) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        with company(browser, server.url) as make:
            games = play(make())
        for name, how in SETS.items():
            if wanted and name not in wanted:
                continue
            (folder / name).mkdir(parents=True, exist_ok=True)
            with company(browser, server.url) as make:
                me = make(**how)
                me.come()
                for number, screen in enumerate(all_screens(me, games), 1):
                    file = folder / name / f"{number:02}-{screen}.png"
                    me.page.wait_for_timeout(CALM_MS)
                    me.page.screenshot(path=file)
                    if (name, screen) in IN_README:
                        picture = DOCS / "pictures" / f"{IN_README[name, screen]}.jpg"
                        me.page.screenshot(path=picture, type="jpeg", quality=84)
                    print(file)
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
