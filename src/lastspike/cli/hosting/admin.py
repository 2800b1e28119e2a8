"""`lastspike admin`: what the operator of a running server sees and does."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lastspike.rules.errors import LastSpikeError
from lastspike.words.language import words_for

from . import admin_tables as tell
from .admin_client import OperatorClient
from .database import ConfigFile, Database


class _Later:
    """The messages, once a command asks a server; the other commands start without them."""

    def __getattr__(self, name: str) -> object:
        from lastspike import protocol

        return getattr(protocol, name)


if TYPE_CHECKING:
    from lastspike import protocol as p
else:
    p = _Later()

app = typer.Typer(
    help="Manage a running server: tables, people, reports, bans, announcements.",
    no_args_is_help=True,
)

DAY_MS = 86_400_000

TableId = Annotated[str, typer.Argument(metavar="TABLE", help="The table’s id.")]
IDS = {"ignore_unknown_options": True}
"""Ids are random, and some begin with a dash."""
PersonId = Annotated[str, typer.Argument(metavar="PERSON", help="The person’s id.")]
Reason = Annotated[str, typer.Option(help="The reason, for the audit log.")]
Yes = Annotated[bool, typer.Option("--yes", help="Don’t ask for confirmation.")]


@app.callback()
def _server(
    context: typer.Context,
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The server’s address. Default: the one on this machine."),
    ] = None,
    key_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A file with the operator’s key. Default: LASTSPIKE_ADMIN_KEY, or a prompt.",
        ),
    ] = None,
    config: ConfigFile = None,
    database: Database = None,
) -> None:
    context.obj = OperatorClient(url, config, database, key_file)


@app.command()
def key() -> None:
    """Create a new operator’s key, and show what to put into the server’s settings."""
    from lastspike.server.admin.key import hash_of, new_key

    made, words = new_key(), words_for()
    typer.echo(words.say("The operator’s key. Treat it like a password; it can’t be shown again:"))
    typer.echo(f"\n{made}\n")
    typer.echo(words.say("Put its hash into the server’s settings, and restart the server:"))
    line = f'admin_key_hash = "{hash_of(made)}"'
    typer.echo(f"\n{line}")


# ---- looking ----------------------------------------------------------------------------------


@app.command()
def overview(context: typer.Context) -> None:
    """Show the server’s version, load, tables, reports and announcements."""
    tell.show_instance(_client(context).get(p.Instance))


@app.command()
def tables(
    context: typer.Context,
    status: Annotated[
        Literal["waiting", "playing", "over", "closed"] | None,
        typer.Option(help="Only tables with this status."),
    ] = None,
) -> None:
    """List the most recently changed tables."""
    tell.show_tables(_client(context).get(p.TablesKept, "tables", status=status).tables)


@app.command(context_settings=IDS)
def table(context: typer.Context, table: TableId) -> None:
    """Show a table: its people, connections and chat, but nobody’s hand."""
    found = _client(context).get(p.TableDetails, "tables", table)
    persons = {
        seat.person: p.Somebody(seat.person, seat.name)
        for seat in found.seats
        if seat.person is not None
    }
    tell.show_tables(
        [
            p.TableKept(
                found.table,
                found.status,
                found.settings.public,
                found.created,
                found.changed,
                list(persons.values()),
                len(found.connections),
            )
        ]
    )
    typer.echo()
    tell.show_connections(found.connections)
    typer.echo()
    tell.show_chat(found.chat)


@app.command()
def people(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Part of a name, or an id.")] = "",
) -> None:
    """List people, newest first, or search for them."""
    tell.show_persons(_client(context).get(p.PersonsKept, "persons", name=name).persons)


@app.command(context_settings=IDS)
def person(context: typer.Context, person: PersonId) -> None:
    """Show a person, their tables, and the addresses they are connected from."""
    found = _client(context).get(p.PersonDetails, "persons", person)
    tell.show_persons([found.about])
    for address in found.addresses:
        typer.echo(words_for().say("Connected from {address}", address=address))
    typer.echo()
    tell.show_tables(found.tables)


@app.command()
def connections(context: typer.Context) -> None:
    """List the open connections."""
    tell.show_connections(_client(context).get(p.ConnectionsKept, "connections").connections)


@app.command()
def bans(context: typer.Context) -> None:
    """List the bans."""
    tell.show_bans(_client(context).get(p.Bans, "bans").bans)


@app.command()
def reports(
    context: typer.Context,
    settled: Annotated[
        bool, typer.Option("--settled", help="Show settled reports instead of open ones.")
    ] = False,
) -> None:
    """List the players’ reports, with the messages around them."""
    asked = "true" if settled else "false"
    tell.show_reports(_client(context).get(p.Reports, "reports", settled=asked).reports)


@app.command()
def audit(
    context: typer.Context,
    table: Annotated[
        str | None, typer.Option(metavar="ID", help="Only events about this table.")
    ] = None,
    person: Annotated[
        str | None, typer.Option(metavar="ID", help="Only events about this person.")
    ] = None,
) -> None:
    """Show the audit log, newest entries first."""
    found = _client(context).get(p.AuditLog, "audit", table=table, person=person)
    tell.show_events(found.events)


# ---- acting -----------------------------------------------------------------------------------


@app.command("close-table", context_settings=IDS)
def close_table(context: typer.Context, table: TableId, reason: Reason) -> None:
    """Close a table. A game in progress ends without a result."""
    _client(context).post(p.Managed, "tables", table, "close", reason=reason)
    _done()


@app.command("delete-table", context_settings=IDS)
def delete_table(context: typer.Context, table: TableId, reason: Reason, yes: Yes = False) -> None:
    """Delete a table with its game, chat and reviews."""
    _sure(yes)
    _client(context).post(p.Managed, "tables", table, "delete", reason=reason)
    _done()


@app.command("remove-message", context_settings=IDS)
def remove_message(
    context: typer.Context,
    table: TableId,
    step: Annotated[
        int, typer.Argument(help="The message’s step, as shown by lastspike admin table.")
    ],
    reason: Reason,
) -> None:
    """Remove a message from a table’s chat."""
    _client(context).post(p.Managed, "tables", table, "redact", step=step, reason=reason)
    _done()


@app.command(context_settings=IDS)
def rename(
    context: typer.Context,
    person: PersonId,
    name: Annotated[str, typer.Argument(help="The new name.")],
    reason: Reason,
) -> None:
    """Rename a person at all their tables."""
    _client(context).post(p.Managed, "persons", person, "rename", name=name, reason=reason)
    _done()


@app.command(context_settings=IDS)
def erase(context: typer.Context, person: PersonId, reason: Reason, yes: Yes = False) -> None:
    """Erase a person’s data, as they could themselves."""
    _sure(yes)
    _client(context).post(p.Managed, "persons", person, "erase", reason=reason)
    _done()


@app.command(context_settings=IDS)
def ban(
    context: typer.Context,
    whom: Annotated[
        str,
        typer.Argument(metavar="PERSON|NETWORK", help="A person’s id, an address or a network."),
    ],
    days: Annotated[float, typer.Option(help="Duration in days.", min=0.01, max=3650)],
    reason: Annotated[str, typer.Option(help="The reason, shown to the banned person.")],
) -> None:
    """Ban a person, an address or a network for a limited time."""
    who = {"network": whom} if "." in whom or ":" in whom else {"person": whom}
    ends = int(_now() + days * DAY_MS)
    made = _client(context).post(p.Managed, "bans", **who, ends=ends, reason=reason)
    typer.echo(words_for().say("Ban {id} ends on {time}.", id=made.id, time=tell.when(ends)))


@app.command(context_settings=IDS)
def unban(
    context: typer.Context,
    ban: Annotated[str, typer.Argument(metavar="BAN", help="The ban’s id.")],
) -> None:
    """End a ban."""
    _client(context).delete(p.Managed, "bans", ban)
    _done()


@app.command()
def announce(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="The announcement.")],
    hours: Annotated[float, typer.Option(help="Duration in hours.", min=0.01, max=87_600)] = 24,
) -> None:
    """Make an announcement to everybody, on every page and at every table."""
    ends = int(_now() + hours * DAY_MS / 24)
    made = _client(context).post(p.Managed, "announcements", text=text, ends=ends)
    typer.echo(
        words_for().say("Announcement {id} ends on {time}.", id=made.id, time=tell.when(ends))
    )


@app.command("end-announcement", context_settings=IDS)
def end_announcement(
    context: typer.Context,
    announcement: Annotated[str, typer.Argument(metavar="ID", help="The announcement’s id.")],
) -> None:
    """End an announcement."""
    _client(context).delete(p.Managed, "announcements", announcement)
    _done()


@app.command(context_settings=IDS)
def settle(
    context: typer.Context,
    report: Annotated[str, typer.Argument(metavar="REPORT", help="The report’s id.")],
    note: Annotated[str, typer.Option(help="The outcome.")] = "",
) -> None:
    """Mark a report as settled."""
    _client(context).post(p.Managed, "reports", report, "settle", note=note)
    _done()


def _client(context: typer.Context) -> OperatorClient:
    assert isinstance(context.obj, OperatorClient)
    return context.obj


def _now() -> int:
    return time.time_ns() // 1_000_000


def _done() -> None:
    typer.echo(words_for().say("Done."))


def _sure(yes: bool) -> None:
    if not yes and not typer.confirm(words_for().say("This can’t be undone. Are you sure?")):
        raise LastSpikeError("nothing was changed")
