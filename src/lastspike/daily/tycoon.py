"""What strong play makes of a day's deal: Tycoon's games in the person's seat."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from lastspike.bots.levels import TYCOON, make_player
from lastspike.rules.game import Game

from .deal import LEVELS, daily_game, player_seed
from .score import Points, Score, mean_points, score_game

GAMES = 12


class TycoonMean(msgspec.Struct, frozen=True):
    """The means of Tycoon's games on a deal: its share of the win, cash and score."""

    games: int
    share: float
    cash: float
    score: Points


def computers_game(link: bytes, level: str, seed: str) -> Game:
    """The game of a day's link with a computer player in the person's seat, played to its end."""
    game = daily_game(link)
    players = [make_player(name or level, seed) for name in LEVELS]
    while (turn := game.turn) is not None:
        for move in players[turn].turn(game.view(turn)):
            game.play(move)
    return game


def tycoons_score(link: bytes, number: int) -> Score:
    """The score of Tycoon's game with this number, from 0; each has other random numbers."""
    seed = player_seed(link, -1 - number)
    return score_game(computers_game(link, TYCOON, seed), score_seed(link))


def score_seed(link: bytes) -> str:
    """The seed for scoring all games of a day: the same turn costs everybody the same."""
    return player_seed(link, 0)


def mean_of(scores: Sequence[Score]) -> TycoonMean:
    count = len(scores)
    return TycoonMean(
        games=count,
        share=math.fsum(score.share for score in scores) / count,
        cash=math.fsum(score.cash for score in scores) / count,
        score=mean_points([score.score.points for score in scores]),
    )
