"""Hints as sentences: a computer player's reasons, addressed to the player who asked."""

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
"""Reasons that depend on what the opponents have."""


def without_others_cash(view: View) -> View:
    """The view to compute a hint from. Where cash is hidden (B3) a computer player could still
    derive it from the history, so every opponent gets the viewer's cash instead."""
    options = view.table.setup.options
    if options.cash == "open" or view.seat is None:
        return view
    table = view.table.copy()
    table.setup = table.setup._replace(options=options._replace(cash="open"))
    mine = table.cash[view.seat]
    table.cash = [mine if cash == UNKNOWN else cash for cash in table.cash]
    return view._replace(table=table)


def may_be_told(reason: reasons.Reason, view: View) -> bool:
    """Whether the reason reveals nothing that this view hides (B3)."""
    return view.table.setup.options.cash == "open" or not isinstance(reason, _COMPARED)


def tell_reason(teller: Teller, reason: reasons.Reason) -> Iterator[str]:
    """A reason as a sentence to the player it is for."""
    say, count = teller.words.say, teller.words.count
    facts = _facts(teller, reason)
    match reason:
        case reasons.OnlyMove():
            yield say("It’s the only tile you can lay.")
        case reasons.WinsNow():
            yield say("It’s the last spike, and you win by {amount}.", **facts)
        case reasons.WouldLose():
            yield say(
                "Avoid {tile}: driving the last spike now would leave {player} ahead by {amount}.",
                **facts,
            )
        case reasons.PaidNow():
            yield say(
                "It finishes {route}: you collect {mine}, the others {others} in all.", **facts
            )
        case reasons.FreeGrant():
            yield say(
                "It brings you the free land in {city}, likely to pay {amount} in all.", **facts
            )
        case reasons.RouteLikelier():
            yield say(
                "You have land on {route}: its chance of being finished rises from {before}% "
                "to {after}%.",
                **facts,
            )
        case reasons.Cheapest():
            yield say("At {cost} it costs less than any other you can lay.", **facts)
        case reasons.GoodLand():
            yield say("Land in {city} costs {price} and is likely to pay {amount} in all.", **facts)
        case reasons.DeniesLand():
            yield say("{player} has more land in {city}, and could have bought this.", **facts)
        case reasons.KeepsCash():
            yield say("No land for sale is worth its price right now.")
        case reasons.MoneyLeft():
            yield say("{amount} is left.", **facts)
        case reasons.SellsLeast():
            yield say(
                "Of the land you can sell, {card} is worth the least: it’s likely to pay {amount}.",
                **facts,
            )
        case reasons.KeepsSpike():
            yield say(
                "You keep {tile}: only you can drive the last spike with it, when it suits you.",
                **facts,
            )
        case reasons.WantsTheEnd(far):
            yield count(
                "You’re ahead, and it leaves the last spike {n} tile away: a quick end suits you.",
                "You’re ahead, and it leaves the last spike {n} tiles away: a quick end suits you.",
                far,
            )
        case reasons.FearsTheEnd(far):
            yield count(
                "You’re not ahead, and it doesn’t hurry the last spike, which is {n} tile away.",
                "You’re not ahead, and it doesn’t hurry the last spike, which is {n} tiles away.",
                far,
            )
        case reasons.WinChance(percent, next_best) if next_best == percent:
            yield say(
                "Wins about {percent}% of the time; the next-best turn does as well.", **facts
            )
        case reasons.WinChance():
            yield say(
                "Wins about {percent}% of the time; the next-best turn wins {other}%.", **facts
            )


def _facts(teller: Teller, reason: reasons.Reason) -> dict[str, object]:
    """The values for the placeholders of a reason's sentence."""
    facts: dict[str, object] = {}
    for field, value in reason._asdict().items():
        match field:
            case "seat":
                facts["player"] = teller.names[value]
            case "route" | "city":
                facts[field] = getattr(teller, field)(value)
            case "ahead" | "behind" | "expected" | "cash":
                facts["amount"] = teller.words.money(value)
            case "mine" | "others" | "cost" | "price":
                facts[field] = teller.words.money(value)
            case _:
                facts["other" if field == "next_best" else field] = value
    return facts
