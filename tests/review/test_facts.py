"""The facts of a review: to the dollar what the rules did, in every conformance game."""

from __future__ import annotations

from lastspike.review.facts import Facts, facts_of, payouts_by
from lastspike.rules.events import Payout
from lastspike.rules.outcome import land_prices
from lastspike.rules.records.record import Record
from lastspike.rules.records.turns import turns_of
from tests.rules.helpers import dealt, small_map

from .helpers import conformance_games, quick_game


def facts(record: Record) -> Facts:
    return facts_of(turns_of(record.game))


def test_the_facts_add_up_in_every_conformance_game() -> None:
    sales = losses = 0
    for name, record in conformance_games():
        found = facts(record)
        table = record.game.position.table
        players = range(record.game.setup.players)
        assert [account.cash for account in found.accounts] == table.cash, name
        if "result" in record.raw:
            assert [account.cash for account in found.accounts] == record.raw["result"]["cash"]
        last = found.standings[-1]
        land = land_prices(table)
        assert list(last.cash) == table.cash
        assert [last.wealth[seat] - last.cash[seat] for seat in players] == list(land)
        for seat in players:
            account = found.accounts[seat]
            mine = [holding for holding in found.holdings if holding.seat == seat]
            assert sum(holding.earned for holding in mine) == account.payouts, name
            assert sum(holding.cost for holding in mine) == account.land
            assert sum(holding.fetched for holding in mine) == account.sales
            kept = sorted(holding.card for holding in mine if holding.fate == "kept")
            cards = [card for card, holder in enumerate(table.land) if holder == seat]
            assert kept == sorted(table.board.card_text(card) for card in cards)
            sales += account.sales
            losses += account.lost
    assert sales
    assert losses


def test_there_is_a_standing_after_the_deal_and_after_every_turn() -> None:
    for _, record in conformance_games():
        found = facts(record)
        tiles = [move for move in record.game.moves if move.kind == "lay"]
        assert [standing.turn for standing in found.standings] == list(range(len(tiles) + 1))


def test_payouts_by_route_and_by_city_are_those_of_the_history() -> None:
    record = quick_game()
    paid = [event for event in record.game.history if isinstance(event, Payout)]
    found = facts(record).payouts
    for seat in range(4):
        total = sum(event.amount for event in paid if event.seat == seat)
        for sums in (payouts_by(found, "route", 4), payouts_by(found, "city", 4)):
            assert sum(amounts[seat] for amounts in sums.values()) == total
    assert set(payouts_by(found, "city", 4)) == {event.city for event in paid}
    assert set(payouts_by(found, "route", 4)) == {event.route for event in paid}


def test_a_card_earns_what_it_adds_in_the_order_in_which_cards_were_got() -> None:
    """The second card of a city is paid what two are paid beyond one."""
    edition = small_map("A:EST-WST", cash={2: 20_000}, hand_size=2)
    game = dealt(edition, "A1 A2", "A3 A4")
    for move in ("A1", "A4", "A2", "+EST", "A3"):
        game.play(move)
    assert game.over
    found = facts_of(turns_of(game))
    by_card = {holding.card: holding for holding in found.holdings}
    assert {card: holding.earned for card, holding in by_card.items()} == {
        "EST0": 1000,
        "WST0": 1000,
        "EST1": 1000,
    }
    assert (by_card["EST1"].since, by_card["EST1"].cost, by_card["EST1"].profit) == (3, 1000, 0)
    assert [account.payouts for account in found.accounts] == [2000, 1000]
    assert [account.bonus for account in found.accounts] == [0, 20_000]
