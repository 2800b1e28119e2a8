"""How `lastspike admin` shows what it was told: tables with one line for each thing."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Table

from lastspike.words.language import Words, words_for

if TYPE_CHECKING:
    from lastspike import protocol as p

WIDE = 200
"""The width of a table when it goes to a pipe, so that nothing wraps."""


def show(headings: Sequence[str], rows: Iterable[Sequence[str]], none: str) -> None:
    """Print a table, or that there is nothing."""
    found = list(rows)
    if not found:
        typer.echo(none)
        return
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in found:
        table.add_row(*row)
    wide = None if sys.stdout.isatty() else WIDE
    console = Console(highlight=False, markup=False, emoji=False, width=wide)
    console.print(table)


def when(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC).astimezone():%Y-%m-%d %H:%M}"


def people(persons: Iterable[p.Somebody]) -> str:
    return words_for().series([somebody(each) for each in persons])


def somebody(person: p.Somebody | None) -> str:
    return "–" if person is None else f"{person.name or '–'} ({person.person})"


def show_instance(found: p.Instance) -> None:
    words, load = words_for(), found.load
    say = words.say
    if found.name is not None:
        typer.echo(found.name)
    typer.echo(
        say("Version {version}, workers: {count}", version=found.version, count=found.workers)
    )
    typer.echo(say("Connections: {count}", count=found.connections))
    typer.echo(say("Tables in memory: {count}", count=load.tables))
    typer.echo(say("Turns since startup: {count}", count=load.turns))
    if load.commit_ms is not None:
        ms = words.number(load.commit_ms, 1)
        typer.echo(say("Average time to store a turn: {ms} ms", ms=ms))
    if load.load is not None:
        busy = words.number(load.load, 1)
        typer.echo(say("Load of this machine: {load}, cores: {cores}", load=busy, cores=load.cores))
    for status, count in found.tables.items():
        typer.echo(say("Tables ({status}): {count}", status=status, count=count))
    typer.echo(say("Players known: {count}", count=found.persons))
    typer.echo(say("Open reports: {count}", count=found.open_reports))
    typer.echo(say("Bans: {count}", count=found.bans))
    for each in found.announcements:
        until = when(each.ends)
        typer.echo(
            say("Announcement {id}, until {time}: {text}", id=each.id, time=until, text=each.text)
        )


def show_tables(found: Sequence[p.TableKept]) -> None:
    say = words_for().say
    show(
        [say("Table"), say("Status"), say("Changed"), say("Connections"), say("People")],
        (
            (
                each.table,
                each.status,
                when(each.changed),
                str(each.connections),
                people(each.persons),
            )
            for each in found
        ),
        say("There are no tables."),
    )


def show_chat(lines: Sequence[p.Line]) -> None:
    say = words_for().say
    show(
        [say("Step"), say("Time"), say("Person"), say("Message")],
        (
            (str(each.step), when(each.at), f"{each.name} ({each.person})", each.text)
            for each in lines
        ),
        say("No messages yet."),
    )


def show_persons(found: Sequence[p.PersonKept]) -> None:
    say = words_for().say
    show(
        [
            say("Person"),
            say("Name"),
            say("Since"),
            say("Tables"),
            say("Connections"),
            say("Banned until"),
        ],
        (
            (
                each.person,
                each.name,
                when(each.created),
                str(each.tables),
                str(each.connections),
                when(each.banned) if each.banned else "–",
            )
            for each in found
        ),
        say("Nobody found."),
    )


def show_connections(found: Sequence[p.ConnectionKept]) -> None:
    say = words_for().say
    show(
        [say("Table"), say("Person"), say("Address")],
        (
            (
                each.table,
                f"{each.name or '–'} ({each.person})" if each.person else "–",
                each.address or "–",
            )
            for each in found
        ),
        say("Nobody is connected."),
    )


def show_bans(found: Sequence[p.Ban]) -> None:
    words = words_for()
    say = words.say
    show(
        [words.say_as("heading", "Ban"), say("Person or address"), say("Until"), say("Reason")],
        (
            (
                each.id,
                each.network or f"{each.name or '–'} ({each.person})",
                when(each.ends),
                each.reason,
            )
            for each in found
        ),
        say("There are no bans."),
    )


def show_reports(found: Sequence[p.Report]) -> None:
    """Each with the messages around it; the one it is about has a mark."""
    words = words_for()
    if not found:
        typer.echo(words.say("There are no reports."))
    for each in found:
        typer.echo(
            words.say(
                "Report {id} ({time}): {by} about {about}, table {table}",
                id=each.id,
                time=when(each.at),
                by=somebody(each.by),
                about=somebody(each.about),
                table=each.table,
            )
        )
        typer.echo(f"  {each.reason}")
        for line in each.context:
            mark = ">" if line.step == each.step else " "
            typer.echo(f"  {mark} {line.step} {line.name}: {line.text}")
        if each.gone:
            gone = words.say("The table has been deleted.")
            typer.echo(f"  {gone}")
        if each.note:
            typer.echo(f"  {each.note}")


def show_events(found: Sequence[p.Audited]) -> None:
    words = words_for()
    say = words.say
    show(
        [say("Time"), say("Who"), say("Event"), say("Table"), say("Person"), say("Details")],
        (
            (
                when(each.at),
                who_of(each.who, words),
                event_of(each.what, words),
                each.table or "–",
                each.person or "–",
                words.series([_detail(name, value, words) for name, value in each.detail.items()]),
            )
            for each in found
        ),
        say("There are no events."),
    )


def _detail(name: str, value: Any, words: Words) -> str:
    known = {
        "address": words.say("Address"),
        "name": words.say("New name"),
        "network": words.say("Address"),
        "note": words.say("Outcome"),
        "reason": words.say("Reason"),
        "step": words.say("Step"),
        "text": words.say("Message"),
        "until": words.say("Until"),
    }
    text = when(value) if name == "until" and isinstance(value, int) else str(value)
    return words.say("{name}: {text}", name=known.get(name, name), text=text)


def who_of(who: str, words: Words) -> str:
    """Who caused an event; a person by their id."""
    known = {
        "operator": words.say("operator"),
        "system": words.say("server"),
        "anybody": words.say("unknown"),
        "erased": words.say("erased"),
    }
    return known.get(who, who)


def event_of(what: str, words: Words) -> str:
    """The name of an event."""
    known = {
        "operator_key_wrong": words.say("wrong operator’s key"),
        "table_closed": words.say("table closed"),
        "table_deleted": words.say("table deleted"),
        "person_renamed": words.say("person renamed"),
        "person_erased": words.say("person erased"),
        "chat_redacted": words.say("message removed"),
        "banned": words.say("ban"),
        "ban_ended": words.say("ban ended"),
        "announced": words.say("announcement"),
        "announcement_ended": words.say("announcement ended"),
        "report_settled": words.say("report settled"),
        "link_made": words.say("personal link created"),
        "link_failed": words.say("personal link refused"),
        "device_added": words.say("device added"),
        "device_ended": words.say("device logged out"),
        "other_devices_ended": words.say("other devices logged out"),
        "logged_out": words.say("logged out"),
    }
    return known.get(what, what)
