"""Aliases for old module names; importing one warns. To be removed in version 0.3."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MOVED = {
    "lastspike.arena": "lastspike.lab.arena",
    "lastspike.arena.playing": "lastspike.lab.arena.game_runner",
    "lastspike.batch.those": "lastspike.batch.subset",
    "lastspike.bots.explaining": "lastspike.bots.explain.explainer",
    "lastspike.bots.guarded": "lastspike.bots.external.guard",
    "lastspike.bots.process": "lastspike.bots.external.process",
    "lastspike.bots.program": "lastspike.bots.external.program",
    "lastspike.bots.reasons": "lastspike.bots.explain.reasons",
    "lastspike.locale": "lastspike.words",
    "lastspike.locale.account": "lastspike.words.events",
    "lastspike.locale.words": "lastspike.words.language",
    "lastspike.research": "lastspike.lab.research",
    "lastspike.research.course": "lastspike.lab.research.chance_tree",
    "lastspike.research.every_seat": "lastspike.lab.research.pettingzoo_env",
    "lastspike.research.extra": "lastspike.lab.research.optional_libraries",
    "lastspike.research.one_seat": "lastspike.lab.research.gymnasium_env",
    "lastspike.research.past": "lastspike.lab.research.resampled_history",
    "lastspike.research.recall": "lastspike.lab.research.information_state",
    "lastspike.research.seeing": "lastspike.lab.research.observations",
    "lastspike.review.reviewing": "lastspike.review.run_review",
    "lastspike.review.turns": "lastspike.rules.records.turns",
    "lastspike.server.protocol": "lastspike.protocol",
    "lastspike.study": "lastspike.lab.study",
    "lastspike.study.holdings": "lastspike.rules.records.holdings",
    "lastspike.study.studying": "lastspike.lab.study.run_study",
    "lastspike.train": "lastspike.lab.train",
    "lastspike.train.course": "lastspike.lab.train.learning_curve",
} | {
    f"lastspike.{engine}.{old}": f"lastspike.{engine}.{room}.{new}"
    for engine, room, moved in (
        ("batch", "steps", "bankruptcy buying laying payouts raising turn"),
        ("rules", "steps", "bankruptcy buying laying payouts raising turn"),
        ("rules", "editions", "edition figures shipped writing:toml"),
        ("rules", "records", "notation record shuffle trace"),
    )
    for old, _, renamed in (name.partition(":") for name in moved.split())
    for new in [renamed or old]
}


def renamed(module: str, **names: str) -> Callable[[str], Any]:
    """A module-level `__getattr__` for renamed names, given as old=new; each use warns."""

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        message = f"{module}.{name} is now {names[name]}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(sys.modules[module], names[name])

    return find


def install() -> None:
    """Make old names importable. The finder goes first: otherwise a submodule imported under its
    package's old name would be found by path and loaded twice."""
    sys.meta_path.insert(0, _Finder())


def new_name(old: str) -> str | None:
    """The module's new name; None if it never moved."""
    known = max((name for name in MOVED if f"{old}.".startswith(f"{name}.")), key=len, default=None)
    return None if known is None else MOVED[known] + old.removeprefix(known)


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if not fullname.startswith("lastspike."):
            return None
        new = new_name(fullname)
        return None if new is None else ModuleSpec(fullname, _Loader(new))


class _Loader(Loader):
    def __init__(self, new: str) -> None:
        self._new = new
        self._spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        warnings.warn(f"{spec.name} is now {self._new}", DeprecationWarning, stacklevel=2)
        module = import_module(self._new)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """The module has already run under its new name; restore that name's spec."""
        module.__spec__ = self._spec
