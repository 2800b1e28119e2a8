"""`make sbom`: the installed packages that the game needs, as CycloneDX JSON. Needs no network."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Any

from packaging.requirements import Requirement

from lastspike.release import full_version

NAME = "lastspike"


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def needed(installed: Distribution, extras: Iterable[str] = ()) -> Iterator[Requirement]:
    """The requirements of a package with these extras that apply to this machine."""
    for text in installed.requires or ():
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield requirement


def components(extras: Iterable[str] = ()) -> dict[str, Distribution]:
    """Everything that the game needs with these extras, directly or not, by its normal name."""
    found: dict[str, Distribution] = {}
    waiting = list(needed(distribution(NAME), extras))
    seen: set[tuple[str, str]] = set()
    while waiting:
        requirement = waiting.pop()
        name = normal(requirement.name)
        for extra in ("", *requirement.extras):
            if (name, extra) in seen or name == NAME:
                continue
            seen.add((name, extra))
            try:
                found[name] = distribution(requirement.name)
            except PackageNotFoundError:
                sys.exit(f"{requirement.name} is not installed; run make test or make play first")
            waiting += needed(found[name], requirement.extras)
    return dict(sorted(found.items()))


def sbom(extras: Iterable[str] = ()) -> dict[str, Any]:
    found = components(extras)
    refs = {name: f"pkg:pypi/{name}@{each.version}" for name, each in found.items()}
    game = f"pkg:pypi/{NAME}@{full_version()}"
    depends = {game: {normal(each.name) for each in needed(distribution(NAME), extras)}} | {
        refs[name]: {normal(other.name) for other in needed(each)} for name, each in found.items()
    }
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": game,
                "name": NAME,
                "version": full_version(),
                "purl": game,
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": [_component(name, each, refs[name]) for name, each in found.items()],
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(refs[name] for name in names if name in refs)}
            for ref, names in depends.items()
        ],
    }


def _component(name: str, installed: Distribution, ref: str) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": ref,
        "name": name,
        "version": installed.version,
        "purl": ref,
    }
    about = dict(installed.metadata.items())  # type: ignore[attr-defined]  # a message, in fact
    if expression := about.get("License-Expression"):
        component["licenses"] = [{"expression": expression}]
    elif (licence := about.get("License")) and "\n" not in licence:
        component["licenses"] = [{"license": {"name": licence}}]
    return component


if __name__ == "__main__":
    json.dump(sbom(sys.argv[1:]), sys.stdout, indent=2, ensure_ascii=False)
    print()
