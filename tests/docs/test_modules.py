"""`docs/modules.md` has a line for every Python module, pages name only files that exist, and no
room holds too many files.

`tests/browser/test_rooms.py` does the same for the page.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "lastspike"
PAGES = [ROOT / "docs" / name for name in ("house.md", "modules.md")]
MOST_FILES = 12

NAMING = {"house.md": "", "server.md": "server", "engine.md": "rules", "players.md": ""}
"""Pages that name many files, and the room in which they begin."""


def modules(package: Path) -> set[str]:
    """Every module by its path, but for doors, the command's entry and versions of the database."""
    return {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if path.name not in ("__init__.py", "__main__.py") and path.parent.name != "versions"
    }


def listed(text: str) -> list[str]:
    """The modules in the tables under headings such as ### `server/live/`."""
    found: list[str] = []
    room = None
    for line in text.splitlines():
        if line.startswith("#"):
            heading = re.fullmatch(r"#+ `(\S*/)`", line)
            room = heading[1].removeprefix("lastspike/") if heading else None
        elif room is not None and (row := re.fullmatch(r"\| `(\S+)` \| .*\w.* \|", line)):
            found.append(room + row[1])
    return found


def crowded(package: Path) -> dict[str, int]:
    """The folders with too many files, and how many those have."""
    files = Counter(
        path.parent.relative_to(package).as_posix()
        for path in package.rglob("*")
        if path.is_file() and path.name != "__init__.py" and path.parent.name != "__pycache__"
    )
    return {room: count for room, count in files.items() if count > MOST_FILES}


def test_the_docs_have_one_line_for_every_module() -> None:
    lines = Counter(line for page in PAGES for line in listed(page.read_text("utf-8")))
    there = modules(PACKAGE)
    assert there - set(lines) == set(), "modules without a line in docs/modules.md"
    assert set(lines) - there == set(), "lines about modules that do not exist"
    assert {line for line, count in lines.items() if count > 1} == set(), "more than one line"


@pytest.mark.parametrize("page", NAMING)
def test_a_page_names_only_files_that_exist(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    named = set(re.findall(r"`([\w./-]+\.(?:py|js|css|toml))`", text))
    bases = [ROOT, PACKAGE, PACKAGE / NAMING[page]]
    if page == "engine.md":
        bases += [PACKAGE / "rules" / room for room in ("steps", "editions", "records")]
    assert named
    assert {name for name in named if not any((base / name).is_file() for base in bases)} == set()


def test_rooms_are_small() -> None:
    assert crowded(PACKAGE) == {}


def test_a_missing_line_a_wrong_line_and_a_crowded_room_are_noticed(tmp_path: Path) -> None:
    room = tmp_path / "room"
    (room / "versions").mkdir(parents=True)
    names = ["__init__.py", "__main__.py", "versions/v1.py", "one.py", "two.py"]
    for name in names:
        (room / name).touch()
    assert modules(tmp_path) == {"room/one.py", "room/two.py"}
    text = "### `room/`\n| `one.py` | one |\n| `two.py` |  |\n## More\n| `two.py` | two |\n"
    assert listed(text) == ["room/one.py"]
    assert crowded(tmp_path) == {}
    for number in range(MOST_FILES - 2):
        (room / f"picture{number}.svg").touch()
    assert crowded(tmp_path) == {"room": MOST_FILES + 1}
