"""One language: its messages, and how it writes money, numbers and lists.

English is the text in the code; the catalogues beside this file hold the others.
"""

from __future__ import annotations

import gettext
import io
import os
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

from babel.lists import format_list
from babel.messages import mofile, pofile

from lastspike.rules.errors import LastSpikeError, MoveError

LANGUAGES = ("en", "fr", "pt", "ja")
_PAGE = ("lastspike/web/", "lastspike/words/sentences.json")
"""Where the messages stand that the page says."""
_NARROW, _WIDE = "\u202f", "\u00a0"
_MONEY_FACTS = frozenset({"cost", "means", "price", "cash"})


class Words:
    """Puts things into one language. Get one with `words_for`."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalogue = _catalogue(language)

    def say(self, message: str, /, **facts: object) -> str:
        """The message in this language, with its places filled."""
        return self._catalogue.gettext(message).format(**facts)

    def count(self, one: str, many: str, number: int, /, **facts: object) -> str:
        """The message for so many things; `{n}` stands for the number."""
        return self._catalogue.ngettext(one, many, number).format(n=number, **facts)

    def money(self, amount: int) -> str:
        digits = f"{abs(amount):,}"
        sign = "−" if amount < 0 else ""
        match self.language:
            case "fr":
                return f"{sign}{digits.replace(',', _NARROW)}{_WIDE}$"
            case "pt":
                return f"{sign}{digits.replace(',', _WIDE)}{_WIDE}$"
            case "ja":
                return f"{sign}{digits}ドル"
            case _:
                return f"{sign}${digits}"

    def listed(self, parts: Iterable[str]) -> str:
        """The parts as a sentence lists them: A, B and C."""
        return format_list(list(parts), locale=self.language)

    def error(self, error: LastSpikeError) -> str:
        """An error as a sentence, with where it is or which rule it names."""
        text = self._told(error)
        if error.template.startswith("{") or _place_of(error):
            return text  # it begins with a tile, a file or a place, as that is written
        return text[:1].upper() + text[1:]

    def _told(self, error: LastSpikeError) -> str:
        text = self.say(error.template, **{n: self._fact(n, v) for n, v in error.facts.items()})
        if place := _place_of(error):
            return f"{place}: {text}"
        if isinstance(error, MoveError) and error.rule:
            return self.say("{text} (rule {rule})", text=text, rule=error.rule)
        return text

    def _fact(self, name: str, value: object) -> object:
        """What fills a place of an error: money as it is written here, an error within in words."""
        if isinstance(value, LastSpikeError):
            return self._told(value)
        return self.money(value) if name in _MONEY_FACTS and isinstance(value, int) else value


def _place_of(error: LastSpikeError) -> str:
    """Where in an edition or a record the error is, if it says so."""
    return getattr(error, "path", "") or getattr(error, "where", "")


@cache
def words_for(language: str | None = None) -> Words:
    """The words of a language; without one, of the language that the environment asks for."""
    return Words(language or language_of(os.environ))


def language_of(environment: Mapping[str, str]) -> str:
    """The first language that the usual variables name and we speak; English otherwise."""
    wanted = environment.get("LANGUAGE", "").split(":")
    wanted += [environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    for name in wanted:
        if name[:2].lower() in LANGUAGES and not name[2:3].isalpha():
            return name[:2].lower()
    return "en"


@cache
def page_messages(language: str) -> dict[str, str | list[str]]:
    """What the page says, by its English: a text, or all its forms where it counts things.

    English is the text in the page's own modules, so its catalogue is empty.
    """
    file = resources.files("lastspike.words.catalogues").joinpath(f"{language}.po")
    if not file.is_file():
        return {}
    catalogue = pofile.read_po(io.BytesIO(file.read_bytes()), locale=language)
    found: dict[str, str | list[str]] = {}
    for message in catalogue:
        if any(name.startswith(_PAGE) for name, _ in message.locations):
            one = message.id[0] if isinstance(message.id, list | tuple) else message.id
            text = message.string
            found[one] = list(text) if isinstance(text, list | tuple) else text or ""
    return found


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    file = resources.files("lastspike.words.catalogues").joinpath(f"{language}.po")
    if not file.is_file():
        return gettext.NullTranslations()
    catalogue = pofile.read_po(io.BytesIO(file.read_bytes()), locale=language)
    compiled = io.BytesIO()
    mofile.write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
