"""The page and its files, plain and compressed, and the version of them all."""

from __future__ import annotations

import gzip
import hashlib
import html
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import msgspec

from lastspike import __version__
from lastspike.languages import LANGUAGES, Language, tag_of
from lastspike.words.language import page_messages, words_for

from .bundle import bundled

TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
MANIFEST = "application/manifest+json"
FOR_EVER = "public, max-age=31536000, immutable"
"""For addresses with the page's version: their content never changes."""
ASK_AGAIN = "no-cache"
"""For what may change: browsers ask every time whether it has."""


class File(NamedTuple):
    media_type: str
    plain: bytes

    @property
    def packed(self) -> bytes:
        """Compressed when it is first asked for: few servers are asked for every file."""
        return _packed(self.plain)


@cache
def _packed(plain: bytes) -> bytes:
    return gzip.compress(plain, 9, mtime=0)


def folder() -> Path:
    return Path(str(resources.files("lastspike.web")))


@cache
def files() -> dict[str, File]:
    """Every file of the page by its path, plain and compressed; all of it fits in memory."""
    found = {}
    modules = {}
    for path in sorted(folder().rglob("*")):
        name = path.relative_to(folder()).as_posix()
        if path.suffix == ".js":
            modules[name] = path.read_text("utf-8")
        elif path.suffix in TYPES:
            found[name] = File(TYPES[path.suffix], path.read_bytes())
    for name, source in bundled(modules).items():
        found[name] = File(TYPES[".js"], source.encode())
    shared = resources.files("lastspike.words").joinpath("sentences.json").read_bytes()
    found["words/sentences.json"] = File(TYPES[".json"], shared)
    for language in LANGUAGES:
        messages = msgspec.json.encode(page_messages(language))
        found[f"words/{language}.json"] = File(TYPES[".json"], messages)
        manifest = _in_language("page.webmanifest", language, _json_escaped)
        found[f"page.{language}.webmanifest"] = File(MANIFEST, manifest.encode())
    return found


@cache
def page_in(language: Language) -> str:
    """The page's HTML in a language, all but the place it is served at: `{base}`."""
    codes = (code if code == tag_of(code) else f"{code}={tag_of(code)}" for code in LANGUAGES)
    return (
        _in_language("index.html", language, html.escape)
        .replace("{version}", page_version())
        .replace("{languages}", " ".join(codes))
    )


def _in_language(name: str, language: Language, escaped: Callable[[str], str]) -> str:
    """A file of the page that speaks before any script has run."""
    text = (folder() / name).read_text("utf-8")
    say = words_for(language).say
    for place, words in {
        "tag": tag_of(language),
        "language": language,
        "description": say("Build the railway together, and finish with the most cash."),
        "skip": say("Skip to main content"),
        "noscript": say("The Last Spike needs JavaScript."),
    }.items():
        text = text.replace(f"{{{place}}}", escaped(words))
    return text


def _json_escaped(text: str) -> str:
    return msgspec.json.encode(text).decode()[1:-1]


@cache
def page_version() -> str:
    """Changes with anything that the browser gets, so that an old page knows it is old."""
    digest = hashlib.sha256(__version__.encode())
    digest.update((folder() / "index.html").read_bytes())
    for name, file in files().items():
        digest.update(name.encode() + file.plain)
    return f"{__version__}-{digest.hexdigest()[:8]}"
