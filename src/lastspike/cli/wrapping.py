"""Line wrapping: at spaces and between Japanese characters, never inside an amount of money."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, chop_cells
from rich.text import Text

_NO_BREAK_SPACES = "\u00a0\u202f"
_NOT_FIRST = "、。，．！？：；）」』】・～ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"  # noqa: RUF001
_NOT_LAST = "（「『【"  # noqa: RUF001


def wrapped(line: str | Text, width: int) -> list[Text]:
    """The line as rows of at most `width` cells; an empty line is one row."""
    text = Text(line) if isinstance(line, str) else line
    breaks: list[int] = []
    filled = 0
    for start, end in _units(text.plain):
        unit = text.plain[start:end]
        if filled and filled + cell_len(unit.rstrip(" ")) > width:
            breaks.append(start)
            filled = 0
        while cell_len(unit.rstrip(" ")) > width:  # longer than a row: cut it
            start += len(chop_cells(unit, width)[0])
            breaks.append(start)
            unit = text.plain[start:end]
        filled += cell_len(unit)
    rows = list(text.divide(breaks))
    for row in rows:
        row.rstrip()
    return rows


def wrap_all_output() -> None:
    """Let Rich wrap tables and panels the same way: by itself it knows neither Japanese nor
    no-break spaces."""
    from rich import _wrap

    _wrap.words = _words


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    for start, end in _units(text):
        if start < end:
            yield start, end, text[start:end]


def _units(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each unbreakable part, including the spaces after it."""
    begin = 0
    for place in range(1, len(text)):
        if _may_break(text[place - 1], text[place]):
            yield begin, place
            begin = place
    yield begin, len(text)


def _may_break(before: str, after: str) -> bool:
    if after == " " or before in _NO_BREAK_SPACES or after in _NO_BREAK_SPACES:
        return False
    if before == " ":
        return True
    if after in _NOT_FIRST or before in _NOT_LAST or before.isdecimal():
        return False  # keep a number with its counter: 4枚
    return cell_len(before) == 2 or cell_len(after) == 2
