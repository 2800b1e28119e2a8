"""What the documentation shows is run: every block of Python and every `lastspike` command."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lastspike.rules.editions.shipped import shipped
from lastspike.rules.game import Game
from lastspike.rules.records.record import Shuffle, to_record
from lastspike.rules.records.shuffle import seed_of_text
from lastspike.rules.table import setup
from tests.leftovers import mark

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", page.read_text("utf-8"))


def commands(page: Path) -> list[str]:
    lines = [line.partition("#")[0].strip() for b in blocks(page, "") for line in b.splitlines()]
    return [line for line in lines if line.startswith("lastspike ")]


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=lambda p: p.name)
def test_the_python_of_a_page_runs(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), names)
    assert capsys.readouterr().out


@pytest.mark.parametrize("page", [p for p in PAGES if commands(p)], ids=lambda p: p.name)
def test_the_commands_of_a_page_run(page: Path, tmp_path: Path) -> None:
    shuffle = Shuffle(seed_of_text("documentation 1306"))  # a short game
    game = Game.shuffled(setup(shipped(), 3), shuffle.stream())
    while game.legal_moves:
        game.play(game.legal_moves[0])
    (tmp_path / "game.json").write_text(json.dumps(to_record(game, shuffle)), "utf-8")
    for command in commands(page):
        done = subprocess.run(
            [sys.executable, "-m", "lastspike", *shlex.split(command)[1:]],
            cwd=tmp_path,
            env={"LASTSPIKE_HOME": str(tmp_path / "home"), "LC_ALL": "C.UTF-8", **mark()},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        assert done.stdout


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_make_target_that_a_page_names_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"(?m)^([a-z]+):", makefile))
    for page in PAGES:
        text = page.read_text("utf-8")
        shown = re.findall(r"`make ([a-z]+)", text)
        shown += [w for b in blocks(page, "") for w in re.findall(r"(?m)^make ([a-z]+)", b)]
        assert set(shown) <= targets, page.name
