"""`docs/api.md` says what the code says, and has every public name."""

from __future__ import annotations

from lastspike import rules

from .reference import PAGE, PARTS, page


def test_the_reference_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `make reference`"


def test_every_public_name_is_in_one_part() -> None:
    listed = [name for names in PARTS.values() for name in names.split()]
    assert sorted(listed) == sorted(rules.__all__)


def test_every_public_name_says_what_it_is() -> None:
    for name in rules.__all__:
        assert (getattr(rules, name).__doc__ or "").strip(), name
