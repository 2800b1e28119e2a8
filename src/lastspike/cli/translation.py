"""Help and usage errors in the user's language: translates the commands once they are built.

In English nothing is done: the texts of the commands and of Typer are shown as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import Any

from typer.core import TyperCommand, TyperGroup

from lastspike.words.language import Words

from .wrapping import wrap_all_output

HELP_OPTIONS = ["-h", "--help"]

_TITLES = {
    "ARGUMENTS_PANEL_TITLE": "Arguments",
    "OPTIONS_PANEL_TITLE": "Options",
    "COMMANDS_PANEL_TITLE": "Commands",
    "ERRORS_PANEL_TITLE": "Error",
    "ABORTED_TEXT": "Aborted.",
    "REQUIRED_LONG_STRING": "[required]",
    "DEFAULT_STRING": "[default: {}]",
    "RICH_HELP": "Try [blue]'{command_path} {help_option}'[/] for help.",
}
"""Typer's texts around the help of a command, by their names in `typer.rich_utils`."""

_METAVARS = ("[OPTIONS]", "COMMAND [ARGS]...")
_USAGE = "Usage: "

_USAGE_ERRORS = (
    "Missing command.",
    "Missing argument {name}.",
    "Missing option {name}.",
    "No such command {name}. Did you mean {others}?",
    "No such command {name}.",
    "No such option: {name} (Possible options: {others})",
    "No such option: {name}",
    "Got unexpected extra argument(s) ({arguments})",
    "Option {name} requires an argument.",
    "Option {name} does not take a value.",
    "Invalid value for {name}: {reason}",
    "Input should be a valid integer, unable to parse string as an integer",
    "Input should be a valid number, unable to parse string as a number",
    "Input should be less than or equal to {most}",
    "Input should be greater than or equal to {least}",
    "Value error, {value} is not one of {values}.",
)
"""What Typer says of a wrong command line. The first that fits is used, so the order matters."""

_SYSTEM_ERRORS = (
    "No such file or directory",
    "Permission denied",
    "Is a directory",
    "Not a directory",
    "File exists",
    "No space left on device",
    "Read-only file system",
    "Too many open files",
    "Address already in use",
    "Connection refused",
)
"""What the operating system says most often: the reason in an error, in the system's words."""


def translate(command: TyperCommand | TyperGroup, words: Words) -> None:
    """Translate the help of a command, its options and its subcommands."""
    from typer import rich_utils

    wrap_all_output()
    for name, text in _TITLES.items():
        setattr(rich_utils, name, words.template(text))
    for each in _commands(command):
        each.help = _paragraphs(each.help, words)
        each.options_metavar = each.options_metavar and words.say(each.options_metavar)
        if isinstance(each, TyperGroup):
            each.subcommand_metavar = words.say(each.subcommand_metavar)
        vars(each)["get_usage"] = partial(_usage, each.get_usage, words)
        for parameter in _parameters(each):
            parameter.help = _paragraphs(parameter.help, words)
            parameter.rich_help_panel = parameter.rich_help_panel and words.say(
                parameter.rich_help_panel
            )


def usage_error(text: str, words: Words) -> str:
    """Typer's sentence about a wrong command line, translated if it is a known one."""
    for template in _USAGE_ERRORS:
        if found := _pattern(template).fullmatch(text):
            facts = found.groupdict()
            if "reason" in facts:
                facts["reason"] = usage_error(facts["reason"], words)
            return words.say(template, **facts)
    return text


def help_messages(command: TyperCommand | TyperGroup) -> Iterator[tuple[str, str]]:
    """Every message of the commands and of what is below them, with the file it is written in."""
    own = f"{__name__.replace('.', '/')}.py"
    for text in (*_TITLES.values(), *_METAVARS, _USAGE, *_USAGE_ERRORS, *_SYSTEM_ERRORS):
        yield text, own
    file = own
    for each in _commands(command):
        if each.callback is not None:
            file = f"{each.callback.__module__.replace('.', '/')}.py"
        for text in (each.help, *(parameter.help for parameter in _parameters(each))):
            for paragraph in _split(text):
                yield paragraph, file
        for parameter in _parameters(each):
            if parameter.rich_help_panel:
                yield parameter.rich_help_panel, file


def _commands(command: Any) -> Iterator[Any]:
    yield command
    for each in getattr(command, "commands", {}).values():
        yield from _commands(each)


def _parameters(command: Any) -> Sequence[Any]:
    import typer

    with typer.Context(command, help_option_names=HELP_OPTIONS) as context:
        return list(command.get_params(context))


def _split(text: str | None) -> list[str]:
    """The paragraphs of a text, each as one line: line breaks of the source mean nothing."""
    return [" ".join(paragraph.split()) for paragraph in (text or "").split("\n\n") if paragraph]


def _paragraphs(text: str | None, words: Words) -> str:
    return "\n\n".join(map(words.say, _split(text)))


def _usage(get_usage: Any, words: Words, context: Any) -> str:
    text: str = get_usage(context)
    return text.replace(_USAGE, words.say(_USAGE), 1)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(template)), re.DOTALL)
