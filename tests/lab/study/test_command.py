"""`lastspike study`: tables and charts for people, figures for programs, one line for mistakes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lastspike.cli.charts import Scale, drawn, scale_of
from lastspike.cli.lab.study import player_numbers
from lastspike.cli.lab.study_report import Report
from lastspike.lab.arena.statistics import Interval
from lastspike.lab.study import study, study_to_json
from lastspike.rules.editions.shipped import shipped
from lastspike.words.language import words_for
from tests.cli.command import on_terminal, refused, run

from .helpers import one_route

EN = words_for("en")
EDITION = Path("src/lastspike/editions/columbia-2015.toml")
SMALL = ["--players", "2,4", "--games", 10, "--seed", "s"]


def test_the_report_fits_the_screen_and_leaves_no_figure_out(tmp_path: Path) -> None:
    code, out, err = run("study", "columbia-2015", *SMALL, COLUMNS="80", LC_ALL="C.UTF-8")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "columbia-2015 played by Surveyor: 10 games for each number" in lines[1]
    for title in (
        "Length of a game, in turns",
        "How games end, in %",
        "The last spike: how often its player wins, in %",
        "2 players",
        "4 players",
        "Wins by turn order, in % (┊ fair share)",
        "Routes: finished, and finished by the last spike, in %",
        "Cities: routes finished, and payouts per game in $1,000",
        "Land: profit per card, in $1,000",
        "Land: games in which a card is bought, in %",
        "Land: purchases that lose money, in %",
        "Land: profit per dollar spent",
    ):
        assert title in lines, title
    assert sum(line.startswith("Sacramento") for line in lines) == 2 * 5
    assert sum(bool(re.match(r"Z +YUM–SAC", line)) for line in lines) == 2
    assert "…" not in out


def test_what_is_shown_is_what_was_found() -> None:
    (found,) = study(shipped(), [4], 10, "s").findings
    out = run("study", "--players", 4, "--games", 10, "--seed", "s", LC_ALL="C.UTF-8").out
    first = found.wins_in_order[0]
    assert re.search(rf"(?m)^1 +{100 * first.mean:.1f} ±{100 * first.margin:.1f} .*┊", out)
    assert "random moves" not in out
    cards = [card for card in found.cards if card.city == "DEN"]
    shown: dict[str, list[tuple[Interval | None, float]]] = {
        "profit per card": [(card.returned, 1000) for card in cards],
        "a card is bought": [(card.games, 0.01) for card in cards],
        "that lose money": [(card.lost, 0.01) for card in cards],
    }
    for title, figures in shown.items():
        (row,) = re.findall(rf"{title}.*?(Denver[^\n]*)", out, re.DOTALL)
        assert re.findall(r"(−?[\d.]+) ±([\d.]+)", row) == [
            (f"{figure.mean / unit:.1f}", f"{figure.margin / unit:.1f}")
            for figure, unit in figures
            if figure is not None
        ]


def test_moves_that_failed_are_told_of() -> None:
    done = study(one_route(), [2], 2, "s")
    (found,) = done.findings
    spoilt = done._replace(findings=(found._replace(faults=3, first_fault="[slept]"),) * 2)
    told = [str(part) for part in Report(spoilt, EN).parts()]
    assert told[3].startswith("6 player errors: random moves finished those turns.")
    assert told[4] == "The first error: [slept]"


def test_the_file_holds_the_study_and_the_cores_change_nothing(tmp_path: Path) -> None:
    files = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.json"
        assert run("study", *SMALL, "--jobs", jobs, "--json", path).code == 0
        files.append(path.read_bytes())
    assert files[0] == files[1]
    assert json.loads(files[0]) == study_to_json(study(shipped(), [2, 4], 10, "s"))


@pytest.mark.parametrize("player", ["tycoon:0", "clerk"])
def test_another_player_may_play(player: str, tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    given = ["--players", 3, "--games", 6, "--seed", "s", "--player", player]
    out = run("study", *given, "--json", file, LC_ALL="C.UTF-8").out
    assert f"played by {player.capitalize()}: 6 games" in out
    raw = json.loads(file.read_bytes())
    assert raw["player"] == player
    assert raw == study_to_json(study(shipped(), [3], 6, "s", player=player))
    assert raw["findings"] != study_to_json(study(shipped(), [3], 6, "s"))["findings"]


def test_a_player_that_is_none_is_one_line() -> None:
    line = refused(run("study", "--player", "nobody", "--games", 1, LC_ALL="C.UTF-8"))
    assert "There is no computer player called nobody" in line


def test_without_players_all_numbers_of_the_edition_are_studied() -> None:
    assert player_numbers(None, one_route()) == [2]
    assert player_numbers(None, shipped()) == [2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("4", [4]), ("2-6", [2, 3, 4, 5, 6]), ("5, 3", [3, 5]), ("2-3,3-4", [2, 3, 4])],
)
def test_players_are_numbers_or_ranges(text: str, numbers: list[int]) -> None:
    assert player_numbers(text, shipped()) == numbers


@pytest.mark.parametrize("text", ["", "7", "1-3", "4-2", "two", "2;3", "2-", "22"])
def test_other_players_are_one_line(text: str) -> None:
    line = refused(run("study", "--players", text, "--games", 1, LC_ALL="C.UTF-8"))
    assert "--players: expected numbers from 2 to 6" in line


def test_a_broken_edition_is_one_clear_line(tmp_path: Path) -> None:
    edition, found = tmp_path / "mine.toml", tmp_path / "found.json"
    text = EDITION.read_text("utf-8")
    edition.write_text(text.replace("last_spike_bonus = 20000", "last_spike_bonus = -1"), "utf-8")
    line = refused(run("study", edition, "--json", found, LC_ALL="C.UTF-8"))
    assert line.startswith(f"lastspike: {edition}: last_spike_bonus: expected")
    edition.write_text("id = ", "utf-8")
    assert refused(run("study", edition)).startswith(f"lastspike: {edition}: ")
    assert "no such file" in refused(run("study", "nowhere", LC_ALL="C.UTF-8"))
    assert not found.exists()


def test_a_number_of_players_that_the_edition_has_not_is_one_line(tmp_path: Path) -> None:
    edition = tmp_path / "mine.toml"
    edition.write_text(EDITION.read_text("utf-8").replace(", 6 = 30000", ""), "utf-8")
    line = refused(run("study", edition, "--players", "4,6", LC_ALL="C.UTF-8"))
    assert "is for 2, 3, 4, 5 players, not for 6" in line


def test_a_bar_shows_how_far_it_is() -> None:
    shown = on_terminal("study", "--players", 2, "--games", 80, "--jobs", 1, LC_ALL="C.UTF-8")
    assert "Playing" in shown
    assert re.search(r"\D[1-9]\d*/80", shown)


SCALE = Scale(0, 10, 11)


@pytest.mark.parametrize(
    ("figure", "line"),
    [
        (Interval(5, 3, 7), "███├─●─┤"),
        (Interval(5, 5, 5), "█████●"),
        (Interval(5, float("-inf"), float("inf")), "█████●"),
        (Interval(0, 0, 2), "●─┤"),
        (None, ""),
    ],
)
def test_a_bar_ends_in_its_interval(figure: Interval | None, line: str) -> None:
    assert drawn(figure, SCALE) == line


def test_a_mark_stands_across_the_bars_and_losses_go_to_the_left() -> None:
    assert drawn(Interval(5, 4, 6), SCALE, mark=8) == "████├●┤ ┊"
    assert drawn(Interval(8, 7, 9), SCALE, mark=3) == "███┊███├●┤"
    assert drawn(Interval(-3, -4, -2), Scale(-5, 5, 11), mark=0) == " ├●┤█┊"


def test_a_scale_holds_zero_and_every_end() -> None:
    assert scale_of([Interval(5, 3, 7), Interval(2, 1, 3)])[:2] == (0, 7)
    assert scale_of([Interval(-5, -8, -2)], 4)[:2] == (-8, 4)
    assert scale_of([Interval(5, float("-inf"), float("inf"))])[:2] == (0, 5)
    assert scale_of([])[:2] == (0, 0)
