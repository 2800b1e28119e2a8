"""The legality check for a computer player's turn, and the fallback player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from lastspike.rules.editions.figures import repr_short
from lastspike.rules.errors import LastSpikeError, MoveError
from lastspike.rules.moves import PASS_TEXT, Move
from lastspike.rules.view import View, preview

from .greenhorn import Greenhorn
from .player import ComputerPlayer

LONGEST_TURN = 100
"""More moves than any turn has; an endless answer is cut off here."""


def whole_turn(view: View, answers: Iterable[object], player: str) -> list[Move]:
    """The turn in a player's answers, which may be moves or their texts.

    `LastSpikeError` names the player and the problem if it is illegal or incomplete.
    """
    return list(legal_moves_of(view, answers, player))


def legal_moves_of(view: View, answers: Iterable[object], player: str) -> Iterator[Move]:
    """As `whole_turn`, lazily: yields legal moves until the first mistake raises its error.

    Each move is checked before the next answer is read.
    """
    moves: list[Move] = []
    over = False
    for answer in islice(answers, LONGEST_TURN):
        if over and str(answer) == PASS_TEXT:
            continue  # T6: some players pass after a turn that has already ended
        text = answer.text if isinstance(answer, Move) else answer
        if not isinstance(text, str):
            raise no_move(player, answer)
        try:
            moves.append(view.table.board.parse(text))
            over = preview(view, moves).turn_over
        except MoveError as error:
            raise LastSpikeError(
                "{player} chose {move}, which can’t be played: {reason}",
                player=player,
                move=printable(text, 20),
                reason=error,
            ) from None
        yield moves[-1]
    if not over:
        raise LastSpikeError(
            "{player} left its turn unfinished: {moves}",
            player=player,
            moves=" ".join(map(str, moves)) or "-",
        )


def fallback_player(seed: str) -> ComputerPlayer:
    """The player that replaces one that failed: random legal moves, and it can't fail."""
    return Greenhorn(seed)


def no_move(player: str, answer: object) -> LastSpikeError:
    return LastSpikeError(
        "{player} answered {answer} instead of a move", player=player, answer=repr_short(answer)
    )


def printable(text: str, most: int = 200) -> str:
    """Untrusted text as one short line without control characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."
