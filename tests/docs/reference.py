"""The reference of the rules' public names, `docs/api.md`: `python -m tests.docs.reference`.

It is written from signatures and docstrings; `test_reference.py` says when it is out of date.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lastspike import rules

PAGE = Path(__file__).parents[2] / "docs" / "api.md"

PARTS = {
    "Games": "Game Move Event Outcome",
    "What is played": "Edition shipped shipped_ids from_toml Options Setup setup",
    "Positions": (
        "Position Table start deal legal_moves play advance outcome to_text from_text Stream"
        " seed_of_text seed_of_series"
    ),
    "Views": "View view_of Preview preview resample",
    "Records": "Record Shuffle read_record read_records to_record",
    "Errors": (
        "LastSpikeError WrongType MoveError IllegalMove UnknownMove RecordError EditionError"
        " PositionError"
    ),
}
"""Every public name once, in the order in which a reader needs them."""

HEAD = """# Reference

Look up any name of the [rules engine](engine.md). Import it from `lastspike` or `lastspike.rules`.
`make reference` writes this page from the code, and a test keeps it up to date.
"""


def page() -> str:
    """The whole page."""
    lines = [HEAD]
    for part, names in PARTS.items():
        lines.append(f"## {part}\n")
        for name in names.split():
            lines += _entry(name, getattr(rules, name))
    return "\n".join(lines)


def _entry(name: str, value: Any) -> Iterator[str]:
    yield f"### `{name}`\n"
    if not isinstance(value, type):
        if callable(value):
            yield f"`{name}{_signature(value)}`\n"
            yield _text(value)
        else:
            yield "Any of these:\n"
            for kind in sorted(value.__args__, key=lambda kind: kind.__name__):
                shown = ", ".join(f"{n}: {_type(kind, n)}" for n in inspect.get_annotations(kind))
                yield f"- `{kind.__name__}({shown})`: {' '.join(kind.__doc__.split())}"
            yield ""
        return
    base = value.__base__
    if issubclass(value, Exception) and base is not None and base.__module__ == value.__module__:
        yield f"A kind of `{base.__name__}`.\n"
    yield _text(value)
    fields: tuple[str, ...] = ()
    if not issubclass(value, Exception) and value is not rules.Table:
        fields = tuple(inspect.get_annotations(value))
    yield from (f"- `{field}: {_type(value, field)}`" for field in fields)
    members = list(_members(value))
    for label, member in members:
        doc = " ".join(inspect.cleandoc(member.__doc__ or "").split())
        yield f"- `{label}`{': ' + doc if doc else ''}"
    if members or fields:
        yield ""


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that the class itself defines, with what to call them."""
    if issubclass(kind, Exception):
        return
    if kind is rules.Game or kind is rules.Stream:
        yield f"{kind.__name__}{_signature(kind.__init__)}", kind.__init__
    for name, member in vars(kind).items():
        if name.startswith("_") or (member.__doc__ or "").startswith("The old name of"):
            continue
        if isinstance(member, property):
            yield name, member
        elif isinstance(member, classmethod):
            yield f"{kind.__name__}.{name}{_signature(member.__func__)}", member.__func__
        elif inspect.isfunction(member):
            yield f"{name}{_signature(member)}", member


def _signature(function: Any) -> str:
    signature = inspect.signature(function)
    kept = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
    found = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(signature.replace(parameters=kept)))
    return found.removesuffix(" -> None")


def _type(kind: type, field: str) -> str:
    annotation = kind.__annotations__[field]
    return str(getattr(annotation, "__forward_arg__", annotation))


def _text(value: Any) -> str:
    text = inspect.cleandoc(value.__doc__ or "")
    if value.__module__.startswith("lastspike") and "   " in text:
        return f"```text\n{text}\n```\n"
    return f"{text}\n" if text else ""


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
