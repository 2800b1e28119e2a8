"""Files that appear under their name when all is written, or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO


@contextmanager
def written_whole(path: Path) -> Iterator[TextIO]:
    """A text file that appears under its name when all is written, or not at all.

    What is no plain file, such as a pipe or /dev/null, is written to as it is.
    """
    with bytes_written_whole(path) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="\n")
        try:
            yield text
        finally:
            text.detach()  # with all that was written; the file is not the wrapper's to close


@contextmanager
def bytes_written_whole(path: Path) -> Iterator[BinaryIO]:
    """The same for bytes."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        with path.open("wb") as file:
            yield file
        return
    path = path.resolve()
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        opened = part.open("xb")
    except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
        error.filename = str(path.parent)  # the other file is not one that anybody named
        raise
    try:
        with opened as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
