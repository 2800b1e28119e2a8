"""Pages for contributors have no long sentences: nobody should have to read one twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [
    "engine.md",
    "house.md",
    "modules.md",
    "page.md",
    "players.md",
    "server.md",
    "translating.md",
]
MOST_WORDS = 30

_BLOCK = re.compile(r"(?ms)^ *```.*?^ *```$")
_NEW_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )")
_END = re.compile(r"(?<=[.?!])[*_)\"”]*\s+")


def sentences(text: str) -> Iterator[str]:
    """The sentences of paragraphs and lists, without code blocks, tables and headings."""
    text = _BLOCK.sub("\n", text)
    text = re.sub(r"(?m)^(#|\|).*$", "\n", text)
    text = re.sub(r"`[^`]*`", "code", text)  # one word, whatever it holds
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    for paragraph in _NEW_PARAGRAPH.split(text):
        paragraph = re.sub(r"^\s*(?:[-*]|\d+\.) ", "", paragraph)
        yield from _END.split(" ".join(paragraph.split()))


def words(sentence: str) -> int:
    return len(re.findall(r"\w[\w’'-]*", sentence))


@pytest.mark.parametrize("page", PAGES)
def test_no_sentence_is_long(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    assert [each for each in sentences(text) if words(each) > MOST_WORDS] == []


def test_sentences_are_found() -> None:
    text = """
# A heading

First, see [a
page](page.md#here) and `x.y. z`. **Second.** Is it? Yes:

- an item
  of two lines
1. another one

| a table | is. left out |

```
Code. Too.
```
"""
    found = [(words(each), each) for each in sentences(text) if each]
    assert found == [
        (6, "First, see a page and code."),
        (1, "**Second."),
        (2, "Is it?"),
        (1, "Yes:"),
        (5, "an item of two lines"),
        (2, "another one"),
    ]
