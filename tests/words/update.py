"""The messages of the code, and the catalogues brought up to them: `python -m tests.words.update`.

Adds the messages that a catalogue lacks, without a translation, and drops those no longer used.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_python
from babel.messages.pofile import read_po, write_po

from lastspike.cli.app import built
from lastspike.cli.translation import help_messages
from lastspike.languages import LANGUAGES, tag_of
from lastspike.words.sentences import messages as shared_messages

SHARED = "lastspike/words/sentences.json"
SOURCE = Path(__file__).parents[2] / "src"
CATALOGUES = SOURCE / "lastspike" / "words" / "catalogues"

PLURALS = {
    "fr": "nplurals=2; plural=(n > 1);",
    "pt": "nplurals=2; plural=(n != 1);",
    "pt-BR": "nplurals=2; plural=(n > 1);",
    "ja": "nplurals=1; plural=0;",
}
"""The languages that have a catalogue, with gettext's rule for their plural forms."""

assert {"en", *PLURALS} == {*LANGUAGES}, "every language but English needs its plural rule"

PLACES = {
    "say": (0,),
    "say_as": (0, 1),
    "count": (0, 1),
    "LastSpikeError": (0,),
    "MissingLibrary": (0,),
    "PositionError": (0,),
    "EditionError": (1,),
    "RecordError": (1,),
    "IllegalMove": (1,),
    "UnknownMove": (1,),
    "NotAllowed": (0,),
    "NeedsToken": (0,),
    "NotFound": (0,),
    "Conflict": (0,),
    "Stale": (0,),
    "TooMany": (0,),
    "TooLarge": (0,),
    "StorageDown": (0,),
    "UnreadableLog": (0,),
    "DatabaseInUse": (0,),
    "Banned": (0,),
    "NeedsKey": (0,),
    "_NoSuchMethod": (0,),
    "_Unexpected": (0,),
}
"""What is called with messages, and which of its arguments they are."""

_LITERAL = r'("(?:[^"\\]|\\.)*")'
SAID = re.compile(rf"\b(say|sayAs|count)\(\s*{_LITERAL}(?:\s*,\s*{_LITERAL})?")


class Message(NamedTuple):
    """A message, or the one and the many of it; with a context where its word needs several."""

    texts: tuple[str, ...]
    context: str | None = None


def messages() -> dict[Message, list[str]]:
    """Every message of the code, and the files it stands in, in the order of files and lines."""
    found: dict[Message, list[str]] = {}
    for path in sorted([*SOURCE.rglob("*.py"), *SOURCE.rglob("*.js")]):
        name = path.relative_to(SOURCE).as_posix()
        for message in _messages_in(path):
            files = found.setdefault(message, [])
            if name not in files:
                files.append(name)
    for texts in shared_messages():
        found.setdefault(Message(texts), []).append(SHARED)
    for text, name in help_messages(built()):
        files = found.setdefault(Message((text,)), [])
        if name not in files:
            files.append(name)
    return found


def read(language: str) -> Catalog:
    text = (CATALOGUES / f"{language}.po").read_bytes()
    return read_po(BytesIO(text), locale=_locale(language))


def updated(language: str, old: Catalog) -> str:
    """The catalogue's text with exactly the messages of the code, old translations kept."""
    new = Catalog(_locale(language))
    for message, files in messages().items():
        one, *many = message.texts
        known = old.get(one, message.context)
        new.add(
            message.texts if many else one,
            known.string if known and known.pluralizable == bool(many) else None,
            context=message.context,
            locations=[(file, 0) for file in files],
            user_comments=known.user_comments if known else (),
        )
    body = BytesIO()
    write_po(body, new, width=100, omit_header=True, include_lineno=False)
    return f"{_header(language)}\n{body.getvalue().decode().rstrip()}\n"


def main() -> None:
    """Update every catalogue, and report what is missing, unused and too long."""
    from .lengths import too_long, width  # it reads the page with `SAID`

    for language in PLURALS:
        path = CATALOGUES / f"{language}.po"
        old = read(language) if path.exists() else Catalog(_locale(language))
        text = updated(language, old)
        path.write_text(text, encoding="utf-8", newline="\n")
        new = read(language)
        known = {(entry.id, entry.context) for entry in new}
        missing = [repr(entry.id) for entry in new if entry.id and not translated(entry.string)]
        unused = [repr(entry.id) for entry in old if (entry.id, entry.context) not in known]
        long = [
            f"{each.text!r} is {width(each.text)} wide, at most {each.most}: {each.message!r}"
            for each in too_long(new)
        ]
        sys.stdout.write(
            f"{path.name}: {len(missing)} to translate, {len(unused)} unused and removed, "
            f"{len(long)} too long\n"
        )
        for title, each in (("translate", missing), ("removed", unused), ("too long", long)):
            sys.stdout.writelines(f"  {title}: {line}\n" for line in each)


def translated(text: object) -> bool:
    """Whether a message, in all its forms, has a text."""
    return all(text) if isinstance(text, tuple | list) else bool(text)


def _messages_in(path: Path) -> Iterator[Message]:
    if path.suffix == ".js":
        yield from _messages_in_page(path.read_text("utf-8"))
        return
    with path.open("rb") as file:
        # The name and the arguments of each call, whatever its annotation says.
        calls: Iterable[Any] = extract_python(file, dict.fromkeys(PLACES), [], {})
        for _, called, given, _ in calls:
            arguments = given if isinstance(given, tuple | list) else (given,)
            texts = tuple(arguments[place] for place in PLACES[called] if place < len(arguments))
            if len(texts) == len(PLACES[called]) and all(texts):
                yield Message(texts[1:], texts[0]) if called == "say_as" else Message(texts)


def _messages_in_page(text: str) -> Iterator[Message]:
    """Every literal that the page says or counts with. Babel misses calls within calls."""
    for called, first, second in SAID.findall(text):
        if called == "say":
            yield Message((json.loads(first),))
        elif second and called == "sayAs":
            yield Message((json.loads(second),), json.loads(first))
        elif second:
            yield Message((json.loads(first), json.loads(second)))


def _locale(language: str) -> str:
    """The name of a language as gettext and Babel write it: `pt_BR`."""
    return tag_of(language).replace("-", "_")


def _header(language: str) -> str:
    lines = [
        "Project-Id-Version: lastspike",
        f"Language: {_locale(language)}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        f"Plural-Forms: {PLURALS[language]}",
    ]
    return 'msgid ""\nmsgstr ""\n' + "".join(f'"{line}\\n"\n' for line in lines)


if __name__ == "__main__":
    main()
