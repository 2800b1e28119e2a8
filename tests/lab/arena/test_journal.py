"""The journal: what was played stays, whatever ended the run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lastspike.lab.arena.game_runner import Fault
from lastspike.lab.arena.journal import Journal, journal_beside, settings_of
from lastspike.lab.arena.match import play_deal
from lastspike.rules.errors import LastSpikeError

from .helpers import deal, result, settings

MATCH = settings("clerk", "greenhorn", players=2, deals=4)


def test_it_stands_beside_the_file_it_is_for() -> None:
    assert journal_beside(Path("a/b.json")) == Path("a/b.json.part")


def test_deals_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "j.part"
    deals = [
        play_deal(MATCH, 0),
        deal(2, result((1, 2), (0, 1), faults=(Fault(0, "slept ∞"),), last_spike=None)),
    ]
    with Journal(path, MATCH) as journal:
        assert journal.done == []
        for count, played in enumerate(deals, 1):
            journal.add(played)
            assert path.read_bytes().count(b"\n") == 1 + count  # already, whatever ends us now
    assert settings_of(path) == MATCH
    with Journal(path, MATCH) as journal:
        assert journal.done == deals
        assert journal.done[0].times == deals[0].times
        journal.add(deal(1))
    with Journal(path, MATCH) as journal:
        assert [played.number for played in journal.done] == [0, 2, 1]
        journal.remove()
    assert not path.exists()


def test_cut_off_anywhere_the_whole_lines_stay(tmp_path: Path) -> None:
    path = tmp_path / "j.part"
    deals = [deal(number, result((1, 2), (0, 1))) for number in range(3)]
    with Journal(path, MATCH) as journal:
        for played in deals:
            journal.add(played)
    whole = path.read_bytes()
    head = whole.index(b"\n")
    for size in range(len(whole) + 1):
        if head // 8 < size < head - 5:
            continue  # inside the settings all places are alike
        path.write_bytes(whole[:size])
        with Journal(path, MATCH) as journal:
            kept = max(whole[:size].count(b"\n") - 1, 0)
            assert journal.done == deals[:kept], size
            for played in deals[kept:]:
                journal.add(played)
        assert path.read_bytes() == whole


def test_a_torn_tail_of_zeros_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "j.part"
    with Journal(path, MATCH) as journal:
        journal.add(deal(0))
    with path.open("ab") as file:
        file.write(bytes(100) + b"\n{}\n")
    with Journal(path, MATCH) as journal:
        assert journal.done == [deal(0)]
        journal.add(deal(1))
    with Journal(path, MATCH) as journal:
        assert journal.done == [deal(0), deal(1)]


def test_a_deal_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "j.part"
    with Journal(path, MATCH) as journal:
        journal.add(deal(1))
        journal.add(deal(1))
    with Journal(path, MATCH) as journal:
        assert journal.done == [deal(1)]


def test_other_settings_are_refused_and_named(tmp_path: Path) -> None:
    path = tmp_path / "j.part"
    with Journal(path, MATCH) as journal:
        journal.add(deal(0))
    before = path.read_bytes()
    with pytest.raises(LastSpikeError, match=r"different settings \(deals, seed\)"):
        Journal(path, MATCH._replace(deals=9, seed="other"))
    options = MATCH.options._replace(cash="hidden")
    with pytest.raises(LastSpikeError, match=r"different settings \(options\)"):
        Journal(path, MATCH._replace(options=options))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "text", ["hello", "hello\n", "{}\n", "[1]\n", '{"format":"lastspike-arena/1"}\n']
)
def test_what_is_no_journal_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "j.part"
    path.write_text(text, "utf-8")
    with pytest.raises(LastSpikeError, match="not an arena journal"):
        Journal(path, MATCH)
    with pytest.raises(LastSpikeError, match="not an arena journal"):
        settings_of(path)
    assert path.read_text("utf-8") == text


def test_a_journal_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.part"
    with Journal(path, MATCH):
        pass
    head = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**head, "version": "0.0.1"}) + "\n", "utf-8")
    with pytest.raises(LastSpikeError, match=r"different settings \(version\)"):
        Journal(path, MATCH)


def test_two_arenas_do_not_write_the_same_journal(tmp_path: Path) -> None:
    path = tmp_path / "j.part"
    with (
        Journal(path, MATCH),
        pytest.raises(LastSpikeError, match="another arena is writing to this file"),
    ):
        Journal(path, MATCH)
    with Journal(path, MATCH):
        pass
