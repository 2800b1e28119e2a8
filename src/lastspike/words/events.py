"""Events as sentences: the account of a turn and of a whole game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import groupby
from typing import Any

from lastspike.rules.board import Seat
from lastspike.rules.editions.edition import Edition
from lastspike.rules.events import KINDS, Event, Payout
from lastspike.rules.game import Game
from lastspike.rules.outcome import Outcome
from lastspike.rules.records.turns import events_by_turn

from .language import Words, words_for
from .sentences import alternatives_for, sentences


class Teller:
    """Puts the events of one game into sentences of one language, with the players' names. The
    player at seat `own` is the reader, who is called "you"."""

    def __init__(
        self, edition: Edition, names: Sequence[str], words: Words, own: Seat | None = None
    ) -> None:
        self.edition = edition
        self.names = names
        self.words = words
        self.own = own

    def city(self, code: str) -> str:
        return self.edition.city(code).name_in(self.words.language)

    def route(self, letter: str) -> str:
        """A route's name: its two end cities."""
        ends = self.edition.route(letter).ends
        one, other = (self.city(code) for code in ends)
        return self.words.say("{one}–{other}", one=one, other=other)

    def series(self, parts: Iterable[str]) -> str:
        """The parts, joined by this language's comma."""
        say = self.words.say
        return reduce(lambda told, part: say("{told}, {next}", told=told, next=part), parts)

    def shares(self, parts: Iterable[str]) -> str:
        """The parts, joined by semicolons: for parts that contain commas."""
        say = self.words.say
        return reduce(lambda told, part: say("{told}; {next}", told=told, next=part), parts)

    def tell(self, events: Iterable[Event]) -> list[str]:
        """One sentence per event; a route's payouts share one, and some events have none."""
        told: list[str] = []
        for payouts, group in groupby(events, lambda event: isinstance(event, Payout)):
            if payouts:
                sums: Counter[Seat] = Counter()
                for event in group:
                    sums[event.seat] += event.amount  # type: ignore[union-attr]
                told += self._payouts(sums)
            else:
                for event in group:
                    facts = event._asdict()
                    told += self._sentences(
                        KINDS[type(event)], facts | {"own": self._is_own(facts)}
                    )
        return told

    def board(self, name: str, count: int | None = None, /, **facts: object) -> str:
        """A sentence about the board, by its name in `sentences.json`."""
        text = sentences()["board"][name]
        if count is None:
            return self.words.say(text, **facts)
        one, many = text
        return self.words.count(one, many, count, **facts)

    def ranking(self, outcome: Outcome) -> list[str]:
        """The final places, best first, with cash, and with land where it broke a tie."""
        say, money = self.words.say, self.words.money
        lines = []
        for seat in sorted(range(len(self.names)), key=lambda seat: outcome.ranks[seat]):
            facts = {"rank": outcome.ranks[seat], "player": self.names[seat]}
            if seat in outcome.bankrupt:
                lines.append(say("{rank}. {player}: bankrupt", **facts))
                continue
            facts |= {"cash": money(outcome.cash[seat]), "land": money(outcome.land[seat])}
            if outcome.cash.count(outcome.cash[seat]) > 1:
                lines.append(say("{rank}. {player}: {cash}, land worth {land}", **facts))
            else:
                lines.append(say("{rank}. {player}: {cash}", **facts))
        return lines

    def _is_own(self, event: Mapping[str, Any]) -> bool:
        """Whether the event is the reader's own."""
        return self.own is not None and self.own in event.get("winners", (event.get("seat"),))

    def _payouts(self, sums: Counter[Seat]) -> Iterator[str]:
        """What the reader gets, then what the others get."""
        others = {seat: amount for seat, amount in sums.items() if seat != self.own}
        event: dict[str, Any] = {"own": self.own in sums, "others": len(others), "sums": others}
        if self.own is not None and self.own in sums:
            event["amount"] = sums[self.own]
        return self._sentences("payouts", event)

    def share(self, seat: Seat, amount: int) -> str:
        """A player and an amount, in a list."""
        money = self.words.money(amount)
        if seat == self.own:
            return self.words.say("you {amount}", amount=money)
        return self.words.say("{player} {amount}", player=self.names[seat], amount=money)

    def _drawn(self, seat: Seat, tile: str) -> str:
        if seat == self.own:
            return self.words.say("you {tile}", tile=tile)
        return self.words.say("{player} {tile}", player=self.names[seat], tile=tile)

    def _sentences(self, kind: str, event: Mapping[str, Any]) -> Iterator[str]:
        facts = self._places(event)
        for alternative in alternatives_for(kind, event):
            text = alternative["say"]
            if isinstance(text, str):
                yield self.words.say(text, **facts)
            else:
                counted = event[alternative["count"]]
                number = counted if isinstance(counted, int) else len(counted)
                yield self.words.count(text[0], text[1], number, **facts)

    def _places(self, event: Mapping[str, Any]) -> dict[str, str]:
        """The values for the placeholders of a sentence about this event."""
        words, names = self.words, self.names
        facts: dict[str, str] = {}
        for field, value in event.items():
            match field:
                case "seat":
                    facts["player"] = names[value]
                case "tile" if value is not None:
                    facts |= {"tile": value, "route": self.route(value[0])}
                case "route":
                    facts["route"] = self.route(value)
                case "city":
                    facts["city"] = self.city(value)
                    facts["card"] = f"{value}{event.get('rank', '')}"
                case "cost" | "amount" | "price" | "bonus":
                    facts[field] = words.money(value)
                case "drawn" if value:
                    facts["tiles"] = self.series(
                        self._drawn(seat, tile) for seat, tile in enumerate(value)
                    )
                case "grants":
                    facts["cities"] = words.listed(map(self.city, value))
                case "winners":
                    facts["players"] = words.listed(
                        names[seat] for seat in value if seat != self.own
                    )
                    facts["player"] = names[value[0]]
                case "sums" if value:
                    facts["payouts"] = self.shares(
                        self.share(seat, amount) for seat, amount in value.items()
                    )
        return facts


def player_names(players: int, raw: Mapping[str, Any], words: Words) -> list[str]:
    """The names in a record's `players`, or Player 1, Player 2 and so on."""
    given = raw.get("players")
    names = [words.say("Player {number}", number=seat + 1) for seat in range(players)]
    if isinstance(given, list) and len(given) == players:
        for seat, entry in enumerate(given):
            name = entry.get("name") if isinstance(entry, dict) else None
            if isinstance(name, str) and name.strip() and name.isprintable():
                names[seat] = name.strip()[:40]
    return names


def tell(game: Game, raw: Mapping[str, Any], language: str | None = None) -> Iterator[str]:
    """The account of a game: its players, every turn, the final places."""
    words = words_for(language)
    setup = game.setup
    teller = Teller(setup.edition, player_names(setup.players, raw, words), words)
    yield words.count("{n} player", "{n} players", setup.players) + f" · {setup.edition.name}"
    for seat, name in enumerate(teller.names):
        hand = " ".join(setup.board.codes[tile] for tile in game.deal.hands[seat])
        yield words.say("{player} starts with {tiles}.", player=name, tiles=hand)
    for number, events in events_by_turn(game.history):
        yield ""
        if number:
            yield words.say("Turn {number}", number=number)
        yield from teller.tell(events)
    yield ""
    outcome = game.outcome
    if outcome is None:
        yield words.say("The game is not over.")
    else:
        yield from teller.ranking(outcome)
