"""Every text of the commands is a message of the catalogues, or is listed here with the reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from lastspike.cli.app import built
from lastspike.cli.translation import help_messages

from .update import PLURALS, SOURCE, messages, read, translated

PRINTS = {
    "echo", "print", "write", "exit", "page", "ask", "BadParameter", "Text",
    "add_row", "add_column", "Column", "grid", "add_task",
}  # fmt: skip
"""What is called with a text that people read."""

NOT_TRANSLATED = {
    "lastspike": "the name of the command, and command lines to type",
    "[limits]": "a part of the settings, as the file has it",
}
"""Printed as they are in every language, with the reason."""

FOR_DEVELOPERS = {
    "lab/research": "raised to programmers who call the environments from Python",
    "batch": "raised to programmers who call the engine from Python",
    "lab/train/learning_curve.py": "labels of a picture for those who train nets",
    "lab/arena/game_runner.py": "a player's fault is kept in English, so that results are the same",
    "server/http/routes/socket.py": "why a socket is closed: for authors of clients",
}
"""Texts in English only outside `cli`, with the reason. Besides: what parsers of JSON and TOML and
Pydantic say of a syntax error is theirs, and so are names of types and of values to type."""


def _texts_in(node: ast.AST) -> Iterator[str]:
    """Literals of an expression, without those of the calls in it: they are asked on their own."""
    if isinstance(node, ast.Call | ast.Compare | ast.Subscript):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from _texts_in(child)


def _printed(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Yield) and node.value is not None:
            yield from _texts_in(node.value)
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", None))
        if name in PRINTS:
            for argument in node.args:
                yield from _texts_in(argument)


def test_commands_print_nothing_but_messages() -> None:
    used = set()
    for path in sorted((SOURCE / "lastspike" / "cli").rglob("*.py")):
        for text in _printed(path):
            if not re.search(r"[^\W\d_]{3}", text):
                continue  # signs, codes and units
            known = next((begin for begin in NOT_TRANSLATED if text.strip().startswith(begin)), "")
            assert known, f"{path.name}: {text!r} is not said in the player's language"
            used.add(known)
    assert used == set(NOT_TRANSLATED)


def test_errors_for_people_are_the_projects_own() -> None:
    """Other exceptions than `LastSpikeError` are never shown as one line, so a command raises none
    with a text."""
    for path in sorted((SOURCE / "lastspike" / "cli").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                name = getattr(node.exc.func, "attr", getattr(node.exc.func, "id", ""))
                texts = [text for argument in node.exc.args for text in _texts_in(argument)]
                assert not texts or "Error" in name, f"{path.name}: {ast.unparse(node)}"
                assert name not in ("ValueError", "RuntimeError", "TypeError"), path.name


def test_what_is_for_developers_is_still_there() -> None:
    for path in FOR_DEVELOPERS:
        assert (SOURCE / "lastspike" / path).exists()


@pytest.mark.parametrize("language", sorted(PLURALS))
def test_every_help_text_and_every_error_is_translated(language: str) -> None:
    catalogue = read(language)
    for text, _ in help_messages(built()):
        assert _has(catalogue, text), text
    errors = [message for message, files in messages().items() if _of_commands(files)]
    assert len(errors) > 500
    for message in errors:
        assert _has(catalogue, message.texts[0], message.context), message


def _of_commands(files: list[str]) -> bool:
    return any(file.endswith(".py") for file in files)


def _has(catalogue: Catalog, text: str, context: str | None = None) -> bool:
    found = catalogue.get(text, context)
    return found is not None and translated(found.string)
