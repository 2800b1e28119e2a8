"""Tries: a person's games of the Daily Deal, from their deal to what others may see of them."""

from __future__ import annotations

from datetime import date

from lastspike import protocol as p
from lastspike.daily.deal import EDITION, LEVELS, SEAT, STAND_IN
from lastspike.rules.position import start
from lastspike.rules.records.record import RULES
from lastspike.rules.records.shuffle import Stream, commitment, deal
from lastspike.rules.table import Setup
from lastspike.server.storage import PersonRow
from lastspike.server.storage.queries.daily import TryRow
from lastspike.server.table import log_events as e
from lastspike.server.table.commands import RecordingMixer
from lastspike.server.table.errors import NotAllowed
from lastspike.server.table.log_events import Draft, Index
from lastspike.server.table.now import now_ms
from lastspike.server.table.state import TableState, setup_of, to_codes, to_stored_deal

from .chains import Chains, ends_ms

SETTINGS = p.Settings(edition=EDITION, pace=0, stand_in=STAND_IN)


async def new_try(chains: Chains, person: PersonRow, day: date, table_id: str) -> TryRow:
    """A try of today, which is ranked, or of a past day."""
    ranked = day == chains.today()
    anchor = await chains.anchor()
    return TryRow(table_id, person.id, anchor, day.isoformat(), ranked, chains.now())


async def dealt(chains: Chains, row: TryRow, name: str) -> Draft:
    """The first step of a try's table: its game begins at once."""
    day = date.fromisoformat(row.day)
    chain, link = await chains.chain(), await chains.link_to_play(day)
    marked = e.DailyDealt(row.day, chain.number(day), row.chain, row.ranked, ends_ms(day))
    return deal_table(link, marked, row.person_id, name)


def deal_table(link: bytes, marked: e.DailyDealt, person: str, name: str) -> Draft:
    """A table with the deal of this link, whose person sits in the seat of the Daily Deal."""
    setup: Setup = setup_of(SETTINGS, len(LEVELS))
    stream = Stream(link)
    given = deal(setup, stream)
    mix = RecordingMixer(stream)
    position, _ = start(setup, given, mix)
    return Draft(
        (
            e.TableCreated(SETTINGS, list(LEVELS), person),
            e.SeatTaken(SEAT, person, name),
            e.RoundBegan(1, commitment(link).hex()),
            marked,
            e.GameStarted(RULES),
        ),
        e.Secrets(
            seed=link.hex(),
            deal=to_stored_deal(setup, given),
            remixed=to_codes(setup, mix.orders),
        ),
        index=Index(
            status="playing",
            joined=(person,),
            turn=0,
            awaits_server=position.table.turn != SEAT,
        ),
    )


def check_open(state: TableState, person: str | None) -> None:
    """`NotAllowed` for all but its person, at a ranked try while its day lasts."""
    if state.closed_to(person, now_ms()):
        raise NotAllowed("this is a ranked game of today’s deal; you can watch it tomorrow")
