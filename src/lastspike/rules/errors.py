"""What can go wrong: every error the rules raise, each with a reason that can be translated."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from typing import Any


class LastSpikeError(Exception):
    """Base of all errors of the project that are meant for people.

    `template` is the reason in English with named places, and `facts` fills them;
    translations use the same places. A tuple becomes a list in words.
    """

    def __init__(self, template: str, **facts: object) -> None:
        super().__init__(template, facts)
        self.template = template
        self.facts: Mapping[str, object] = facts

    def __str__(self) -> str:
        facts = {name: _listed(name, value) for name, value in self.facts.items()}
        return self.template.format(**facts)

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors cross from worker processes; by default __init__ would get what it does not take.
        return copyreg.__newobj__, (type(self),), vars(self)  # type: ignore[attr-defined]


class WrongType(LastSpikeError, TypeError):
    """A value of the wrong type, such as a number where a text is expected."""


def wrong_type(field: str, expected: str, found: object) -> WrongType:
    """The error for a value of the wrong kind; `expected` is written as in a type hint."""
    return WrongType(
        "{field}: expected {expected}, found {found}",
        field=field,
        expected=expected,
        found=type(found).__name__,
    )


def _listed(name: str, value: object) -> object:
    if not isinstance(value, tuple | list):
        return value
    return (" or " if name == "values" else ", ").join(map(str, value))


class EditionError(LastSpikeError):
    """A bad figure in an edition. `path` is dotted, places count from 1: `routes.A.costs.3`."""

    def __init__(self, path: str, template: str, **facts: object) -> None:
        super().__init__(template, **facts)
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {super().__str__()}" if self.path else super().__str__()


class RecordError(LastSpikeError):
    """A record that is refused. `where` says which part is wrong: `deal.hands.2`, `moves.17`."""

    def __init__(self, where: str, template: str, **facts: object) -> None:
        super().__init__(template, **facts)
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {super().__str__()}" if self.where else super().__str__()


class PositionError(LastSpikeError):
    """A text that is not the one-line form of a position, or of an impossible one."""


class MoveError(LastSpikeError):
    """A move that can't be played. `rule` is the clause of the rules that forbids it."""

    def __init__(self, rule: str, template: str, **facts: object) -> None:
        super().__init__(template, **facts)
        self.rule = rule

    def __str__(self) -> str:
        return f"{super().__str__()} ({self.rule})" if self.rule else super().__str__()


class UnknownMove(MoveError):
    """The text is not a move of this edition."""


class IllegalMove(MoveError):
    """The move exists, but the rules forbid it in this position."""
