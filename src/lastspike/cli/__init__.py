"""The `lastspike` command, one module per family of commands."""

from .app import main

__all__ = ["main"]
