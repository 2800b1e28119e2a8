"""Answers to questions that a player can type at any time, from that player's view."""

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
    """Answers about one view. `since` lists what happened since this player's last turn; `labels`
    are the players' names, with the level of each computer player."""

    def __init__(
        self, view: View, teller: Teller, since: Sequence[str], labels: Sequence[str]
    ) -> None:
        self.view = view
        self.teller = teller
        self.words = teller.words
        self._text = teller.board
        self._money = teller.words.money
        self._since = since
        self._labels = labels
        topics = (self.hand, self.route, self.routes, self.city, self.cities, self.player)
        more = (self.players, self.since, self.spike, self.board)
        self._answers: dict[str, Callable[[str], Iterator[str]]] = {
            answer.__name__: answer for answer in (*topics, *more)
        }

    def answer(self, text: str) -> list[str] | None:
        """The answer; None if the text is no question. A city's name alone is one."""
        name, _, about = text.partition(" ")
        answer = self._answers.get(name.lower())
        if answer:
            return list(answer(about.strip()))
        return list(self.city(text)) if self.city_called(text) is not None else None

    def city_called(self, text: str) -> City | None:
        """The city with this code, or this name in any language; case is ignored."""
        board = self.view.table.board
        for city in board.edition.cities:
            names = (city.code, city.name, *city.names.values())
            if text.casefold() in (name.casefold() for name in names):
                return board.city_of[city.code]
        return None

    def hand(self, _about: str = "") -> Iterator[str]:
        """Each tile in hand: where it goes and what it costs now."""
        if not self.view.hand:
            yield self._text("no_tile")
        for tile in self.view.hand:
            yield self.tile(tile)

    def tile(self, tile: Space) -> str:
        table = self.view.table
        code, cost = table.board.codes[tile], self._money(laying_cost(table, tile))
        name = "tile" if adjacent(table, tile) else "tile_double"
        return self._text(name, tile=code, route=self.teller.route(code[0]), cost=cost)

    def route(self, letter: str) -> Iterator[str]:
        """A route's four spaces, and whom it would pay if it were finished now."""
        table, text, money = self.view.table, self._text, self._money
        board = table.board
        letter = letter.upper()
        if letter not in board.route_of:
            letters = self.teller.series(board.letters)
            yield text("which_route", letters=letters, example=board.letters[0])
            return
        route = board.route_of[letter]
        yield text("route", letter=letter, ends=self.teller.route(letter))
        for space in range(route * SPACES_A_ROUTE, (route + 1) * SPACES_A_ROUTE):
            code, cost = board.codes[space], money(board.costs[space])
            if table.track & board.bit[space]:
                yield text("space_built", tile=code)
            else:
                name = "space_in_hand" if space in self.view.hand else "space"
                yield text(name, tile=code, cost=cost)
        if table.finished >> route & 1:
            yield text("route_finished")
            return
        paid = []
        for seat, city, _, amount in shares(table, route):
            facts = {"player": self.teller.names[seat], "amount": money(amount)}
            facts["city"] = self.teller.city(board.city_codes[city])
            paid.append(text("own_payout" if seat == self.teller.own else "payout", **facts))
        if paid:
            yield text("route_pays", payouts=self.teller.shares(paid))
        else:
            yield text("route_pays_nobody")

    def routes(self, _about: str = "") -> Iterator[str]:
        """One line per route: how much of it has track."""
        table = self.view.table
        for letter, mask in zip(table.board.letters, table.board.route_mask, strict=True):
            built, ends = (table.track & mask).bit_count(), self.teller.route(letter)
            yield self._text(
                "route_line", letter=letter, ends=ends, built=built, spaces=SPACES_A_ROUTE
            )

    def city(self, code: str) -> Iterator[str]:
        """A city's land: who holds it, what the next card costs, what its cards pay."""
        table, text, money = self.view.table, self._text, self._money
        board = table.board
        city = self.city_called(code)
        if city is None:
            codes = (each.code for each in board.edition.cities)
            names = (text("city_choice", city=self.teller.city(c), code=c) for c in codes)
            yield text("which_city", cities=self.teller.series(names))
            return
        code = board.city_codes[city]
        yield text("city", city=self.teller.city(code), code=code)
        holders = table.cards_of(city)
        for seat, name in enumerate(self.teller.names):
            if seat in holders:
                kind = "own_holds" if seat == self.teller.own else "holds"
                yield text(kind, holders.count(seat), player=name)
        price = table.market[city]
        if holders[0] == BANK:
            yield text("grant_free")
        elif price == NOT_FOR_SALE:
            yield text("sold_out")
        else:
            yield text("next_card", price=money(price))
        payouts = self.teller.series(money(amount) for amount in board.payouts[city][1:])
        yield text("city_pays", most=CARDS_A_CITY, payouts=payouts)
        open_routes = [
            letter
            for route, letter in enumerate(board.letters)
            if city in board.ends[route] and not table.finished >> route & 1
        ]
        if open_routes:
            yield text("routes_to_pay", letters=self.teller.series(open_routes))
        else:
            yield text("pays_no_more")

    def cities(self, _about: str = "") -> Iterator[str]:
        """One line per city: the next card's price, what one card pays, who holds how many."""
        table, money = self.view.table, self._money
        board = table.board
        for code in (city.code for city in board.edition.cities):
            city = board.city_of[code]
            price, holders = table.market[city], table.cards_of(city)
            parts = [self._text("card_pays", amount=money(board.payouts[city][1]))]
            if price != NOT_FOR_SALE:
                parts.insert(0, self._text("card_price", price=money(price)))
            for seat, name in enumerate(self.teller.names):
                if seat in holders:
                    kind = "own_cards" if seat == self.teller.own else "cards"
                    parts.append(self._text(kind, holders.count(seat), player=name))
            facts = self.teller.shares(parts)
            yield self._text("city_line", code=code, city=self.teller.city(code), facts=facts)

    def player(self, number: str) -> Iterator[str]:
        """A player's cash, tiles and land."""
        table, text, money = self.view.table, self._text, self._money
        board, names = table.board, self.teller.names
        called = [
            seat
            for seat, name in enumerate(names)
            if number.casefold() in (name.casefold(), str(seat + 1))
        ]
        if not called:
            known = enumerate(names, 1)
            choices = (text("player_choice", player=name, number=n) for n, name in known)
            yield text("which_player", players=self.teller.series(choices))
            return
        seat = called[0]
        number = str(seat + 1)
        if not table.in_game(seat):
            yield text("bankrupt", number=number, player=names[seat])
            return
        cash = text("cash_hidden") if table.cash[seat] == UNKNOWN else money(table.cash[seat])
        tiles, label = self.view.tiles[seat], self._labels[seat]
        yield text("player", tiles, number=number, player=label, cash=cash)
        land = []
        for city in board.edition.cities:
            first = board.city_of[city.code] * CARDS_A_CITY
            for card in range(first, first + CARDS_A_CITY):
                if table.land[card] == seat:
                    price, code = board.prices[card], board.card_text(card)
                    kind = "land_card" if price else "free_land_card"
                    land.append(text(kind, card=code, price=money(price)))
        yield text("land", cards=self.teller.series(land)) if land else text("no_land")

    def players(self, _about: str = "") -> Iterator[str]:
        for seat in range(len(self.teller.names)):
            yield from self.player(str(seat + 1))

    def since(self, _about: str = "") -> Iterator[str]:
        yield from self._since or [self._text("nothing_yet")]

    def board(self, _about: str = "") -> Iterator[str]:
        """Everything that is public."""
        for part in (self.routes, self.cities, self.players, self.spike):
            yield from part()

    def spike(self, _about: str = "") -> Iterator[str]:
        """How far the last spike is, and which tiles are missing on the shortest ways to it."""
        words, table = self.words, self.view.table
        board = table.board
        gaps = [board.spaces_in(way & ~table.track) for way in shortest_ways(table)]
        yield words.count(
            "The shortest way from {start} to {finish} still needs {n} tile.",
            "The shortest way from {start} to {finish} still needs {n} tiles.",
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
                "{n} tile was set aside unseen.",
                "{n} tiles were set aside unseen.",
                self.view.aside,
            )


def tiles_to_the_last_spike(view: View) -> int:
    """The smallest number of tiles that joins start and finish."""
    return (shortest_ways(view.table)[0] & ~view.table.track).bit_count()
