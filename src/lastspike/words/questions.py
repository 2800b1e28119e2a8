"""Questions a player may type at any time, answered from that player's view in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lastspike.bots.outlook import shortest_ways
from lastspike.rules.board import NOT_FOR_SALE, City, Space
from lastspike.rules.editions.edition import CARDS_A_CITY, SPACES_A_ROUTE
from lastspike.rules.steps.laying import adjacent, laying_cost
from lastspike.rules.steps.payouts import shares
from lastspike.rules.table import BANK, UNKNOWN
from lastspike.rules.view import View

from .events import Teller


class Questions:
    """Answers for one view. `since` tells what happened since this player's last turn, `labels` are
    the players' names with the levels of those who are computers."""

    def __init__(
        self, view: View, teller: Teller, since: Sequence[str], labels: Sequence[str]
    ) -> None:
        self.view = view
        self.teller = teller
        self.words = teller.words
        self._since = since
        self._labels = labels
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
            "board": self.board,
        }

    def answer(self, text: str) -> list[str] | None:
        """The answer to a question, None if the text is none. A city alone is a question too."""
        name, _, about = text.partition(" ")
        answer = self._answers.get(name.lower())
        if answer:
            return list(answer(about.strip()))
        return list(self.city(text)) if self.city_called(text) is not None else None

    def city_called(self, text: str) -> City | None:
        """The city that a code or a name in any language means, in small letters or capitals."""
        board = self.view.table.board
        for city in board.edition.cities:
            names = (city.code, city.name, *city.names.values())
            if text.casefold() in (name.casefold() for name in names):
                return board.city_of[city.code]
        return None

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
        letter = letter.upper()
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
            say("{player} {amount} for {city}", player=self.teller.names[seat],
                amount=money(amount), city=self.teller.city(board.city_codes[city]))
            for seat, city, _, amount in shares(table, route)
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
        city = self.city_called(code)
        if city is None:
            names = (f"{self.teller.city(c.code)} ({c.code})" for c in board.edition.cities)
            yield say("Which city? There are {cities}.", cities=self.teller.series(names))
            return
        code = board.city_codes[city]
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
        """Every city in one line: what the next card costs, what one pays, who holds how many."""
        table, say, money = self.view.table, self.words.say, self.words.money
        board = table.board
        for city in (board.city_of[city.code] for city in board.edition.cities):
            price, holders = table.market[city], table.cards_of(city)
            parts = [say("pays {amount}", amount=money(board.payouts[city][1]))]
            if price != NOT_FOR_SALE:
                parts.insert(0, say("next card {price}", price=money(price)))
            parts += [
                f"{name} {holders.count(seat)}"
                for seat, name in enumerate(self.teller.names)
                if seat in holders
            ]
            code = board.city_codes[city]
            yield f"{code} {self.teller.city(code)}: {self.teller.shares(parts)}"

    def player(self, number: str) -> Iterator[str]:
        """A player's cash, tiles and land."""
        table, say, money = self.view.table, self.words.say, self.words.money
        board, names = table.board, self.teller.names
        called = [
            seat
            for seat, name in enumerate(names)
            if number.casefold() in (name.casefold(), str(seat + 1))
        ]
        if not called:
            known = (f"{name} ({seat + 1})" for seat, name in enumerate(names))
            yield say("Which player? There are {players}.", players=self.teller.series(known))
            return
        seat = called[0]
        number = str(seat + 1)
        if not table.in_game(seat):
            yield say("{number}, {player}: bankrupt.", number=number, player=names[seat])
            return
        cash, free = table.cash[seat], say("free grant")
        yield self.words.count(
            "{number}, {player}: {cash}, {n} tile.",
            "{number}, {player}: {cash}, {n} tiles.",
            self.view.tiles[seat],
            number=number,
            player=self._labels[seat],
            cash=say("cash hidden") if cash == UNKNOWN else money(cash),
        )
        land = [
            f"{board.card_text(card)} ({money(board.prices[card]) if board.prices[card] else free})"
            for card, holder in enumerate(table.land)
            if holder == seat
        ]
        yield say("Land: {cards}.", cards=self.teller.series(land)) if land else say("No land.")

    def players(self, _about: str = "") -> Iterator[str]:
        for seat in range(len(self.teller.names)):
            yield from self.player(str(seat + 1))

    def since(self, _about: str = "") -> Iterator[str]:
        yield from self._since or [self.words.say("Nothing has happened yet.")]

    def board(self, _about: str = "") -> Iterator[str]:
        """All that lies open, in as few sentences as it takes."""
        yield from self.routes()
        yield from self.cities()
        yield from self.players()
        yield from self.spike()

    def spike(self, _about: str = "") -> Iterator[str]:
        """How far the last spike is, and which tiles are missing on a shortest way there."""
        words, table = self.words, self.view.table
        board = table.board
        gaps = [board.spaces_in(way & ~table.track) for way in shortest_ways(table)]
        yield words.count(
            "{n} tile is missing on the shortest way from {start} to {finish}.",
            "{n} tiles are missing on the shortest way from {start} to {finish}.",
            len(gaps[0]),
            start=self.teller.city(board.edition.start),
            finish=self.teller.city(board.edition.finish),
        )
        if len(gaps[0]) <= 2 * SPACES_A_ROUTE:
            for tiles in gaps:
                codes = (
                    words.say("{tile} (yours)", tile=board.codes[tile])
                    if tile in self.view.hand
                    else board.codes[tile]
                    for tile in tiles
                )
                yield words.say("Missing: {tiles}.", tiles=self.teller.series(codes))
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
    """The fewest tiles that could join start and finish."""
    return (shortest_ways(view.table)[0] & ~view.table.track).bit_count()
