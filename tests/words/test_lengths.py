"""The report of translations that are too long for their place."""

from __future__ import annotations

import pytest
from babel.messages.catalog import Catalog

from .lengths import called_with, too_long, width


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("button(HERE, run)", "button"),
        ('el("a", { href: "rules" }, HERE)', "el a"),
        ('el("p", {}, [first(), HERE])', "el p"),
        ("button(icon(), run, { title: HERE })", ""),
        ("const title = HERE", ""),
    ],
)
def test_the_place_of_a_message_is_what_it_is_given_to(text: str, called: str) -> None:
    assert called_with(text, text.index("HERE")) == called


def test_japanese_signs_are_as_wide_as_two_letters() -> None:
    assert (width("Map"), width("地図"), width("QRコード")) == (3, 4, 8)


@pytest.mark.parametrize(
    ("message", "text", "found"),
    [
        ("End turn", "Terminer le tour", 0),
        ("End turn", "Terminer maintenant le tour en cours", 1),
        ("You buy nothing.", "Vous n’achetez rien, et personne n’y changera plus rien.", 0),
    ],
)
def test_a_button_has_little_room_and_a_sentence_has_enough(
    message: str, text: str, found: int
) -> None:
    catalogue = Catalog("fr")
    catalogue.add(message, text)
    assert len(too_long(catalogue)) == found
