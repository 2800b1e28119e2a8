"""A version that moves, and what `make sbom` and `make audit` say."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.version import Version

from lastspike import __version__, release
from lastspike.cli.hosting.files import FILES
from tests.cli.command import run

from .audit import verdict
from .sbom import sbom

ROOT = Path(__file__).parents[2]


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", "-C", folder, *who, *arguments], check=True, capture_output=True)


def version_in(root: Path) -> str:
    """What `release.py` in this folder says, run by itself as a build does."""
    module = root / "src" / "lastspike" / "release.py"
    module.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(release.__file__, module)
    (root / "pyproject.toml").touch()
    code = f"import runpy; print(runpy.run_path({str(module)!r})['full_version']())"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_the_version_moves_with_every_commit_after_its_release(tmp_path: Path) -> None:
    assert version_in(tmp_path) == release.VERSION  # an archive without git
    git(tmp_path, "init", "--quiet")
    seen = []
    for number in range(4):
        git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", str(number))
        if number == 1:
            git(tmp_path, "tag", f"v{release.VERSION}")
        seen.append(version_in(tmp_path))
    untagged, tagged, *later = seen
    assert re.fullmatch(rf"{re.escape(release.VERSION)}\+g[0-9a-f]+", untagged)
    assert tagged == release.VERSION
    for number, version in enumerate(later, 1):
        assert version.startswith(f"{release.VERSION}+{number}.g")
        assert Version(version) > Version(tagged)
    assert Version(later[1]) > Version(later[0])


def test_an_unpacked_sdist_keeps_the_version_it_was_made_with(tmp_path: Path) -> None:
    made = f"{release.VERSION}+5.gabc1234"
    (tmp_path / "PKG-INFO").write_text(f"Metadata-Version: 2.4\nName: x\nVersion: {made}\n")
    assert version_in(tmp_path) == made


def test_the_package_has_the_version_and_all_that_the_game_needs(tmp_path: Path) -> None:
    """What `make package` does, elsewhere."""
    build = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), "."]
    done = subprocess.run(
        [sys.executable, *build], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    release.full_version.cache_clear()  # other tests may run for minutes
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        (about,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        assert f"\nVersion: {release.full_version()}\n" in packed.read(about).decode()
    package = ROOT / "src" / "lastspike"
    for path in package.rglob("*"):
        if path.is_file() and path.suffix not in (".pyc", ".mo"):
            assert f"lastspike/{path.relative_to(package).as_posix()}" in names
    assert {f"lastspike/cli/hosting/files/{file.name}" for file in FILES.iterdir()} <= names


def test_the_changelog_begins_with_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"(?m)^## (.+)$", text)
    released = [re.match(r"(\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$", each) for each in headings]
    versions = [match[1] for match in released if match]
    assert versions[0] == __version__ == release.VERSION
    assert versions == sorted(versions, key=Version, reverse=True)
    unreleased = [each for each, match in zip(headings, released, strict=True) if not match]
    assert unreleased in ([], ["Unreleased"])


def test_the_command_says_the_whole_version() -> None:
    assert run("--version").out == f"lastspike {release.full_version()}\n"


# ---- components and vulnerabilities ---------------------------------------------------------


def test_the_components_are_all_that_the_game_needs_and_no_tools() -> None:
    found = sbom()
    json.dumps(found)
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.5")
    names = {each["name"]: each for each in found["components"]}
    assert {"litestar", "numpy", "uvicorn", "click", "markupsafe"} <= set(names)
    assert not {"pytest", "ruff", "mypy", "lastspike"} & set(names)
    refs = {each["bom-ref"] for each in found["components"]}
    assert all(set(each["dependsOn"]) <= refs for each in found["dependencies"])
    (own, *_) = found["dependencies"]
    assert names["litestar"]["purl"] in own["dependsOn"]
    pinned = (ROOT / "constraints.txt").read_text("utf-8").lower().replace("_", "-")
    for name, each in names.items():
        assert each["version"]
        assert f"\n{name}==" in pinned, name
    assert "asyncpg" in {each["name"] for each in sbom(["postgres"])["components"]}


SAFE = {"name": "a", "version": "1", "vulns": []}
SKIPPED = {"name": "b", "skip_reason": "Dependency not found: b"}
UNSAFE = {"name": "c", "version": "2", "vulns": [{"id": "CVE-1", "fix_versions": ["3"]}]}


@pytest.mark.parametrize(
    ("packages", "status", "said"),
    [
        ([SAFE], 0, "1 pinned versions audited, 0 known"),
        ([SAFE, SKIPPED], 0, "not audited: Dependency not found: b"),
        ([SAFE, UNSAFE], 1, "c 2: CVE-1, fixed in 3"),
        ([SKIPPED, SKIPPED], 2, "Nothing was audited"),
        (None, 2, "Nothing was audited: the advisories can’t be reached (no route)"),
    ],
)
def test_an_audit_passes_only_if_it_could_look_something_up(
    packages: list[object] | None, status: int, said: str
) -> None:
    answer = "" if packages is None else json.dumps({"dependencies": packages, "fixes": []})
    found = verdict(answer, "Traceback\nno route\n")
    assert found.status == status
    assert said in "\n".join(found.lines)
