"""What happened, told in sentences: the account of a turn and of a whole game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from lastspike.rules.editions.edition import Edition
from lastspike.rules.events import (
    Bankruptcy,
    Event,
    FirstPlayer,
    GameOver,
    GrantTaken,
    LandBought,
    LandSold,
    LastSpike,
    NothingBought,
    Payout,
    PoolMixed,
    RouteFinished,
    TileChosen,
    TileDrawn,
    TrackLaid,
    TurnSkipped,
)
from lastspike.rules.game import Game
from lastspike.rules.outcome import Outcome
from lastspike.rules.records.turns import events_by_turn

from .language import Words, words_for


class Teller:
    """Tells events of one game in one language, the players by their names."""

    def __init__(self, edition: Edition, names: Sequence[str], words: Words) -> None:
        self.edition = edition
        self.names = names
        self.words = words

    def city(self, code: str) -> str:
        return self.edition.city(code).name_in(self.words.language)

    def route(self, letter: str) -> str:
        """A route by its two end cities."""
        ends = self.edition.route(letter).ends
        one, other = (self.city(code) for code in ends)
        return self.words.say("{one} – {other}", one=one, other=other)

    def series(self, parts: Iterable[str]) -> str:
        """The parts one after the other, with this language's comma between them."""
        say = self.words.say
        return reduce(lambda told, part: say("{told}, {next}", told=told, next=part), parts)

    def shares(self, parts: Iterable[str]) -> str:
        """Like `series`, for parts that hold commas themselves."""
        say = self.words.say
        return reduce(lambda told, part: say("{told}; {next}", told=told, next=part), parts)

    def tell(self, events: Iterable[Event]) -> list[str]:
        """One sentence an event; the payouts of a route share one, and some events need none."""
        sentences: list[str] = []
        payouts: list[Payout] = []
        for event in events:
            if isinstance(event, Payout):
                payouts.append(event)
                continue
            if payouts:
                sentences.append(self._payouts(payouts))
                payouts = []
            sentences += self._sentence(event)
        if payouts:
            sentences.append(self._payouts(payouts))
        return sentences

    def ranking(self, outcome: Outcome) -> list[str]:
        """The final places, best first, with cash, and land where it broke a tie."""
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

    def _payouts(self, payouts: Sequence[Payout]) -> str:
        words = self.words
        parts = [
            words.say(
                "{player} {amount} for {city}",
                player=self.names[payout.seat],
                amount=words.money(payout.amount),
                city=self.city(payout.city),
            )
            for payout in payouts
        ]
        return words.say("Payouts: {payouts}.", payouts=self.shares(parts))

    def _sentence(self, event: Event) -> Iterator[str]:
        words = self.words
        say, money = words.say, words.money
        player = "" if isinstance(event, PoolMixed | GameOver) else self.names[event.seat]
        match event:
            case FirstPlayer(drawn=()):
                yield say("{player} goes first.", player=player)
            case FirstPlayer(drawn=drawn):
                tiles = self.series(
                    f"{name} {tile}" for name, tile in zip(self.names, drawn, strict=True)
                )
                yield say(
                    "A tile each to see who begins: {tiles}. {player} goes first.",
                    tiles=tiles,
                    player=player,
                )
            case TileChosen():
                yield say(
                    "{player} chooses {tile} and must raise {cost}.",
                    player=player,
                    tile=event.tile,
                    cost=money(event.cost),
                )
            case LandSold():
                yield say(
                    "{player} sells {card}, land in {city}, to the bank for {amount}.",
                    player=player,
                    card=f"{event.city}{event.rank}",
                    city=self.city(event.city),
                    amount=money(event.amount),
                )
            case TrackLaid(double=double):
                facts = {"player": player, "tile": event.tile, "cost": money(event.cost)}
                facts["route"] = self.route(event.tile[0])
                if double:
                    yield say("{player} lays {tile} ({route}) at double cost: {cost}.", **facts)
                else:
                    yield say("{player} lays {tile} ({route}) for {cost}.", **facts)
            case GrantTaken():
                yield say(
                    "{player} takes the free grant of {city}.",
                    player=player,
                    city=self.city(event.city),
                )
            case LastSpike():
                yield say(
                    "{player} drives the last spike and earns {bonus}!",
                    player=player,
                    bonus=money(event.bonus),
                )
            case RouteFinished():
                yield say("{route} is finished.", route=self.route(event.route))
            case LandBought():
                yield say(
                    "{player} buys {card}, land in {city}, for {price}.",
                    player=player,
                    card=f"{event.city}{event.rank}",
                    city=self.city(event.city),
                    price=money(event.price),
                )
            case NothingBought():
                yield say("{player} buys nothing.", player=player)
            case TileDrawn(tile=str(tile)):
                yield say("{player} draws {tile}.", player=player, tile=tile)
            case TurnSkipped():
                yield say("{player} has no tile and is skipped.", player=player)
            case Bankruptcy():
                yield say("{player} can't pay for any tile and is bankrupt.", player=player)
                if event.grants:
                    cities = words.listed(self.city(code) for code in event.grants)
                    yield words.count(
                        "The free grant of {cities} leaves the game.",
                        "The free grants of {cities} leave the game.",
                        len(event.grants),
                        cities=cities,
                    )
            case PoolMixed():
                yield words.count(
                    "The pool, {n} tile, is mixed again.",
                    "The pool, {n} tiles, is mixed again.",
                    event.tiles,
                )
            case GameOver():
                yield from self._game_over(event)

    def _game_over(self, event: GameOver) -> Iterator[str]:
        say = self.words.say
        match event.reason:
            case "last player":
                yield say("Only one player is left: the game is over.")
            case "no tiles left":
                yield say("Nobody has a tile left: the game is over without a last spike.")
            case _:
                yield say("The game is over.")
        winners = self.words.listed(self.names[seat] for seat in event.winners)
        if len(event.winners) > 1:
            yield say("{players} share the win.", players=winners)
        else:
            yield say("{player} wins!", player=winners)


def player_names(players: int, raw: Mapping[str, Any], words: Words) -> list[str]:
    """The names a record carries as `players`, or Player 1 and so on."""
    given = raw.get("players")
    names = [words.say("Player {number}", number=seat + 1) for seat in range(players)]
    if isinstance(given, list) and len(given) == players:
        for seat, entry in enumerate(given):
            name = entry.get("name") if isinstance(entry, dict) else None
            if isinstance(name, str) and name.strip() and name.isprintable():
                names[seat] = name.strip()[:40]
    return names


def tell(game: Game, raw: Mapping[str, Any], language: str | None = None) -> Iterator[str]:
    """The account of a game from its deal on: who played, every turn, the final places."""
    words = words_for(language)
    setup = game.setup
    teller = Teller(setup.edition, player_names(setup.players, raw, words), words)
    yield words.count("{n} player", "{n} players", setup.players) + f" · {setup.edition.name}"
    for seat, name in enumerate(teller.names):
        hand = " ".join(setup.board.codes[tile] for tile in game.deal.hands[seat])
        yield words.say("{player} begins with {tiles}.", player=name, tiles=hand)
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
