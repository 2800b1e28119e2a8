"""Patterns of the messages: they fit to the very end of a text."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from lastspike.protocol.settings import Hex32, PersonId, RequestId, TableId


@pytest.mark.parametrize(
    ("kind", "good"),
    [(TableId, "x" * 22), (PersonId, "abc"), (RequestId, "abc"), (Hex32, "0" * 64)],
)
def test_a_line_end_does_not_fit(kind: Any, good: str) -> None:
    assert msgspec.convert(good, kind) == good
    for bad in (f"{good}\n", f"{good}\r\n", f"\n{good}", f"{good[:-1]}\n"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(bad, kind)
