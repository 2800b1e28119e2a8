"""Errors as people read them: in their language, without internal details."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from logging import getLogger
from typing import Any

from lastspike.protocol import Problem
from lastspike.rules.errors import LastSpikeError, MoveError
from lastspike.server.table.errors import Refusal
from lastspike.words.language import Words

_log = getLogger("lastspike.problems")


def problem_of(error: LastSpikeError, words: Words) -> Problem:
    """The error as a message in this language."""
    rule = error.rule if isinstance(error, MoveError) else None
    facts = {name: _plain(value) for name, value in error.facts.items()}
    code = error.code if isinstance(error, Refusal) else None
    return Problem(words.error(error), error.template, facts, rule or None, code)


def unexpected(error: BaseException) -> LastSpikeError:
    """The message for an unexpected error: only a reference, which the log has too."""
    reference = secrets.token_hex(4)
    _log.error("unexpected error %s", reference, exc_info=error)
    return _Unexpected(
        "something went wrong on the server; to report it, quote {reference}", reference=reference
    )


class _Unexpected(Refusal):
    status = 500


def _plain(value: object) -> Any:
    """A fact as JSON."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(part) for part in value]
    return str(value)
