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
        if not self.view.hand:
            yield self.teller.board("no_tile")
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
            return self.teller.board("tile", **facts)
        return self.teller.board("tile_double", **facts)

    def route(self, letter: str) -> Iterator[str]:
        """A route's four spaces, and who would be paid what if it were finished now."""
        table, money = self.view.table, self.words.money
        board = table.board
        letter = letter.upper()
        if letter not in board.route_of:
            letters = self.teller.series(board.letters)
            yield self.teller.board("which_route",
                      letters=letters, example=board.letters[0])  # fmt: skip
            return
        route = board.route_of[letter]
        yield self.teller.board("route", letter=letter, ends=self.teller.route(letter))
        for place in range(SPACES_A_ROUTE):
            space = route * SPACES_A_ROUTE + place
            code, cost = board.codes[space], money(board.costs[space])
            if table.track & board.bit[space]:
                yield self.teller.board("space_built", tile=code)
            elif space in self.view.hand:
                yield self.teller.board("space_in_hand", tile=code, cost=cost)
            else:
                yield self.teller.board("space", tile=code, cost=cost)
        if table.finished >> route & 1:
            yield self.teller.board("route_finished")
            return
        paid = [
            self.teller.board("payout", player=self.teller.names[seat],
                amount=money(amount), city=self.teller.city(board.city_codes[city]))
            for seat, city, _, amount in shares(table, route)
        ]  # fmt: skip
        if paid:
            yield self.teller.board("route_pays", payouts=self.teller.shares(paid))
        else:
            yield self.teller.board("route_pays_nobody")

    def routes(self, _about: str = "") -> Iterator[str]:
        """Every route in one line: how much of it has track."""
        table = self.view.table
        board = table.board
        for route, letter in enumerate(board.letters):
            built = (table.track & board.route_mask[route]).bit_count()
            yield self.teller.board(
                "route_line",
                letter=letter,
                ends=self.teller.route(letter),
                built=built,
                spaces=SPACES_A_ROUTE,
            )

    def city(self, code: str) -> Iterator[str]:
        """A city's land: who holds it, what the next card costs, what its cards pay."""
        table, money = self.view.table, self.words.money
        board = table.board
        city = self.city_called(code)
        if city is None:
            names = (f"{self.teller.city(c.code)} ({c.code})" for c in board.edition.cities)
            yield self.teller.board("which_city", cities=self.teller.series(names))
            return
        code = board.city_codes[city]
        yield self.teller.board("city", city=self.teller.city(code), code=code)
        holders = table.cards_of(city)
        for seat, name in enumerate(self.teller.names):
            if seat in holders:
                yield self.teller.board("holds", holders.count(seat), player=name,
                )  # fmt: skip
        price = table.market[city]
        if holders[0] == BANK:
            yield self.teller.board("grant_free")
        elif price == NOT_FOR_SALE:
            yield self.teller.board("sold_out")
        else:
            yield self.teller.board("next_card", price=money(price))
        payouts = self.teller.series(money(amount) for amount in board.payouts[city][1:])
        yield self.teller.board(
            "city_pays",
            most=CARDS_A_CITY,
            payouts=payouts,
        )
        open_routes = [
            board.letters[route]
            for route in range(len(board.letters))
            if city in board.ends[route] and not table.finished >> route & 1
        ]
        if open_routes:
            yield self.teller.board("routes_to_pay", letters=self.teller.series(open_routes))
        else:
            yield self.teller.board("pays_no_more")

    def cities(self, _about: str = "") -> Iterator[str]:
        """Every city in one line: what the next card costs, what one pays, who holds how many."""
        table, money = self.view.table, self.words.money
        board = table.board
        for city in (board.city_of[city.code] for city in board.edition.cities):
            price, holders = table.market[city], table.cards_of(city)
            parts = [self.teller.board("card_pays", amount=money(board.payouts[city][1]))]
            if price != NOT_FOR_SALE:
                parts.insert(0, self.teller.board("card_price", price=money(price)))
            parts += [
                f"{name} {holders.count(seat)}"
                for seat, name in enumerate(self.teller.names)
                if seat in holders
            ]
            code = board.city_codes[city]
            yield f"{code} {self.teller.city(code)}: {self.teller.shares(parts)}"

    def player(self, number: str) -> Iterator[str]:
        """A player's cash, tiles and land."""
        table, money = self.view.table, self.words.money
        board, names = table.board, self.teller.names
        called = [
            seat
            for seat, name in enumerate(names)
            if number.casefold() in (name.casefold(), str(seat + 1))
        ]
        if not called:
            known = (f"{name} ({seat + 1})" for seat, name in enumerate(names))
            yield self.teller.board("which_player", players=self.teller.series(known))
            return
        seat = called[0]
        number = str(seat + 1)
        if not table.in_game(seat):
            yield self.teller.board("bankrupt", number=number, player=names[seat])
            return
        cash, free = table.cash[seat], self.teller.board("free_grant")
        yield self.teller.board(
            "player",
            self.view.tiles[seat],
            number=number,
            player=self._labels[seat],
            cash=self.teller.board("cash_hidden") if cash == UNKNOWN else money(cash),
        )
        cards = (
            board.city_of[city.code] * CARDS_A_CITY + rank
            for city in board.edition.cities
            for rank in range(CARDS_A_CITY)
        )
        land = [
            f"{board.card_text(card)} ({money(board.prices[card]) if board.prices[card] else free})"
            for card in cards
            if table.land[card] == seat
        ]
        yield (
            self.teller.board("land", cards=self.teller.series(land))
            if land
            else self.teller.board("no_land")
        )

    def players(self, _about: str = "") -> Iterator[str]:
        for seat in range(len(self.teller.names)):
            yield from self.player(str(seat + 1))

    def since(self, _about: str = "") -> Iterator[str]:
        yield from self._since or [self.teller.board("nothing_yet")]

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
