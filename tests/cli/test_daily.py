"""`lastspike daily`: the score of a finished deal with the line to share; other days refused."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from lastspike.bots.levels import make_player
from lastspike.cli.play.daily import daily
from lastspike.cli.play.daily_session import _opened
from lastspike.cli.play.terminal.saved import save
from lastspike.daily.chain import PUBLIC, today
from lastspike.daily.deal import daily_game
from lastspike.rules.errors import LastSpikeError


def test_a_finished_deal_shows_its_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    day = today(int(time.time() * 1000))
    path = tmp_path / f"{day.isoformat()}.json"
    saved = _opened(path, day, "Ada")
    assert saved.game == daily_game(PUBLIC.link(day))
    player = make_player("surveyor", "")
    while (turn := saved.game.turn) is not None:
        for move in player.turn(saved.game.view(turn)):
            saved.game.play(move)
    save(path, saved)
    daily(name="Ada", folder=tmp_path, plain=True, language="en", day=None, tycoon=False)
    told = capsys.readouterr().out
    assert "Your score: 0 ± 0" in told
    assert f"Daily Deal for {day.isoformat()}: 0 ± 0 ⬜⬜⬜" in told


def test_only_the_last_thirty_days_can_be_played(tmp_path: Path) -> None:
    for day in ("2020-01-01", "2999-01-01", "today"):
        with pytest.raises(LastSpikeError):
            daily(day=day, folder=tmp_path, name="", plain=True, language="en", tycoon=False)
    assert not list(tmp_path.iterdir())
