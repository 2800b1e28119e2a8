"""`lastspike hosting`: the files for systemd, proxies and monitoring."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lastspike.rules.errors import LastSpikeError
from lastspike.words.language import words_for

FILES = Path(__file__).parent / "files"

app = typer.Typer(help="Files for systemd, nginx, Caddy and monitoring.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    pass


@app.command()
def write(
    folder: Annotated[Path, typer.Argument(help="The folder to write them to.")],
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files that you have changed.")
    ] = False,
) -> None:
    """Write the example settings, systemd units, proxy and monitoring files to a folder."""
    words = words_for()
    folder.mkdir(parents=True, exist_ok=True)
    files = {file.name: file.read_bytes() for file in sorted(FILES.iterdir())}
    if not force:
        for name, content in files.items():
            path = folder / name
            if path.exists() and path.read_bytes() != content:
                raise already_there(path)
    for name, content in files.items():
        (folder / name).write_bytes(content)
        typer.echo(words.say("Saved: {path}", path=folder / name))


def already_there(path: Path) -> LastSpikeError:
    return LastSpikeError("{path} already exists; add --force to overwrite it", path=path)
