"""What the page says, in any of its languages, from the catalogues that the page itself gets."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from pathlib import Path

from lastspike.languages import LANGUAGES
from lastspike.words.language import CONTEXT_ENDS, page_messages

__all__ = ["LANGUAGES", "several", "t", "t_as"]


def t(language: str, message: str, **facts: object) -> str:
    """A message of the page in this language; in English where it has no translation yet."""
    assert json.dumps(message, ensure_ascii=False) in _modules(), f"the page never says {message!r}"
    text = page_messages(language).get(message)
    return (text if isinstance(text, str) and text else message).format(**facts)


def t_as(language: str, context: str, message: str, **facts: object) -> str:
    """The same for a message with a context."""
    text = page_messages(language).get(f"{context}{CONTEXT_ENDS}{message}")
    return (text if isinstance(text, str) and text else message).format(**facts)


def several(language: str, one: str, many: str, n: int, **facts: object) -> str:
    """The same for so many things."""
    forms = page_messages(language).get(one)
    told = forms if isinstance(forms, list) and forms[0] else [one, many]
    single = n == 1 or (language in ("fr", "pt-BR") and n < 2)
    return (told[0] if single else told[-1]).format(n=n, **facts)


@cache
def _modules() -> str:
    folder = Path(str(resources.files("lastspike.web"))) / "js"
    shared = resources.files("lastspike.words").joinpath("sentences.json").read_text("utf-8")
    return "\n".join([shared, *(file.read_text("utf-8") for file in sorted(folder.rglob("*.js")))])
