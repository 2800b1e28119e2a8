"""The learning curve of a training as an SVG: the net's win shares, batch by batch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path

WIDTH, HEIGHT, MARGIN = 720, 300, 46
FONT = 'font-family="sans-serif" font-size="12"'
POINTS = 120
"""Batches are averaged to this many points, since single ones are noisy."""

LINES = {
    "learner": ("#1b6ca8", "one learner among Surveyors"),
    "surveyor": ("#b3541e", "one Surveyor among learners"),
}
ANSWER = {"learner": ("#1b6ca8", "one learner among those it learns to answer")}
"""The lines of a training against one net."""


def read_log(path: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def learning_curve(log: Sequence[dict[str, float]], players: int, answer: bool = False) -> str:
    """An SVG of win shares over games played, with a line for the fair share."""
    lines = ANSWER if answer else LINES
    games = _averaged([line["games"] for line in log])
    most = max([2.2 / players, *(line[key] for line in log for key in lines)])

    def x(value: float) -> float:
        return MARGIN + (WIDTH - 2 * MARGIN) * value / games[-1]

    def y(value: float) -> float:
        return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * value / most

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {FONT}>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fdfaf3"/>',
        _rule(x(0), y(1 / players), x(games[-1]), "fair share"),
        _text(MARGIN, HEIGHT - 14, "0"),
        _text(WIDTH - MARGIN, HEIGHT - 14, f"{games[-1] / 1e6:.1f} million games", "end"),
    ]
    parts += [
        _text(MARGIN - 6, y(tenth / 10) + 4, f"{10 * tenth} %", "end")
        for tenth in range(0, int(10 * most) + 1, 2)
    ]
    for place, (key, (colour, name)) in enumerate(lines.items()):
        shares = _averaged([line[key] for line in log])
        points = " ".join(f"{x(g):.1f},{y(s):.1f}" for g, s in zip(games, shares, strict=True))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        parts.append(_text(MARGIN + 8 + 260 * place, 24, name, colour=colour))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _averaged(values: Sequence[float]) -> list[float]:
    size = max(1, -(-len(values) // POINTS))
    pieces = [values[start : start + size] for start in range(0, len(values), size)]
    return [sum(piece) / len(piece) for piece in pieces]


def _rule(left: float, height: float, right: float, name: str) -> str:
    line = f'<path d="M{left:.1f} {height:.1f}H{right:.1f}" stroke="#777" stroke-dasharray="4"/>'
    return line + _text(right, height - 5, name, "end", "#555")


def _text(x: float, y: float, text: str, anchor: str = "start", colour: str = "#333") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place}>{escape(text)}</text>"
