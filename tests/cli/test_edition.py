"""`lastspike edition`: what it shows, what it accepts, and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lastspike.rules.editions.shipped import shipped

from .command import on_terminal, refused, run

SHIPPED = Path("src/lastspike/editions/columbia-2015.toml").read_text("utf-8")


def edition_file(folder: Path, *changes: tuple[str, str], name: str = "mine.toml") -> Path:
    """A file of the shipped edition with some texts replaced."""
    text = SHIPPED
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def shown_lines(columns: int) -> list[str]:
    result = run("edition", "show", COLUMNS=str(columns))
    assert (result.code, result.err) == (0, "")
    return [line.rstrip() for line in result.out.splitlines()]


def test_show_prints_the_map_with_costs_and_terrain_and_marks_what_is_reconstructed() -> None:
    lines = shown_lines(80)
    assert "A St. Louis   Omaha       1~ plains~   1~ plains~   3  bridge~   2~ hills~" in lines
    assert "V Denver      Ogden       4~ tunnel~   5~ tunnel~   3  mountain~ 2~ hills~" in lines
    assert "C Omaha       Laramie~    3~ bridge~   1~ plains~   2~ hills~    3~ mountain~" in lines
    assert [line[0] for line in lines if line[1:2] == " " and line[:1].isupper()] == [
        *"ABCDEFUVWXYZ"
    ]
    assert lines[-1] == "~ reconstructed: not in any rulebook we have"


def test_show_prints_land_payouts_and_setting_up() -> None:
    lines = shown_lines(80)
    assert "DEN  Denver       2    3~   4~   5~" in lines
    assert "DEN  Denver       5   10   15   20   25" in lines
    assert "LAR  Laramie     10~  20~  30~  40~  50~" in lines
    assert "starting cash           60   50   40   35   30" in lines
    assert "tiles set aside unseen   1    –    –    –    –" in lines
    assert "Last-spike bonus  $20,000" in lines
    assert "Hand size         4" in lines
    assert "Ends of the line  St. Louis and Sacramento" in lines


@pytest.mark.parametrize("columns", [60, 80, 132])
def test_show_fits_the_screen_and_cuts_nothing(columns: int) -> None:
    lines = shown_lines(columns)
    assert max(map(len, lines)) <= columns
    assert not any("\x1b" in line or "…" in line for line in lines)
    assert sum("mountain~" in line for line in lines) == 7
    names = "".join(lines)
    assert all(f"{city.code}  {city.name}" in names for city in shipped().cities)


def test_show_names_cities_by_their_codes_where_the_screen_is_narrow() -> None:
    lines = shown_lines(60)
    place = lines.index("A STL  OMA  1~        1~        3         2~")
    assert lines[place + 1].split() == ["plains~", "plains~", "bridge~", "hills~"]


def test_show_marks_every_figure_of_an_edition_that_names_none_as_printed(tmp_path: Path) -> None:
    begin, end = SHIPPED.index("printed = ["), SHIPPED.index("# land:")
    path = edition_file(tmp_path, (SHIPPED[begin:end], ""))
    out = run("edition", "show", path, COLUMNS="80").out
    assert "3~ bridge~" in out
    assert "$20,000~" in out
    assert "60~  50~  40~  35~  30~" in out


@pytest.mark.parametrize("no_colour", [False, True])
def test_show_on_a_terminal_dims_but_never_colours(no_colour: bool) -> None:
    environment = {"NO_COLOR": "1"} if no_colour else {}
    out = on_terminal("edition", "show", **environment)
    assert "\x1b[3" not in out
    assert "\x1b[2m1~" in out


def test_show_as_json_gives_the_figures() -> None:
    result = run("edition", "show", "--json")
    assert json.loads(result.out) == shipped().to_figures()


def test_show_reads_a_file(tmp_path: Path) -> None:
    path = edition_file(
        tmp_path, ('id = "columbia-2015"', 'id = "mine"'), ("St. Louis", "[bold]Saint Lewis")
    )
    out = run("edition", "show", path, COLUMNS="132").out
    assert "mine: 9 cities" in out
    assert "A [bold]Saint Lewis " in out


def test_an_id_is_an_id_even_where_a_file_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edition_file(tmp_path, ("St. Louis", "Nowhere"), name="columbia-2015")
    monkeypatch.chdir(tmp_path)
    assert "Nowhere" not in run("edition", "show", "columbia-2015").out
    assert "Nowhere" in run("edition", "show", "./columbia-2015").out


def test_list_names_what_is_shipped() -> None:
    told = run("edition", "list").out.splitlines()
    assert [line.split()[0] for line in told] == ["columbia-2015", "columbia-2015b"]
    assert "  The Last Spike (Columbia Games, 2015)  " in told[0]
    assert told[0].endswith("  2–6 players")


def test_check_says_that_a_file_is_good(tmp_path: Path) -> None:
    path = edition_file(tmp_path)
    assert run("edition", "check", path) == (
        0,
        f"{path}: valid edition: 9 cities, 12 routes, 48 tiles, 2–6 players\n",
        "",
    )


def test_check_reads_what_a_windows_editor_saves(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SHIPPED.replace("\n", "\r\n").encode())
    assert ": valid edition: " in run("edition", "check", path).out


def test_check_warns_of_what_is_probably_not_meant(tmp_path: Path) -> None:
    path = edition_file(
        tmp_path, ("hand_size = 4", "hand_size = 4\ncolour = 1"), ('"finish", ', '"finnish", ')
    )
    code, out, err = run("edition", "check", path)
    assert (code, err) == (0, "")
    assert out.splitlines()[1:] == [
        f"{path}: warning: colour: unknown key, ignored",
        f"{path}: warning: printed.2: there is no figure finnish",
    ]


@pytest.mark.parametrize(
    ("cash", "counts"), [("{ 2 = 1000, 4 = 1000 }", "2 or 4"), ("{ 3 = 1000 }", "3")]
)
def test_check_names_the_numbers_of_players(tmp_path: Path, cash: str, counts: str) -> None:
    begin = SHIPPED.index("starting_cash = ")
    line = SHIPPED[begin : SHIPPED.index("\n", begin)]
    path = edition_file(tmp_path, (line, f"starting_cash = {cash}"))
    assert run("edition", "check", path).out.splitlines()[0].endswith(f"tiles, {counts} players")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "[1000, 1000, 3000, 2000]",
            "[1000, 1000, 3500, 2000]",
            "routes.A.costs.3: expected a ",
        ),
        ('ends = ["STL", "OMA"]', 'ends = ["STL", "OMAHA"]', "routes.A.ends.2: expected one of"),
        ('letter = "B"', 'letter = "A"', "routes.2.letter: expected a letter that no other"),
        ("hand_size = 4", "hand_size = four", "not a TOML file: Invalid value (at line "),
        ('finish = "SAC"', "", "finish: expected a value, found nothing"),
    ],
)
def test_check_names_the_bad_figure_and_what_was_expected(
    tmp_path: Path, old: str, new: str, expected: str
) -> None:
    path = edition_file(tmp_path, (old, new))
    assert refused(run("edition", "check", path)).startswith(f"{path}: {expected}")
    assert refused(run("edition", "show", path)).startswith(f"lastspike: {path}: {expected}")


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "truncated").write_text(SHIPPED[:3000], encoding="utf-8")
    for name, reason in {
        "missing": "no such file or edition; the editions are columbia-2015",
        ".": "Is a directory",
        "binary": "not a UTF-8 text file",
        "empty": "cities: expected a value, found nothing",
        "truncated": "",
    }.items():
        path = tmp_path / name
        assert refused(run("edition", "check", path)).startswith(f"{path}: {reason}")
        assert refused(run("edition", "show", path)).startswith(f"lastspike: {path}: {reason}")
    assert refused(run("edition", "check", "/dev/zero")) == "/dev/zero: too large for an edition"
    assert refused(run("edition", "show", "a\nb")).startswith("lastspike: 'a\\nb': no such file")
