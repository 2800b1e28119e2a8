"""Writes the golden playthroughs anew: `python -m tests.rules.regenerate`, then read the diff."""

from __future__ import annotations

from .playthrough import GAMES, GOLDEN, playthrough

if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name in GAMES:
        (GOLDEN / f"{name}.txt").write_text(playthrough(name), "utf-8")
