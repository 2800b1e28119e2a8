"""The page's modules in one file, so that a slow line asks once instead of sixty times.

`main.js` is served together with every module that it imports, each in a function of its own.
Modules that are loaded later stay files of their own; what they import from the bundle they get
from there, so that each module runs once.

The modules keep to a few forms, which `test_bundle.py` checks: one-line imports of names, and
`export` before a declaration.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

ENTRY = "js/main.js"

_IMPORT = re.compile(r'^import \{ ?(?P<names>[^}]*?),? ?\} from "(?P<path>[^"]+)";\n', re.MULTILINE)
_LATER = re.compile(r'\bimport\("(?P<path>[^"]+)"\)')
_EXPORT = re.compile(r"^export (?:async function|function|class|const) (\w+)", re.MULTILINE)
_COMMENTS = re.compile(
    r"^[ \t]*/\*\*(?:(?!\*/)[\s\S])*\*/[ \t]*\n"  # documentation
    r"|^[ \t]*//.*\n"
    r"|/\*\* @\w+ [^\n]*?\*/ ?",  # types within a line
    re.MULTILINE,
)


def bundled(sources: Mapping[str, str]) -> dict[str, str]:
    """The modules as they are served, by path: the entry holds all that it imports."""
    sources = {path: _COMMENTS.sub("", source) for path, source in sources.items()}
    order = _in_order(sources, ENTRY, [])
    number = {path: n for n, path in enumerate(order)}
    parts = [_wrapped(path, sources[path], number) for path in order]
    offered = "\n".join(
        f"export const {{ {_renamed(number[path], names)} }} = m{number[path]};"
        for path in order
        if (names := _EXPORT.findall(sources[path]))
    )
    served = {
        path: _offered(path, source, number) if path in number else _outside(path, source, number)
        for path, source in sources.items()
    }
    served[ENTRY] = "\n".join([*parts, offered, ""])
    return served


def _in_order(sources: Mapping[str, str], path: str, found: list[str]) -> list[str]:
    """A module after all that it imports."""
    for match in _IMPORT.finditer(sources[path]):
        needed = _resolved(path, match["path"])
        if needed not in found:
            _in_order(sources, needed, found)
    found.append(path)
    return found


def _resolved(path: str, other: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), other))


def _from(path: str, other: str) -> str:
    """The address of a module, seen from another."""
    there = posixpath.relpath(other, posixpath.dirname(path))
    return there if there.startswith(".") else f"./{there}"


def _pairs(names: str) -> list[tuple[str, str]]:
    """What is imported, and what it is called there."""
    pairs = (name.strip().partition(" as ") for name in names.split(","))
    return [(name, alias or name) for name, _, alias in pairs]


def _wrapped(path: str, source: str, number: Mapping[str, int]) -> str:
    def imported(match: re.Match[str]) -> str:
        names = ", ".join(
            name if name == alias else f"{name}: {alias}" for name, alias in _pairs(match["names"])
        )
        return f"const {{ {names} }} = m{number[_resolved(path, match['path'])]};\n"

    names = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub(_declared, _IMPORT.sub(imported, source))
    if unknown := re.search(r"^(?:import|export)\b.*", body, re.MULTILINE):
        raise ValueError(f"{path}: the bundle doesn't know this form: {unknown[0]}")
    body = _LATER.sub(lambda match: _later(_resolved(path, match["path"]), number), body)
    return f"const m{number[path]} = (() => {{\n{body}return {{ {names} }};\n}})();"


def _declared(match: re.Match[str]) -> str:
    return match[0].removeprefix("export ")


def _later(path: str, number: Mapping[str, int]) -> str:
    if path in number:
        return f"Promise.resolve(m{number[path]})"
    return f'import("{_from(ENTRY, path)}")'


def _offered(path: str, source: str, number: Mapping[str, int]) -> str:
    """A module of the bundle under its own address, for whoever asks for it: the same module."""
    names = ", ".join(f"{_alias(number[path], name)} as {name}" for name in _EXPORT.findall(source))
    return f'export {{ {names} }} from "{_from(path, ENTRY)}";\n'


def _outside(path: str, source: str, number: Mapping[str, int]) -> str:
    """A module that is loaded later, with what the bundle holds taken from there."""

    def imported(match: re.Match[str]) -> str:
        needed = _resolved(path, match["path"])
        if needed not in number:
            return match[0]
        names = ", ".join(
            f"{_alias(number[needed], name)} as {alias}" for name, alias in _pairs(match["names"])
        )
        return f'import {{ {names} }} from "{_from(path, ENTRY)}";\n'

    return _IMPORT.sub(imported, source)


def _alias(module: int, name: str) -> str:
    return f"{name}_{module}"


def _renamed(module: int, names: list[str]) -> str:
    return ", ".join(f"{name}: {_alias(module, name)}" for name in names)
