"""What an export says of the games that it leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lastspike.words.language import Words

if TYPE_CHECKING:
    from lastspike.server.records.publishing import Reason


def left_out_told(words: Words, reason: Reason, number: int) -> str:
    """That so many games are not in the file, and why."""
    match reason:
        case "no_game":
            return words.count(
                "{n} table without a game was left out.",
                "{n} tables without a game were left out.",
                number,
            )
        case "today":
            return words.count(
                "{n} game was left out: it’s a ranked game of today’s deal.",
                "{n} games were left out: they’re ranked games of today’s deal.",
                number,
            )
        case "continued":
            return words.count(
                "{n} game was left out: it continues a recorded game.",
                "{n} games were left out: they continue recorded games.",
                number,
            )
        case "consent":
            return words.count(
                "{n} game was left out: not everyone in it has agreed to publication.",
                "{n} games were left out: not everyone in them has agreed to publication.",
                number,
            )
        case "device":
            return words.count(
                "{n} game was left out: people shared a device, so they can’t agree separately.",
                "{n} games were left out: people shared a device, so they can’t agree separately.",
                number,
            )
