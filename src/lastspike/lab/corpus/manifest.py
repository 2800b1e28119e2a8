"""The manifest of a corpus: its parts with their digests, and which of them are done."""

from __future__ import annotations

import json
from hashlib import file_digest
from pathlib import Path
from typing import Any

from lastspike.release import full_version
from lastspike.rules.editions.shipped import DEFAULT_EDITION

from .plan import FORMAT, Part

NAME = "manifest.json"


def manifest_of(games: int, seed: str, done: list[dict[str, Any]], parts: list[Part]) -> Any:
    """The manifest as JSON. It has no date, so the same corpus has the same manifest."""
    return {
        "format": FORMAT,
        "version": full_version(),
        "license": "CC0-1.0",
        "records": "lastspike/1",
        "edition": DEFAULT_EDITION,
        "seed": seed,
        "games": games,
        "complete": len(done) == len(parts),
        "parts": done,
    }


def entry_of(folder: Path, part: Part, faults: int) -> dict[str, Any]:
    """A part that is done. `faults` counts the turns that a failing player didn't finish."""
    path = folder / part.file
    return {
        "file": part.file,
        "players": part.players,
        "bots": list(part.bots),
        "seed": part.seed,
        "games": part.games,
        "faults": faults,
        "bytes": path.stat().st_size,
        "sha256": digest_of(path),
    }


def finished_parts(folder: Path, parts: list[Part]) -> dict[str, dict[str, Any]]:
    """By file name: the parts of this plan that an earlier run finished and that are unchanged."""
    try:
        manifest = json.loads((folder / NAME).read_text("utf-8"))
        entries = {entry["file"]: entry for entry in manifest["parts"]}
        if (manifest["format"], manifest["version"]) != (FORMAT, full_version()):
            return {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return {
        part.file: entry
        for part in parts
        if (entry := entries.get(part.file))
        and (entry.get("seed"), entry.get("games")) == (part.seed, part.games)
        and (folder / part.file).is_file()
        and digest_of(folder / part.file) == entry.get("sha256")
    }


def seed_of(folder: Path) -> str | None:
    """The seed of the corpus in this folder, if there is one."""
    try:
        return str(json.loads((folder / NAME).read_text("utf-8"))["seed"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
