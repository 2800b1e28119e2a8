"""The file of an edition, as it is written: read back, it is the same edition."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings

from lastspike.rules.editions import figures
from lastspike.rules.editions.edition import Edition
from lastspike.rules.editions.shipped import MOST_DOTS, from_toml, shipped, shipped_ids
from lastspike.rules.editions.toml import to_toml
from lastspike.rules.errors import EditionError

from .strategies import other_maps


@pytest.mark.parametrize("edition_id", shipped_ids())
def test_what_comes_with_the_game_reads_back_as_it_was(edition_id: str) -> None:
    edition = shipped(edition_id)
    assert from_toml(to_toml(edition)).to_figures() == edition.to_figures()


@settings(max_examples=40, deadline=None)
@given(other_maps())
def test_any_edition_reads_back_as_it_was(edition: Edition) -> None:
    assert from_toml(to_toml(edition)).to_figures() == edition.to_figures()


def test_odd_names_survive_the_file() -> None:
    raw = copy.deepcopy(shipped().to_figures())
    raw["name"] = raw["cities"][0]["name"] = 'A "quoted" back\\slash, 東 and \U0001f682'
    raw["cities"][0]["at"] = [12.5, 0.00001]
    raw["cities"][0]["names"] = {"pt-BR": "São Luís"}
    raw["printed"], raw["set_aside"] = [], {}
    edition = figures.read(raw)
    assert from_toml(to_toml(edition)).to_figures() == edition.to_figures()


def test_a_key_of_thousands_of_parts_is_refused_at_once() -> None:
    with pytest.raises(EditionError, match="a line with too many dots"):
        from_toml("a" + ".a" * (MOST_DOTS + 1) + " = 1")
