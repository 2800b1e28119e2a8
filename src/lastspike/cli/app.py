"""The `lastspike` command: its subcommands and its error handling."""

from __future__ import annotations

import os
import signal
import sys
from io import TextIOWrapper
from typing import Annotated

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from lastspike.release import full_version
from lastspike.rules.errors import LastSpikeError
from lastspike.words.language import words_for

from . import bots, edition
from .hosting import admin, database, files, games, serve, status
from .lab import arena, benchmark, dataset, simulate, study, train
from .play import daily, play
from .records import records, review
from .translation import HELP_OPTIONS, translate, usage_error
from .workers import with_addresses

app = typer.Typer(
    name="lastspike",
    help="The Last Spike: build a railway together, and finish with the most cash.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": HELP_OPTIONS},
)
app.add_typer(edition.app, name="edition")
app.command("play")(play.play)
app.command("daily")(daily.daily)
app.command("serve")(serve.serve)
app.command("status")(status.status)
app.add_typer(status.app, name="config")
app.add_typer(files.app, name="hosting")
app.add_typer(admin.app, name="admin")
app.add_typer(database.app, name="db")
app.add_typer(games.app, name="games")
app.command("replay")(records.replay)
app.command("verify")(records.verify)
app.command("review")(review.review)
app.command("simulate")(simulate.simulate)
app.command("arena")(arena.arena)
app.command("benchmark")(benchmark.benchmark)
app.command("study")(study.study)
app.command("dataset")(dataset.dataset)
app.command("train")(train.train)
app.command("bots")(bots.bots)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lastspike {full_version()}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Show the version and exit.", callback=_version, is_eager=True
        ),
    ] = False,
) -> None:
    pass


def built() -> TyperGroup:
    """The command with all its subcommands, in English."""
    command = typer.main.get_command(app)
    assert isinstance(command, TyperGroup)
    return command


def main() -> None:
    """Run the command. An error prints one line and exits with a non-zero status."""
    # Commands that a script starts in the background ignore Ctrl-C by default; ours must not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # undecodable bytes must not stop the command
            stream.reconfigure(errors="replace")
    try:
        sys.exit(_run(with_addresses(sys.argv[1:])))
    except LastSpikeError as error:
        sys.exit(f"lastspike: {words_for().error(error)}")
    except BrokenPipeError:  # the reader of our output has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        words = words_for()
        reason = words.template(error.strerror or str(error))
        file = error.filename or words.say("file")
        sys.exit(f"lastspike: {words.say('{file}: {reason}', file=file, reason=reason)}")


def _run(arguments: list[str]) -> int | None:
    """Run the command in the user's language; its exit status."""
    command, words = built(), words_for()
    if words.language != "en":
        translate(command, words)
    try:
        status: int | None = command(arguments, standalone_mode=False)
        return status
    except typer.Abort:
        from typer.rich_utils import rich_abort_error

        rich_abort_error()
        return 1
    except TyperException as error:
        from typer.rich_utils import rich_format_error

        text = usage_error(error.format_message(), words)
        vars(error)["format_message"] = lambda: text
        rich_format_error(error)  # type: ignore[arg-type]
        return error.exit_code
