"""The page's rooms: what each may import, how many files it holds, and that `docs/page.md` lists
every module. Reads the files; needs no browser."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path, PurePosixPath
from posixpath import normpath

ROOT = Path(__file__).parents[2]
WEB = ROOT / "src" / "lastspike" / "web"
JS = WEB / "js"
MODULES = sorted(path.relative_to(JS).as_posix() for path in JS.rglob("*") if path.is_file())
MOST_FILES = 12

MAY_IMPORT: dict[str, set[str]] = {
    "lib": set(),
    "local": {"lib"},
    "game": {"lib"},
    "map": {"lib", "game"},
    "alerts": {"lib", "game"},
    "worker": set(),  # the service worker runs without the page
    # The end of a game uses the charts of the review; a table offers to turn alerts on.
    "table": {"lib", "game", "map", "review", "alerts", "daily"},
    "daily": {"lib", "game", "review"},  # the proof deals the tiles as a shuffle check does
    "edition": {"lib", "game", "map"},
    "rules": {"lib", "game", "map"},
    "review": {"lib", "game", "map"},
    "history": {"lib", "game"},
    "admin": {"lib", "game"},
    "lesson": {"lib", "game", "table"},  # a lesson is a table with a coach
    "home": {"lib", "game", "lesson", "daily"},  # it says whether a lesson has begun
}
"""The rooms that each room may import besides itself. Only `main.js` may import all of them."""

_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'`](\.[^"'`\s]+)["'`]""")


def imported(module: str, text: str) -> list[str]:
    """The modules that this text imports, at once, later, or only for a type."""
    folder = PurePosixPath(module).parent
    return [normpath((folder / path).as_posix()) for path in _IMPORT.findall(text)]


def forbidden(module: str, target: str) -> bool:
    """Whether a module may not import another, because of the rooms they are in."""
    room, other = (path.split("/")[0] for path in (module, target))
    return module != "main.js" and other != room and other not in MAY_IMPORT[room]


def listed(text: str) -> dict[str, str]:
    """The files in the tables of the docs, by their rooms' headings, and what is said of each."""
    found: dict[str, str] = {}
    room = ""
    for line in text.splitlines():
        if line.startswith("#"):
            heading = re.fullmatch(r"#+ `(\S*/)`.*", line)
            room = heading[1] if heading else ""
        elif room and (row := re.fullmatch(r"\| `(\S+)` \| (.+) \|", line)):
            found[room + row[1]] = row[2]
    return found


def test_every_import_goes_down() -> None:
    wrong = [
        f"{module} imports {target}"
        for module in MODULES
        for target in imported(module, (JS / module).read_text("utf-8"))
        if target not in MODULES or forbidden(module, target)
    ]
    assert not wrong


def test_an_upward_import_is_noticed() -> None:
    text = """
      import { el } from "../lib/ui/dom.js";
      const later = await import("../table/screen.js");
      /** @typedef {import("./model.js").Model} Model */
    """
    found = imported("game/example.js", text)
    assert found == ["lib/ui/dom.js", "table/screen.js", "game/model.js"]
    assert [forbidden("game/example.js", target) for target in found] == [False, True, False]


def test_rooms_are_small() -> None:
    files = Counter(PurePosixPath(module).parent.as_posix() for module in MODULES)
    assert {room for room, count in files.items() if count > MOST_FILES} == set()
    assert files["."] == 1, "only main.js stands outside the rooms"
    assert {module.split("/")[0] for module in MODULES} - {"main.js"} == set(MAY_IMPORT)


def test_every_module_opens_with_a_sentence() -> None:
    for module in MODULES:
        first = (JS / module).read_text("utf-8").splitlines()[0]
        assert re.fullmatch(r"// [A-Z].+\.", first), f"{module}: {first}"


def test_the_docs_have_a_line_for_every_module_and_style_sheet() -> None:
    files = {f"js/{module}" for module in MODULES}
    files |= {f"css/{path.name}" for path in (WEB / "css").iterdir()}
    assert set(listed((ROOT / "docs" / "page.md").read_text("utf-8"))) == files
