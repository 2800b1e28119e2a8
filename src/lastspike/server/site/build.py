"""Writes the game as a folder of files that any web server can serve: see docs/offline.md."""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from lastspike import protocol as p
from lastspike.lessons import lesson_ids
from lastspike.rules.editions.shipped import shipped, shipped_ids
from lastspike.server.http.page.files import files, page_version
from lastspike.server.http.routes.lessons import lesson_messages
from lastspike.server.table.views import encode

from .pages import pages
from .pyodide_part import pyodide_files
from .python_part import python_archive

CACHE = "js/local/offline-cache.js"
OURS = "lastspike.zip"

MOST = {"all files": 25_000_000, "largest file": 12_000_000, "Python, compressed": 6_500_000}
"""Bytes. Compressed by gzip."""
PACKED = (".css", ".html", ".js", ".json", ".mjs", ".svg", ".wasm", ".webmanifest", ".zip")


def site_files(pyodide: Path, msgspec_wheel: Path, server: str = "") -> dict[str, bytes]:
    """All files of the site by their paths."""
    python = {**pyodide_files(pyodide), OURS: python_archive(msgspec_wheel)}
    folder = f"python/{_digest(python)[:12]}/"
    found = {folder + name: content for name, content in python.items()}
    web = f"web/{page_version()}/"
    found |= {web + name: file.plain for name, file in files().items()}
    found |= {f"{web}api/{name}.json": content for name, content in _answers().items()}
    found |= pages(folder, server)
    return found | {"offline-cache.js": _cache(found, files()[CACHE].plain)}


def _answers() -> dict[str, bytes]:
    """Answers that are the same for everybody: the page reads them before Python is there."""
    version = page_version()
    editions = [shipped(each) for each in shipped_ids()]
    listed = [p.EditionListed(each.id, each.name, list(each.player_counts)) for each in editions]
    return {
        "editions": encode(p.Editions(listed)),
        **{f"editions/{each.id}": encode(each.to_figures()) for each in editions},
        **{f"lessons/{each}": encode(lesson_messages(each, version)) for each in lesson_ids()},
    }


def _cache(found: Mapping[str, bytes], listening: bytes) -> bytes:
    """The service worker, with the files that it saves: one page does for all screens."""
    saved = [path for path in found if not path.endswith("/index.html")]
    told = json.dumps({"version": _digest(found)[:12], "files": saved})
    return f"self.site = {told};\n".encode() + listening


def _digest(found: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for path, content in sorted(found.items()):
        digest.update(path.encode() + b"\0" + hashlib.sha256(content).digest())
    return digest.hexdigest()


def compressed(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that are smaller when compressed, for servers that send such files."""
    packed = {
        path: gzip.compress(content, 9, mtime=0)
        for path, content in found.items()
        if path.endswith(PACKED)
    }
    return {f"{path}.gz": each for path, each in packed.items() if len(each) < len(found[path])}


def sizes(found: Mapping[str, bytes], packed: Mapping[str, bytes]) -> dict[str, int]:
    """The sizes that are checked, in bytes; `ValueError` if one of them is too large."""
    told = {
        "all files": sum(map(len, found.values())),
        "largest file": max(map(len, found.values())),
        "Python, compressed": sum(len(packed[path]) for path in packed if "python/" in path),
    }
    for what, most in MOST.items():
        if told[what] > most:
            raise ValueError(f"{what}: {told[what]:,} bytes, more than {most:,}")
    return told


def write(found: Mapping[str, bytes], folder: Path) -> None:
    """Write the files, in place of a site that was there."""
    if folder.exists() and any(folder.iterdir()) and not (folder / "offline-cache.js").is_file():
        raise ValueError(f"{folder} holds something else than a site")
    shutil.rmtree(folder, ignore_errors=True)
    for path, content in found.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where to write the site")
    parser.add_argument("--pyodide", type=Path, required=True, help="the npm package's folder")
    parser.add_argument("--msgspec", type=Path, required=True, help="its wheel for Pyodide")
    parser.add_argument("--server", default="", help="the address of a server to continue games on")
    given = parser.parse_args()
    if given.server and not re.fullmatch(r"https?://[^\s#?]+/", given.server):
        parser.error("--server: an address such as https://games.example.org/")
    found = site_files(given.pyodide, given.msgspec, given.server)
    packed = compressed(found)
    for what, size in sizes(found, packed).items():
        print(f"{what}: {size:,} bytes")
    write({**found, **packed}, given.folder)


if __name__ == "__main__":
    main()
