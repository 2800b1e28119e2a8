"""Questions a player may type at any time, answered from that player's view in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lastspike.locale.account import Teller
from lastspike.rules.board import NOT_FOR_SALE, Space
from lastspike.rules.edition import CARDS_A_CITY, SPACES_A_ROUTE
from lastspike.rules.laying import adjacent, laying_cost
from lastspike.rules.payouts import shares
from lastspike.rules.table import BANK, UNKNOWN
from lastspike.rules.view import View


class Questions:
    """Answers for one view. `since` tells what happened since this player's last turn."""

    def __init__(self, view: View, teller: Teller, since: Sequence[str]) -> None:
        self.view = view
        self.teller = teller
        self.words = teller.words
        self._since = since
        self._answers: dict[str, Callable[[str], Iterator[str]]] = {
            "hand": self.hand,
            "route": self.route,
            "routes": self.routes,
            "city": self.city,
            "cities": self.cities,
            "player": self.player,
            "players": self.players,
            "since": self.since,
            "spike": self.spike,
        }

    def answer(self, text: str) -> list[str] | None:
        """The answer to a question, None if the text is none."""
        name, _, about = text.strip().lower().partition(" ")
        answer = self._answers.get(name)
        return list(answer(about.strip().upper())) if answer else None

    def hand(self, _about: str = "") -> Iterator[str]:
        """Each tile of the hand: where it goes and what it costs now."""
        say = self.words.say
        if not self.view.hand:
            yield say("You have no tile.")
        for tile in self.view.hand:
            yield self.tile(tile)

    def tile(self, tile: Space) -> str:
        table = self.view.table
        code = table.board.codes[tile]
        facts = {
            "tile": code,
            "route": self.teller.route(code[0]),
            "cost": self.words.money(laying_cost(table, tile)),
        }
        if adjacent(table, tile):
            return self.words.say("{tile}, {route}: costs {cost}.", **facts)
        return self.words.say(
            "{tile}, {route}: costs {cost}, double, as nothing is beside it.", **facts
        )

    def route(self, letter: str) -> Iterator[str]:
        """A route's four spaces, and who would be paid what if it were finished now."""
        table, say, money = self.view.table, self.words.say, self.words.money
        board = table.board
        if letter not in board.route_of:
            letters = self.teller.series(board.letters)
            yield say("Which route? There are {letters}: for example, route {example}.",
                      letters=letters, example=board.letters[0])  # fmt: skip
            return
        route = board.route_of[letter]
        yield say("Route {letter}, {ends}:", letter=letter, ends=self.teller.route(letter))
        for place in range(SPACES_A_ROUTE):
            space = route * SPACES_A_ROUTE + place
            code, cost = board.codes[space], money(board.costs[space])
            if table.track & board.bit[space]:
                yield say("{tile} has track.", tile=code)
            elif space in self.view.hand:
                yield say("{tile} costs {cost}; you have the tile.", tile=code, cost=cost)
            else:
                yield say("{tile} costs {cost}.", tile=code, cost=cost)
        if table.finished >> route & 1:
            yield say("It is finished and has paid.")
            return
        paid = [
            say("{player} {amount} for {city}", player=self.teller.names[share.seat],
                amount=money(share.amount), city=self.teller.city(board.city_codes[share.city]))
            for share in shares(table, route)
        ]  # fmt: skip
        if paid:
            yield say("If it were finished now: {payouts}.", payouts=self.teller.shares(paid))
        else:
            yield say("If it were finished now, nobody would be paid.")

    def routes(self, _about: str = "") -> Iterator[str]:
        """Every route in one line: how much of it has track."""
        table = self.view.table
        board = table.board
        for route, letter in enumerate(board.letters):
            built = (table.track & board.route_mask[route]).bit_count()
            yield self.words.say(
                "{letter}, {ends}: {built} of {spaces} spaces have track.",
                letter=letter,
                ends=self.teller.route(letter),
                built=built,
                spaces=SPACES_A_ROUTE,
            )

    def city(self, code: str) -> Iterator[str]:
        """A city's land: who holds it, what the next card costs, what its cards pay."""
        table, say, money = self.view.table, self.words.say, self.words.money
        board = table.board
        if code not in board.city_of:
            codes = self.teller.series(city.code for city in board.edition.cities)
            yield say("Which city? There are {codes}: for example, city {example}.",
                      codes=codes, example=board.edition.cities[0].code)  # fmt: skip
            return
        city = board.city_of[code]
        yield say("{city} ({code}):", city=self.teller.city(code), code=code)
        holders = table.cards_of(city)
        for seat, name in enumerate(self.teller.names):
            if seat in holders:
                yield self.words.count(
                    "{player} holds {n} card.", "{player} holds {n} cards.",
                    holders.count(seat), player=name,
                )  # fmt: skip
        price = table.market[city]
        if holders[0] == BANK:
            yield say("The free grant goes to whoever first lays track beside it.")
        elif price == NOT_FOR_SALE:
            yield say("No land is left to buy.")
        else:
            yield say("The next card costs {price}.", price=money(price))
        payouts = self.teller.series(money(amount) for amount in board.payouts[city][1:])
        yield say(
            "A finished route pays a holder of 1 to {most} cards: {payouts}.",
            most=CARDS_A_CITY,
            payouts=payouts,
        )
        open_routes = [
            board.letters[route]
            for route in range(len(board.letters))
            if city in board.ends[route] and not table.finished >> route & 1
        ]
        if open_routes:
            yield say("Routes still to pay: {letters}.", letters=self.teller.series(open_routes))
        else:
            yield say("All its routes are finished: it pays no more.")

    def cities(self, _about: str = "") -> Iterator[str]:
        for city in self.view.table.board.edition.cities:
            yield from self.city(city.code)

    def player(self, number: str) -> Iterator[str]:
        """A player's cash, tiles and land."""
        table, say, money = self.view.table, self.words.say, self.words.money
        board, names = table.board, self.teller.names
        if not (number.isascii() and number.isdecimal() and 1 <= int(number[:3]) <= len(names)):
            yield say("Which player? For example, player {example} of {count}.",
                      example=2, count=len(names))  # fmt: skip
            return
        seat = int(number) - 1
        if not table.in_game(seat):
            yield say("{number}, {player}: bankrupt.", number=number, player=names[seat])
            return
        cash = table.cash[seat]
        yield self.words.count(
            "{number}, {player}: {cash}, {n} tile.",
            "{number}, {player}: {cash}, {n} tiles.",
            self.view.tiles[seat],
            number=number,
            player=names[seat],
            cash=say("cash hidden") if cash == UNKNOWN else money(cash),
        )
        land = [
            f"{board.card_text(card)} ({money(board.prices[card])})"
            for card, holder in enumerate(table.land)
            if holder == seat
        ]
        yield say("Land: {cards}.", cards=self.teller.series(land)) if land else say("No land.")

    def players(self, _about: str = "") -> Iterator[str]:
        for seat in range(len(self.teller.names)):
            yield from self.player(str(seat + 1))

    def since(self, _about: str = "") -> Iterator[str]:
        yield from self._since or [self.words.say("Nothing has happened yet.")]

    def spike(self, _about: str = "") -> Iterator[str]:
        """How far the last spike is: the fewest tiles that could join start and finish."""
        words = self.words
        edition = self.view.table.board.edition
        yield words.count(
            "{n} tile is missing on the shortest way from {start} to {finish}.",
            "{n} tiles are missing on the shortest way from {start} to {finish}.",
            tiles_to_the_last_spike(self.view),
            start=self.teller.city(edition.start),
            finish=self.teller.city(edition.finish),
        )
        yield words.count(
            "{n} tile is left to draw.", "{n} tiles are left to draw.", self.view.pool
        )
        if self.view.aside:
            yield words.count(
                "{n} tile was put aside unseen.",
                "{n} tiles were put aside unseen.",
                self.view.aside,
            )


def tiles_to_the_last_spike(view: View) -> int:
    """The fewest tiles that could join start and finish: a route is as long as its gaps."""
    table = view.table
    board = table.board
    missing = [SPACES_A_ROUTE - (table.track & mask).bit_count() for mask in board.route_mask]
    far = {city: sum(missing) + 1 for city in range(len(board.city_codes))}
    far[board.start] = 0
    for _ in board.city_codes:
        for (first, second), tiles in zip(board.ends, missing, strict=True):
            far[first] = min(far[first], far[second] + tiles)
            far[second] = min(far[second], far[first] + tiles)
    return far[board.finish]
