"""Editions from files: the shipped ones by id, any other from its TOML text."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from lastspike.rules.errors import EditionError, LastSpikeError, wrong_type

from .edition import Edition
from .figures import read, repr_short

DEFAULT_EDITION = "columbia-2015"
MOST_DOTS = 30
"""In a line, outside of texts: a key of thousands of parts takes the parser minutes."""
_TEXT = re.compile(r"""\"(?:\\.|[^"\\])*\\?(?:"|$)|'[^']*(?:'|$)""")


@cache
def shipped_ids() -> tuple[str, ...]:
    """The ids of the editions that come with the package."""
    names = (entry.name for entry in resources.files("lastspike.editions").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def shipped(edition_id: str = DEFAULT_EDITION) -> Edition:
    """A shipped edition by its id; `EditionError` for any other text, paths included."""
    if not isinstance(edition_id, str):
        raise wrong_type("edition", "str", edition_id)
    return _shipped(edition_id)


@cache
def _shipped(edition_id: str) -> Edition:
    if edition_id not in shipped_ids():
        raise EditionError(
            "",
            "there is no edition called {id}; choose from {known}",
            id=repr_short(edition_id),
            known=shipped_ids(),
        )
    text = resources.files("lastspike.editions").joinpath(f"{edition_id}.toml").read_text("utf-8")
    return from_toml(text)


def is_shipped(edition: Edition) -> bool:
    """Whether all its figures are those of a shipped edition, so that its id says everything."""
    return edition.id in shipped_ids() and edition == shipped(edition.id)


def from_toml(text: str) -> Edition:
    """The edition that a TOML text describes; `EditionError` if it is a bad one."""
    if not isinstance(text, str):
        raise wrong_type("text", "str", text)
    return read(parse_toml(text))


def parse_toml(text: str) -> dict[str, Any]:
    """The raw figures of a TOML text; `EditionError` says where it is not TOML."""
    try:
        if max(_TEXT.sub("", line).count(".") for line in text.split("\n")) > MOST_DOTS:
            raise LastSpikeError("a line with too many dots")
        return tomllib.loads(text)
    except LastSpikeError as error:
        reason: object = error
    except RecursionError:
        reason = LastSpikeError("nested too deeply")
    except ValueError as error:  # what is no TOML, or a number of thousands of digits
        reason = str(error)[:200]
    raise EditionError("", "not a TOML file: {reason}", reason=reason)
