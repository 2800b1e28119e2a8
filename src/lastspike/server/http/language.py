"""The language to answer in, as a browser's `Accept-Language` asks for it."""

from __future__ import annotations

import re

from lastspike.languages import Language, best_language

_MOST_RANGES = 20
"""Later ranges are ignored, so that a long header costs no more than a short one."""
_RANGE = re.compile(r"([a-z]{1,8}(?:-[a-z\d]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?))?", re.ASCII)


def language_for(header: str | None) -> Language:
    """The language that the header prefers among ours; English if it names none of them."""
    parts = (header or "").lower().split(",", _MOST_RANGES)[:_MOST_RANGES]
    found = filter(None, (_RANGE.fullmatch(part.strip()) for part in parts))
    ranges = sorted(((float(each[2] or 1), each[1]) for each in found), key=lambda r: -r[0])
    wanted = [name for quality, name in ranges if quality > 0]
    return best_language(wanted) or "en"
