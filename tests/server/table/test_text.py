"""Names and chat: every language gets through, nothing that acts does."""

# ruff: noqa: RUF001 - letters that look like others are what this is about

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from unicodedata import category, is_normalized

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lastspike.rules.errors import LastSpikeError
from lastspike.server.table.text import (
    MOST_IN_CHAT,
    MOST_IN_NAME,
    MOST_MARKS,
    clean_chat,
    clean_name,
)

TROUBLE = (
    "<>&\u0301\u0300\u0338\u0345\u200c\u200d\u200b\u202e\u2066\ufeff\ufe0f\u00ad\u3164\u2028"
    " \t\n\x00\x1b´¨e\u0633\u1100\u1161\u11a8\ufdfa\ue000\u0378가👩❤"
)
TEXTS = st.text(st.sampled_from(TROUBLE) | st.characters(), max_size=60)
CLEANERS = pytest.mark.parametrize("clean", [clean_name, clean_chat])


def cleaned(clean: Callable[[str], str], text: str) -> str:
    try:
        return clean(text)
    except LastSpikeError:
        assume(False)
        raise


@CLEANERS
@pytest.mark.parametrize(
    "text",
    [
        "Ada",
        "Zoë",
        "Łukasz Ńowak",
        "D’Artagnan",
        "O'Brien",
        "山田 太郎",
        "กัลยา ณ นคร",
        "דָּוִד",
        "محمد",
        "Nguyễn Thị Ngọc",
        "भारतेन्दु",
        "মৌসুমী",
        "༄༅སྤྱང",
        "🚂",
        "R2-D2",
        "x_x",
        "A & B",
        "👍🏽",
        "1️⃣",
        "🇨🇦",
    ],
)
def test_what_people_write_stays_as_it_is(clean: Callable[[str], str], text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",
        "ක්\u200dරියා",
        "র\u200d্য",
        "👩\u200d🚀 ❤\ufe0f\u200d🔥 👨\u200d👩\u200d👧",
        "...",
        "?",
        "ｗｗｗ",
        "½ of x² ﬁne",
    ],
)
def test_chat_keeps_what_joins_and_how_it_is_written(text: str) -> None:
    assert clean_chat(text) == text


@CLEANERS
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  Ada \t\n Lovelace  ", "Ada Lovelace"),
        ("Ada\u2028Lovelace", "Ada Lovelace"),
        ("<b>Ada</b>", "‹b›Ada‹/b›"),
        ("Ada\x00\x07\x1b[31m", "Ada[31m"),
        ("\u202eadA\u202c", "adA"),
        ("\u2066Ada\u2069\u200e\u200f\u061c", "Ada"),
        ("A\u200bd\u2060a\ufeff\u00ad", "Ada"),
        ("\u200dAda\u200d \u200c", "Ada"),
        ("Ada\ue000\U000f0000\ud800\ufdd0\u0378", "Ada"),
        ("Zoe\u200b\u0308", "Zoë"),
        ("\u0301Ada", "Ada"),
        ("x" + "\u0323" * 20, "x" + "\u0323" * MOST_MARKS),
        ("x" + "\u0323\u200d" * 20 + "y", None),
        ("D´Artagnan", "D’Artagnan"),
        ("Ada\u3164\u2800\u115f", "Ada"),
    ],
)
def test_what_acts_or_hides_is_taken_out(
    clean: Callable[[str], str], text: str, shown: str | None
) -> None:
    done = clean(text)
    if shown is None:
        assert sum(category(c) == "Mn" for c in done) == MOST_MARKS
    else:
        assert done == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ａｄａ", "Ada"),
        ("A\u200dda", "Ada"),
        ("﹤Ada﹥", "‹Ada›"),
        ("Ⅷ", "VIII"),
        ("Ad\u00a0a", "Ad a"),
    ],
)
def test_names_that_look_the_same_are_the_same(text: str, shown: str) -> None:
    assert clean_name(text) == shown


NOTHING = [
    "",
    " ",
    "\u200b",
    "\u200d",
    "\u202e\u202c",
    "\x00",
    "\u0301",
    "\u3164",
    "\u2800",
    "\ue000",
]


@pytest.mark.parametrize("text", [*NOTHING, "...", "- -", "(?)"])
def test_a_name_needs_a_letter(text: str) -> None:
    with pytest.raises(LastSpikeError, match="a name needs at least one letter, digit or symbol"):
        clean_name(text)


@pytest.mark.parametrize("text", NOTHING)
def test_chat_needs_something(text: str) -> None:
    with pytest.raises(LastSpikeError, match="this message has no visible text"):
        clean_chat(text)


@pytest.mark.parametrize(
    ("clean", "most"), [(clean_name, MOST_IN_NAME), (clean_chat, MOST_IN_CHAT)]
)
def test_limits_count_what_is_shown(clean: Callable[[str], str], most: int) -> None:
    assert clean(" é\u200b" * (most // 2)) == " ".join("é" * (most // 2))
    assert clean("e\u0301" * most) == "é" * most
    with pytest.raises(LastSpikeError, match=f"at most {most} characters"):
        clean("é" * (most + 1))


@CLEANERS
@given(text=TEXTS)
def test_cleaning_twice_changes_nothing(clean: Callable[[str], str], text: str) -> None:
    once = cleaned(clean, text)
    assert clean(once) == once


@CLEANERS
@given(text=TEXTS)
def test_nothing_forbidden_is_left(clean: Callable[[str], str], text: str) -> None:
    done = cleaned(clean, text)
    assert 1 <= len(done) <= (MOST_IN_NAME if clean is clean_name else MOST_IN_CHAT)
    assert is_normalized("NFKC" if clean is clean_name else "NFC", done)
    assert not set(done) & set("<>\u3164\u2800")
    assert done == " ".join(done.split())
    joiners = set() if clean is clean_name else {"\u200c", "\u200d"}
    for place, c in enumerate(done):
        if c in joiners:
            around = {done[place - 1], done[place + 1]}  # it is neither first nor last
            assert place
            assert not around & (joiners | {" "})
        else:
            assert category(c) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    shown = [category(c)[0] == "M" for c in done if c not in joiners]
    assert all(len(list(run)) <= MOST_MARKS for marks, run in groupby(shown) if marks)
    assert not shown[0]
