"""One language: its messages, and how it writes money, numbers and lists.

The English text is in the code; `catalogues/` holds the translations.
"""

from __future__ import annotations

import gettext
import io
import os
import re
from collections.abc import Container, Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from functools import cache, reduce
from importlib import resources
from typing import TYPE_CHECKING

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_decimal

from lastspike.languages import best_language, tag_of
from lastspike.rules.errors import LastSpikeError, MoveError

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

_PAGE = ("lastspike/web/", "lastspike/words/sentences.json")
"""The files whose messages the page needs."""
CONTEXT_ENDS = "\x04"
"""What stands between a context and its message, in gettext's files and in the page."""
_SPACE = "\u00a0"
_MINUS = "−"
_MONEY_FACTS = frozenset({"cost", "means", "price", "cash"})
_LINE = re.compile(r"line (\d+)(?:, column (\d+))?")


class Words:
    """Formats messages, money, numbers and lists in one language. Get one with `words_for`."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.locale = Locale.parse(tag_of(language), sep="-")
        self._catalogue = _catalogue(language)

    def say(self, message: str, /, **facts: object) -> str:
        """The translated message, with its placeholders filled."""
        return self._catalogue.gettext(message).format(**facts)

    def template(self, message: str) -> str:
        """The translated message with its placeholders as they are, for others to fill."""
        return self._catalogue.gettext(message)

    def say_as(self, context: str, message: str, /, **facts: object) -> str:
        """The same for a word that needs another translation in another context: cash is hidden in
        another gender than hands are."""
        return self._catalogue.pgettext(context, message).format(**facts)

    def count(self, one: str, many: str, number: int, /, **facts: object) -> str:
        """The singular or plural message for this number; `{n}` is replaced by it."""
        text = self._catalogue.ngettext(one, many, number)
        return text.format(n=self.number(number), **facts)

    def money(self, amount: int) -> str:
        digits = self.number(abs(amount))
        sign = _MINUS if amount < 0 else ""
        match self.language:
            case "fr" | "pt":
                return f"{sign}{digits}{_SPACE}$"
            case "pt-BR":
                return f"{sign}${_SPACE}{digits}"
            case "ja":
                return f"{sign}{digits}ドル"
            case _:
                return f"{sign}${digits}"

    def percent(self, share: float, digits: int = 0) -> str:
        """A share of one as a percentage, with this many decimals."""
        space = _SPACE if self.language == "fr" else ""
        return f"{self._decimal(share, digits, scale=2)}{space}%"

    def number(self, value: float, digits: int = 0) -> str:
        """A number with this many decimals, the same text as the page's `number`."""
        return self._decimal(value, digits)

    def _decimal(self, value: float, digits: int, scale: int = 0) -> str:
        """The value times ten to the power of `scale`, rounded half up as browsers do."""
        exact = Decimal(str(value)).scaleb(scale)
        rounded = exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP) + 0  # no −0
        # Portugal writes 3000, but 20 000; Babel doesn't know.
        grouped = self.language != "pt" or abs(rounded) >= 10_000
        pattern = ("#,##0" if grouped else "0") + "." * bool(digits) + "0" * digits
        return format_decimal(rounded, pattern, locale=self.locale).replace("-", _MINUS)

    def listed(self, parts: Iterable[str]) -> str:
        """The parts as a list in a sentence: A, B and C."""
        return format_list(list(parts), locale=self.locale)

    def any_of(self, parts: Iterable[str]) -> str:
        """The parts as alternatives in a sentence: A, B, or C."""
        return format_list(list(parts), style="or", locale=self.locale)

    def series(self, parts: Iterable[str]) -> str:
        """The parts, joined by this language's comma."""
        say, found = self.say, list(parts)
        if not found:
            return ""
        return reduce(lambda told, part: say("{told}, {next}", told=told, next=part), found)

    def error(self, error: LastSpikeError, cities: Mapping[str, str] | None = None) -> str:
        """An error as a sentence, with its location or rule number if it has one. `cities` are
        names to use in place of their codes."""
        text = self._error_text(error, cities or {})
        if error.template.startswith("{") or _place_of(error):
            return text  # starts with a tile, file or path: keep its case
        return text[:1].upper() + text[1:]

    def _error_text(self, error: LastSpikeError, cities: Mapping[str, str]) -> str:
        facts = {name: self._fact(name, value, cities) for name, value in error.facts.items()}
        text = self.say(error.template, **facts)
        if place := _place_of(error):
            return self.say("{place}: {text}", place=self._place(place), text=text)
        if isinstance(error, MoveError) and error.rule:
            return self.say("{text} (rule {rule})", text=text, rule=error.rule)
        return text

    def _fact(self, name: str, value: object, cities: Mapping[str, str]) -> object:
        """A placeholder's value: amounts are formatted as money, nested errors as text, tuples as
        lists; what the operating system says is translated where it is well known."""
        match value:
            case LastSpikeError():
                return self._error_text(value, cities)
            case tuple() | list():  # a list after a journey as JSON
                return self.any_of(value) if name == "values" else self.series(value)
            case int() if name in _MONEY_FACTS:
                return self.money(value)
            case str() if name == "city":
                return cities.get(value, value)
            case str() if name == "reason":
                return self.template(value)
        return value

    def _place(self, place: str) -> str:
        """A place in a file, with the words in it translated."""
        found = _LINE.match(place)
        if found is None:
            return place
        line, column = found.groups()
        told = self.say("line {line}", line=line)
        if column:
            told = self.say("line {line}, column {column}", line=line, column=column)
        return told + place[found.end() :]


def _place_of(error: LastSpikeError) -> str:
    """Where in an edition or record the error is, or an empty string."""
    return getattr(error, "path", "") or getattr(error, "where", "")


@cache
def words_for(language: str | None = None) -> Words:
    """The `Words` of a language; by default, of the environment's language."""
    return Words(language or language_of(os.environ))


def language_of(environment: Mapping[str, str]) -> str:
    """The first supported language in LANGUAGE, LC_ALL, LC_MESSAGES and LANG, else English."""
    wanted = environment.get("LANGUAGE", "").split(":")
    wanted += [environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    tags = (re.split("[.@]", name)[0].replace("_", "-") for name in wanted)
    return best_language(tags) or "en"


@cache
def page_messages(language: str) -> dict[str, str | list[str]]:
    """The page's messages by their English text, after their context if they have one: a
    translation, or a list of plural forms.

    Empty for English, whose text is in the page's own modules.
    """
    found: dict[str, str | list[str]] = {}
    for message in _read_catalogue(language) or ():
        if any(name.startswith(_PAGE) for name, _ in message.locations):
            one = message.id[0] if isinstance(message.id, list | tuple) else message.id
            if message.context:
                one = f"{message.context}{CONTEXT_ENDS}{one}"
            text = message.string
            found[one] = list(text) if isinstance(text, list | tuple) else text or ""
    return found


def compiled_messages(language: str, files: Container[str] | None = None) -> bytes:
    """The catalogue as gettext's binary file, with only the messages in these files if given.
    Empty for English."""
    catalogue = _read_catalogue(language)
    if catalogue is None:
        return b""
    from babel.messages import mofile

    if files is not None:
        for message in list(catalogue):
            if message.id and not any(name in files for name, _ in message.locations):
                catalogue.delete(message.id, message.context)
    compiled = io.BytesIO()
    mofile.write_mo(compiled, catalogue)
    return compiled.getvalue()


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    """From the binary file where there is one, as in a browser, which has no time to compile."""
    file = resources.files("lastspike.words.catalogues").joinpath(f"{language}.mo")
    compiled = file.read_bytes() if file.is_file() else compiled_messages(language)
    return gettext.GNUTranslations(io.BytesIO(compiled)) if compiled else gettext.NullTranslations()


def _read_catalogue(language: str) -> Catalog | None:
    file = resources.files("lastspike.words.catalogues").joinpath(f"{language}.po")
    if not file.is_file():
        return None
    from babel.messages import pofile  # which takes as long as all the rest of this module

    return pofile.read_po(io.BytesIO(file.read_bytes()), locale=tag_of(language).replace("-", "_"))
