"""What the page's worker needs of Python: our modules, and of the libraries only what is used."""

from __future__ import annotations

import io
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path

from lastspike.languages import LANGUAGES, tag_of
from lastspike.words.language import compiled_messages

ENTRY = "lastspike.server.offline.backend"
LIBRARIES = ("lastspike", "babel", "confusable_homoglyphs")
"""Packages of which the loaded modules go along. msgspec has a build of its own for browsers."""
_LIST = f"""
import sys, {ENTRY}, babel.dates, babel.lists, babel.numbers
for name, module in sys.modules.items():
    if name.partition(".")[0] in {LIBRARIES!r}:
        print(module.__file__)
"""
SENTENCES = "lastspike/words/sentences.json"
STAMP = (2026, 1, 1, 0, 0, 0)
"""The date of every file in an archive, so that the same content makes the same archive."""


def python_archive(msgspec_wheel: Path) -> bytes:
    """All of it as a zip archive, to be unpacked where Python looks for packages."""
    files = dict(_modules())
    files |= _data(list(files))
    with zipfile.ZipFile(msgspec_wheel) as wheel:
        names = (name for name in wheel.namelist() if name.endswith((".py", ".so")))
        files |= {name: wheel.read(name) for name in names}
    return archive(files)


def archive(files: dict[str, bytes]) -> bytes:
    """Not compressed: a web server compresses it better as a whole."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as into:
        for name, content in sorted(files.items()):
            into.writestr(zipfile.ZipInfo(name, STAMP), content)
    return made.getvalue()


def _modules() -> Iterator[tuple[str, bytes]]:
    """Every module that the entry loads, by its path below the packages."""
    run = subprocess.run((sys.executable, "-c", _LIST), check=True, capture_output=True, text=True)
    package = Path(str(resources.files("lastspike"))).parent
    others = Path(sysconfig.get_path("purelib"))
    for line in run.stdout.split():
        path = Path(line)
        root = package if path.is_relative_to(package) else others
        yield path.relative_to(root).as_posix(), path.read_bytes()
    yield "confusable_homoglyphs/__init__.py", b""


def _data(modules: Iterable[str]) -> dict[str, bytes]:
    """Editions, sentences, the messages of these modules, and what the libraries read."""
    found = {}
    for edition in resources.files("lastspike.editions").iterdir():
        if edition.name.endswith((".toml", ".py")):
            found[f"lastspike/editions/{edition.name}"] = edition.read_bytes()
    sentences = resources.files("lastspike.words").joinpath("sentences.json")
    found[SENTENCES] = sentences.read_bytes()
    found["lastspike/words/catalogues/__init__.py"] = b""
    for language in LANGUAGES:
        if compiled := compiled_messages(language, {*modules, SENTENCES}):
            found[f"lastspike/words/catalogues/{language}.mo"] = compiled
    alike = resources.files("confusable_homoglyphs").joinpath("confusables.json")
    found["confusable_homoglyphs/confusables.json"] = alike.read_bytes()
    babel = resources.files("babel")
    found["babel/global.dat"] = babel.joinpath("global.dat").read_bytes()
    for name in _locales():
        file = babel.joinpath("locale-data", f"{name}.dat")
        if file.is_file():
            found[f"babel/locale-data/{name}.dat"] = file.read_bytes()
    return found


def _locales() -> set[str]:
    """The files of our languages: each with the one that it is based on."""
    tags = {tag_of(language).replace("-", "_") for language in LANGUAGES}
    return tags | {tag.partition("_")[0] for tag in tags} | {"root"}
