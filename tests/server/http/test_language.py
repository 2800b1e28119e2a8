"""The language that a browser asks for, out of those we have."""

from __future__ import annotations

import time

import pytest

from lastspike.server.http.language import language_for


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        ("de, pt-BR;q=0.7, en;q=0.3", "pt-BR"),
        ("pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7", "pt-BR"),
        ("pt-PT,pt;q=0.9", "pt"),
        ("pt", "pt"),
        ("pt-AO", "pt"),
        ("PT-br", "pt-BR"),
        ("JA", "ja"),
        ("en;q=0.2, ja", "ja"),
        ("en ; q=0.2 , ja ; q=0.5", "ja"),
        ("xx", "en"),
        ("*", "en"),
        ("*, fr;q=0.1", "fr"),
        ("fr, ja", "fr"),
        ("fr;q=nonsense, ja;q=0.1", "ja"),
        ("fr;q=nan, ja;q=0.1", "ja"),
        ("fr;q=0", "en"),
        ("fr;q=0.000, pt;q=0.001", "pt"),
        ("fr-, -fr, fr;, ;q=1, \0, ja", "ja"),
        ("de," * 19 + "fr", "fr"),
        ("de," * 20 + "fr", "en"),
        ("," * 10_000, "en"),
    ],
)
def test_the_language_is_the_best_of_ours(header: str | None, language: str) -> None:
    assert language_for(header) == language


@pytest.mark.parametrize("part", ["fr", "-a", ";q=", " ", "a-", ",fr-"])
def test_a_hostile_header_costs_next_to_nothing(part: str) -> None:
    before = time.perf_counter()
    assert language_for(part * 20_000 + ",") in ("en", "fr")
    assert time.perf_counter() - before < 0.1
