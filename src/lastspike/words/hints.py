"""Hints as sentences: a computer player's reasons, told to or about the player they are for."""

from __future__ import annotations

from collections.abc import Iterator

from lastspike.bots.explain import reasons
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


def may_be_told(reason: reasons.Reason, view: View) -> bool:
    """Whether the reason reveals nothing that this view hides (B3)."""
    return view.table.setup.options.cash == "open" or not isinstance(reason, _COMPARED)


def tell_reason(teller: Teller, reason: reasons.Reason, player: str | None = None) -> Iterator[str]:
    """A reason as a sentence: to the player it is for, or about that player by name."""
    told = _about_all(teller, reason)
    if told is None:
        told = _to_you(teller, reason) if player is None else _about(teller, reason, player)
    if told is not None:
        yield told


def _about_all(teller: Teller, reason: reasons.Reason) -> str | None:
    """A sentence that is the same whoever reads it; None for other reasons."""
    say, facts = teller.words.say, _facts(teller, reason)
    match reason:
        case reasons.WouldLose():
            return say(
                "Avoid {tile}: driving the last spike now would leave {player} ahead by {amount}.",
                **facts,
            )
        case reasons.GoodLand(_, price, expected) if expected < price:
            return say(
                "Land in {city} costs {price} and is likely to pay only {amount} in all: its "
                "payouts alone aren’t the reason.",
                **facts,
            )
        case reasons.GoodLand():
            return say(
                "Land in {city} costs {price} and is likely to pay {amount} in all.", **facts
            )
        case reasons.DeniesLand():
            return say("This keeps the card from {player}, who has more land in {city}.", **facts)
        case reasons.KeepsCash():
            return say("No land for sale is worth its price right now.")
        case reasons.MoneyLeft():
            return say("That leaves {amount}.", **facts)
        case reasons.WinChance(percent, next_best) if next_best == percent:
            return say(
                "The chance to win with this turn is about {percent}; another turn is as good.",
                **facts,
            )
        case reasons.WinChance():
            return say(
                "The chance to win with this turn is about {percent}; with the next-best turn, "
                "{other}.",
                **facts,
            )
    return None


def _to_you(teller: Teller, reason: reasons.Reason) -> str | None:
    say, count = teller.words.say, teller.words.count
    facts = _facts(teller, reason)
    match reason:
        case reasons.OnlyMove():
            return say("It’s the only tile you can lay.")
        case reasons.WinsNow(ahead) if ahead > 0:
            return say("It’s the last spike, and you win by {amount}.", **facts)
        case reasons.WinsNow(ahead) if ahead < 0:
            amount = teller.words.money(-ahead)
            return say("It’s the last spike, but you lose by {amount}.", amount=amount)
        case reasons.WinsNow():
            return say("It’s the last spike, and you’re tied for the most cash.")
        case reasons.PaidNow():
            return say(
                "It finishes {route}: you collect {mine}, the others {others} in all.", **facts
            )
        case reasons.FreeGrant():
            return say(
                "It brings you the free land in {city}, likely to pay {amount} in all.", **facts
            )
        case reasons.RouteLikelier():
            return say(
                "You have land on {route}: its chance of being finished rises from {before} "
                "to {after}.",
                **facts,
            )
        case reasons.Cheapest():
            return say("At {cost}, it’s the cheapest tile you can lay.", **facts)
        case reasons.SellsLeast():
            return say(
                "Of the land you can sell, {card} is worth the least: it’s likely to pay {amount}.",
                **facts,
            )
        case reasons.KeepsSpike():
            return say(
                "You keep {tile}: only you can drive the last spike, and you choose when.",
                **facts,
            )
        case reasons.WantsTheEnd(far):
            return count(
                "It leaves you with the most cash and the last spike {n} tile away: a quick end "
                "suits you.",
                "It leaves you with the most cash and the last spike {n} tiles away: a quick end "
                "suits you.",
                far,
            )
        case reasons.FearsTheEnd(far):
            return count(
                "Somebody else has the most cash after this turn, so it brings the last spike no "
                "closer: it’s still {n} tile away.",
                "Somebody else has the most cash after this turn, so it brings the last spike no "
                "closer: it’s still {n} tiles away.",
                far,
            )
    return None


def _about(teller: Teller, reason: reasons.Reason, player: str) -> str | None:
    say, count = teller.words.say, teller.words.count
    facts = _facts(teller, reason) | {"player": player}
    match reason:
        case reasons.OnlyMove():
            return say("It’s the only tile {player} could lay.", **facts)
        case reasons.WinsNow(ahead) if ahead > 0:
            return say("It’s the last spike, and {player} wins by {amount}.", **facts)
        case reasons.WinsNow(ahead) if ahead < 0:
            amount = teller.words.money(-ahead)
            return say(
                "It’s the last spike, but {player} loses by {amount}.",
                player=facts["player"],
                amount=amount,
            )
        case reasons.WinsNow():
            return say("It’s the last spike, and {player} is tied for the most cash.", **facts)
        case reasons.PaidNow():
            return say(
                "It finishes {route}: {player} collects {mine}, the others {others} in all.",
                **facts,
            )
        case reasons.FreeGrant():
            return say(
                "It brings {player} the free land in {city}, likely to pay {amount} in all.",
                **facts,
            )
        case reasons.RouteLikelier():
            return say(
                "{player} has land on {route}: its chance of being finished rises from {before} "
                "to {after}.",
                **facts,
            )
        case reasons.Cheapest():
            return say("At {cost}, it’s the cheapest tile {player} could lay.", **facts)
        case reasons.SellsLeast():
            return say(
                "Of the land {player} could sell, {card} is worth the least: it’s likely to pay "
                "{amount}.",
                **facts,
            )
        case reasons.KeepsSpike():
            return say(
                "{player} keeps {tile}: only {player} can drive the last spike, and can choose "
                "when.",
                **facts,
            )
        case reasons.WantsTheEnd(far):
            return count(
                "It leaves {player} with the most cash and the last spike {n} tile away: a quick "
                "end helps.",
                "It leaves {player} with the most cash and the last spike {n} tiles away: a quick "
                "end helps.",
                far,
                player=player,
            )
        case reasons.FearsTheEnd(far):
            return count(
                "{player} doesn’t have the most cash after this turn, so it brings the last spike "
                "no closer: it’s still {n} tile away.",
                "{player} doesn’t have the most cash after this turn, so it brings the last spike "
                "no closer: it’s still {n} tiles away.",
                far,
                player=player,
            )
    return None


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
            case "before" | "after" | "percent":
                facts[field] = teller.words.percent(value / 100)
            case "next_best":
                facts["other"] = teller.words.percent(value / 100)
            case _:
                facts[field] = value
    return facts
