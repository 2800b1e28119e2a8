"""Reviews in a browser: a step at a time, by Speculator, without NumPy."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from lastspike.review.judges import speculators
from lastspike.review.run_review import Review, Steps, review_steps, review_to_json
from lastspike.rules.records.record import read_record
from lastspike.server.offline import reviews
from tests.review.helpers import quick_game

from .page import MemoryShelf, Page, Socket

pytestmark = pytest.mark.anyio

PLAYOUTS = 200


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "PLAYOUTS", PLAYOUTS)
    monkeypatch.setattr(reviews, "AT_ONCE_S", 0.0)


async def reviewed(page: Page, path: str, body: Any = None) -> tuple[dict[str, Any], list[float]]:
    """The review, asked for until it is there, and the progress on the way."""
    told: list[float] = []
    while True:
        answer = await page.ask("POST", path, body)
        assert answer["job"] is None  # nothing to follow: the page asks again
        told.append(answer["progress"])
        if answer["found"] is not None:
            return answer["found"], told


def finished(steps: Steps) -> Review:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            reviewed: Review = end.value
            return reviewed


async def test_a_game_is_reviewed_and_the_review_is_kept() -> None:
    shelf = MemoryShelf()
    page = Page(shelf)
    await page.backend.start()
    table = await page.table(["me", "greenhorn"])
    path = f"api/tables/{table}/review"
    status, problem = await page.refused("POST", path)
    assert (status, problem["template"]) == (409, "only a game that is over can be reviewed")
    socket = Socket(page, table)
    await socket.begin()
    await socket.play(1000)
    found, told = await reviewed(page, path)
    turns = len(found["turns"])
    assert told == sorted(told)
    assert len(told) > turns  # other requests had their turn in between
    assert len(found["luck"]) == 2
    assert found["playouts"] == PLAYOUTS
    await page.backend.stop()

    page = Page(shelf)
    await page.backend.start()
    assert await page.ask("POST", path) == {"progress": 1.0, "found": found, "job": None}
    await page.ask("DELETE", "api/me")
    assert shelf.values == {}
    await page.backend.stop()


async def test_a_record_is_reviewed_by_speculator_with_sentences() -> None:
    shelf = MemoryShelf()
    shelf.full = True
    page = Page(shelf)
    await page.backend.start()
    record = quick_game("greenhorn greenhorn greenhorn", "losses")
    found, _ = await reviewed(page, "api/records/review", {"record": record.raw})
    steps = review_steps(read_record(dict(record.raw)), found["seed"], PLAYOUTS, speculators())
    expected = json.loads(json.dumps(review_to_json(finished(steps))))
    worded = [turn for turn in found["turns"] if turn.pop("words", None) and turn.pop("about")]
    assert found == expected
    assert worded == [turn for turn in found["turns"] if turn["judgement"]["loss"]]
    assert worded
    await page.backend.stop()


async def test_a_review_that_can_not_be_stored_is_shown_all_the_same() -> None:
    shelf = MemoryShelf()
    page = Page(shelf)
    await page.backend.start()
    table = await page.table(["me", "greenhorn"])
    socket = Socket(page, table)
    await socket.begin()
    await socket.play(1000)
    shelf.full = True
    found, _ = await reviewed(page, f"api/tables/{table}/review")
    assert found["turns"]
    assert list(shelf.values) == ["person"]
    await page.backend.stop()


def test_it_needs_no_numpy(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("record") / "game.json"
    file.write_text(json.dumps(quick_game("greenhorn greenhorn greenhorn", "losses").raw))
    code = f"""
import json, sys
sys.modules["numpy"] = None
from lastspike.server.offline import reviews
for _ in reviews.review_steps(
    reviews.read_record(json.load(open({str(file)!r}))), "any", 100, reviews.speculators()
):
    pass
"""
    subprocess.run((sys.executable, "-c", code), check=True)
