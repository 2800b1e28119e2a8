"""The words of a review, as the process that computes it adds them."""

from __future__ import annotations

from lastspike.languages import LANGUAGES
from lastspike.server.jobs.job_main import KINDS
from tests.review.helpers import quick_game


def test_reasons_speak_to_the_player_or_about_them() -> None:
    """To everybody else, "You have land" would be about the wrong player."""
    names = ["Ann", "Ben", "Cleo"]
    record = dict(quick_game("greenhorn greenhorn greenhorn", "losses").raw)
    found = KINDS["review"](lambda _done, _total: None, record, names, "losses", 1200)
    told = [turn for turn in found["turns"] if "words" in turn]
    assert told
    to_them, about = (
        [line for turn in told for line in turn[key]["en"]] for key in ("words", "about")
    )
    assert len(to_them) == len(about)
    assert any("you" in line.lower().split() for line in to_them)
    assert not any("you" in line.lower().split() for line in about)
    for turn in told:
        assert set(turn["about"]) == set(LANGUAGES)
        others = [name for name in names if name != names[turn["seat"]]]
        assert not any(
            f"{name} has land on" in line for name in others for line in turn["about"]["en"]
        )
