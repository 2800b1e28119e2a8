"""Lines broken into rows, in languages with and without spaces between words."""

# ruff: noqa: RUF001 - Japanese has its own signs
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from lastspike.cli.wrapping import wrapped
from lastspike.languages import LANGUAGES
from lastspike.words.language import words_for


@pytest.mark.parametrize(
    ("line", "width", "rows"),
    [
        ("", 10, [""]),
        ("short", 10, ["short"]),
        ("exactly 10", 10, ["exactly 10"]),
        ("breaks at a space", 10, ["breaks at", "a space"]),
        ("  keeps its indent", 10, ["  keeps", "its indent"]),
        ("unbreakably-long", 10, ["unbreakabl", "y-long"]),
        ("後のタイルを置く", 10, ["後のタイル", "を置く"]),
        ("タイルを置く。次へ", 12, ["タイルを置", "く。次へ"]),  # no row begins with 。
        ("土地は（安い）", 8, ["土地は", "（安い）"]),  # none ends with an opening bracket
        ("手元に12枚ある", 8, ["手元に", "12枚ある"]),  # a number stays with what it counts
        ("Adaが置きます", 6, ["Adaが", "置きま", "す"]),
    ],
)
def test_rows(line: str, width: int, rows: list[str]) -> None:
    assert [row.plain for row in wrapped(line, width)] == rows


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_amount_of_money_is_never_torn_apart(language: str) -> None:
    amount = words_for(language).money(20_000)
    whole = len(amount) if language != "ja" else len("20,000ド")
    for before in range(30):
        rows = wrapped("x" * before + " " + amount, 30)
        assert any(amount[:whole] in row.plain for row in rows)


def test_a_french_sign_stays_with_its_word() -> None:
    assert [row.plain for row in wrapped("Ada gagne\u202f!", 10)] == ["Ada", "gagne\u202f!"]


def test_styles_go_with_their_letters() -> None:
    line = Text("plain ") + Text("bold words", style="bold")
    first, second = wrapped(line, 10)
    assert (first.plain, second.plain) == ("plain bold", "words")
    assert [span.style for row in (first, second) for span in row.spans] == ["bold", "bold"]


@given(st.text("ab 1,。（）タイル\u00a0\u202fé", max_size=60), st.integers(2, 20))
def test_nothing_is_lost_and_no_row_is_too_wide(line: str, width: int) -> None:
    rows = [row.plain for row in wrapped(line, width)]
    assert all(cell_len(row) <= width for row in rows)
    assert "".join("".join(rows).split()) == "".join(line.split())
