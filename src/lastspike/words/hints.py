"""Hints in words: a computer player's reasons, as sentences to the player they are for.

The server and the terminal both say them; so this imports nothing but the players and the words.
"""

from __future__ import annotations

from collections.abc import Iterator

from lastspike.bots.explain import reasons
from lastspike.rules.table import UNKNOWN
from lastspike.rules.view import View

from .events import Teller

_COMPARED = (
    reasons.WinsNow,
    reasons.WouldLose,
    reasons.DeniesLand,
    reasons.WantsTheEnd,
    reasons.FearsTheEnd,
    reasons.WinChance,
)
"""Reasons that follow from what others have."""


def without_others_cash(view: View) -> View:
    """The view that a hint is found from. Where cash is hidden nothing may follow from that of
    others (B3), though a computer player would add it up: all have as much as the viewer."""
    options = view.table.setup.options
    if options.cash == "open" or view.seat is None:
        return view
    table = view.table.copy()
    table.setup = table.setup._replace(options=options._replace(cash="open"))
    mine = table.cash[view.seat]
    table.cash = [mine if cash == UNKNOWN else cash for cash in table.cash]
    return view._replace(table=table)


def may_be_told(reason: reasons.Reason, view: View) -> bool:
    """Whether the reason can be given to who sees this view (B3)."""
    return view.table.setup.options.cash == "open" or not isinstance(reason, _COMPARED)


def tell_reason(teller: Teller, reason: reasons.Reason) -> Iterator[str]:
    """A reason as a sentence to the player it is for."""
    words = teller.words
    say, money, city = words.say, words.money, teller.city
    match reason:
        case reasons.OnlyMove():
            yield say("It is the only tile that can be laid.")
        case reasons.WinsNow(ahead):
            yield say("It is the last spike, and you win by {amount}.", amount=money(ahead))
        case reasons.WouldLose(tile, seat, behind):
            yield say(
                "Not {tile}: the last spike now would leave {player} ahead by {amount}.",
                tile=tile,
                player=teller.names[seat],
                amount=money(behind),
            )
        case reasons.PaidNow(route, mine, others):
            yield say(
                "It finishes {route}: you collect {mine}, the others together {others}.",
                route=teller.route(route),
                mine=money(mine),
                others=money(others),
            )
        case reasons.FreeGrant(code, expected):
            yield say(
                "It brings the free grant of {city}, likely to be paid {amount} in all.",
                city=city(code),
                amount=money(expected),
            )
        case reasons.RouteLikelier(route, before, after):
            yield say(
                "You have land on {route}: its chance to be finished rises from {before} % to"
                " {after} %.",
                route=teller.route(route),
                before=before,
                after=after,
            )
        case reasons.Cheapest(cost):
            yield say("At {cost} it costs less than any other you can lay.", cost=money(cost))
        case reasons.GoodLand(code, price, expected):
            yield say(
                "Land in {city} costs {price} and is likely to be paid {amount} in all.",
                city=city(code),
                price=money(price),
                amount=money(expected),
            )
        case reasons.DeniesLand(code, seat):
            yield say(
                "{player} has more land in {city}, and could have bought this.",
                city=city(code),
                player=teller.names[seat],
            )
        case reasons.KeepsCash():
            yield say("No land on sale is worth its price now.")
        case reasons.MoneyLeft(cash):
            yield say("{amount} is left.", amount=money(cash))
        case reasons.SellsLeast(card, expected):
            yield say(
                "{card} is worth least of what you can sell: likely to be paid {amount}.",
                card=card,
                amount=money(expected),
            )
        case reasons.KeepsSpike(tile):
            yield say(
                "You keep {tile}: only you can drive the last spike with it, when it suits you.",
                tile=tile,
            )
        case reasons.WantsTheEnd(far):
            yield words.count(
                "You are ahead, and it leaves {n} tile to the last spike: a quick end suits you.",
                "You are ahead, and it leaves {n} tiles to the last spike: a quick end suits you.",
                far,
            )
        case reasons.FearsTheEnd(far):
            yield words.count(
                "You are not ahead, and it does not hurry the last spike, {n} tile away.",
                "You are not ahead, and it does not hurry the last spike, {n} tiles away.",
                far,
            )
        case reasons.WinChance(percent, next_best) if next_best == percent:
            yield say(
                "It wins about {percent} % of such games, and another turn as many.",
                percent=percent,
            )
        case reasons.WinChance(percent, next_best):
            yield say(
                "It wins about {percent} % of such games, the next best turn {other} %.",
                percent=percent,
                other=next_best,
            )
