"""Atomic file writing: a file appears complete, or not at all."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO


@contextmanager
def written_whole(path: Path) -> Iterator[TextIO]:
    """A text file that is written atomically; pipes and devices are written to directly."""
    with bytes_written_whole(path) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="\n")
        try:
            yield text
        finally:
            text.detach()  # flushes, and leaves the file open


def write_json(path: Path, value: object, *, ascii_only: bool = False) -> None:
    """Write a value as indented JSON, atomically."""
    with written_whole(path) as file:
        json.dump(value, file, indent=2, ensure_ascii=ascii_only)
        file.write("\n")


@contextmanager
def bytes_written_whole(path: Path) -> Iterator[BinaryIO]:
    """As `written_whole`, for bytes."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        with path.open("wb") as file:
            yield file
        return
    path = path.resolve()
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        opened = part.open("xb")
    except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
        error.filename = str(path.parent)  # not the temporary file's name
        raise
    try:
        with opened as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
