"""Help and usage errors in every language."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lastspike.cli.app import built
from lastspike.cli.translation import _USAGE_ERRORS, help_messages, usage_error
from lastspike.words.language import words_for
from tests.words.update import PLURALS

from .command import run, spawn

LANGUAGES = sorted(PLURALS)

WRONG = {
    ("verify",): "Missing argument {name}.",
    ("games", "export"): "Missing option {name}.",
    ("verifi",): "No such command {name}. Did you mean {others}?",
    ("xyz",): "No such command {name}.",
    ("simulate", "--playerz"): "No such option: {name} (Possible options: {others})",
    ("bots", "--xyz"): "No such option: {name}",
    ("bots", "xyz"): "Got unexpected extra argument(s) ({arguments})",
    ("simulate", "--players"): "Option {name} requires an argument.",
    ("arena", "--reverse=1"): "Option {name} does not take a value.",
    ("simulate", "--players", "x"): (
        "Input should be a valid integer, unable to parse string as an integer"
    ),
    ("train", "x", "--rate", "x"): (
        "Input should be a valid number, unable to parse string as a number"
    ),
    ("simulate", "--players", "9"): "Input should be less than or equal to {most}",
    ("simulate", "--players", "1"): "Input should be greater than or equal to {least}",
    ("simulate", "--double-cost", "x"): "Value error, {value} is not one of {values}.",
}
"""Wrong command lines, and what Typer says of each."""


def _said(text: str) -> str:
    """What a panel says, without its frame."""
    lines = [line[1:-1].strip() for line in text.splitlines() if line.startswith("│")]
    return " ".join(lines)


@pytest.mark.parametrize("arguments", WRONG)
def test_typer_says_what_is_translated(arguments: tuple[str, ...]) -> None:
    """Its words are looked up in the catalogues; another version may use others."""
    result = run(*arguments)
    assert result.code == 2
    template = WRONG[arguments]
    pattern = re.sub(r"\\{\w+\\}", ".+", re.escape(template))
    assert re.fullmatch(f"(Invalid value for .+: )?{pattern}", _said(result.err))


def test_every_usage_error_is_tried() -> None:
    untried = {"Missing command.", "Invalid value for {name}: {reason}"}
    assert {*WRONG.values(), *untried} == {*_USAGE_ERRORS}


def test_a_usage_error_is_translated_with_its_reason() -> None:
    text = "Invalid value for '--players': Input should be less than or equal to 6"
    assert usage_error(text, words_for("pt")) == "Valor inválido para '--players': no máximo 6"
    assert usage_error("Something else", words_for("pt")) == "Something else"


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_in_the_language_of_the_environment(language: str) -> None:
    words = words_for(language)
    result = spawn("play", "--help", LANGUAGE=language, COLUMNS="500", TERMINAL_WIDTH="500")
    assert result.code == 0
    for text in ("Usage: ", "Options", "Show this message and exit.", "In this terminal"):
        assert words.say(text) in result.out
    for parameter in _commands(built())[1].params:
        assert words.say(parameter.help) in result.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_command_line_is_refused_in_that_language(language: str) -> None:
    result = spawn("verify", LANGUAGE=language, COLUMNS="200", TERMINAL_WIDTH="200")
    assert result.code == 2
    assert words_for(language).say("Missing argument {name}.", name="'FILE'") in result.err


@pytest.mark.parametrize("option", ["--people=2", "--port=0"])
def test_options_of_the_other_way_to_play_are_refused_in_every_language(option: str) -> None:
    other = () if option.startswith("--people") else ("--terminal",)
    result = spawn("play", *other, option, LANGUAGE="fr")
    assert result.code == 1
    assert option.partition("=")[0] in result.err


def test_english_help_reads_no_catalogue() -> None:
    before = "from babel.messages import pofile; pofile.read_po = None"
    assert spawn("--help", before=before, LANGUAGE="en").code == 0


def test_every_command_and_option_has_help() -> None:
    assert len([*help_messages(built())]) > 150
    for command in _commands(built()):
        assert command.help, command.name
        for parameter in command.params:
            assert parameter.help, (command.name, parameter.name)


def _commands(command: Any) -> list[Any]:
    """The command itself, then its subcommands."""
    under = getattr(command, "commands", {}).values()
    return [command, *(found for each in under for found in _commands(each))]
