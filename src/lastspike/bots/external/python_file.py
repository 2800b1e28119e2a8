"""Players in a Python file, named FILE.py:CLASS."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

_NAME = re.compile(r"(?P<path>.+\.py):(?P<maker>[^\W\d]\w*)", re.DOTALL)


class InFile(NamedTuple):
    """A file, and the name of what makes a player from a seed there: usually its class."""

    path: str
    maker: str

    def load(self) -> Callable[[str], Any]:
        """Run the file, once in a process, and return the maker. Raises what the file raises."""
        made: Callable[[str], Any] = getattr(_module(Path(self.path).resolve()), self.maker)
        return made


def in_file(name: str) -> InFile | None:
    """The file and the maker that a player's name stands for, if it has the form FILE.py:CLASS."""
    found = _NAME.fullmatch(name)
    return InFile(found["path"], found["maker"]) if found else None


@cache
def _module(path: Path) -> ModuleType:
    """The file as a module. As with `python FILE`, it can import the modules beside it."""
    name = f"_lastspike_player_{sha256(str(path).encode()).hexdigest()[:12]}"
    spec = spec_from_file_location(name, path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    sys.modules[name] = module  # dataclasses and pickles look a module up by its name
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
