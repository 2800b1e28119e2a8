"""A turn such as people make: a tile that can be paid, and land where money is left for later."""

from __future__ import annotations

import random
from collections.abc import Collection

from lastspike.rules.editions.edition import CARDS_A_CITY, SPACES_A_ROUTE, reached
from lastspike.rules.editions.shipped import shipped
from load_sockets import SeenView

RESERVE = 8000
EDITION = shipped()
ROUTES = {route.letter: route for route in EDITION.routes}
PRICES = {city.code: city.land for city in EDITION.cities}


def a_turn(view: SeenView, rng: random.Random) -> list[str] | None:
    """The moves; None where land would have to be sold first, which is left to others."""
    assert view.seat is not None
    cash = view.cash[view.seat]
    assert cash is not None
    payable = [tile for tile in view.legal if 2 * _cost(tile) <= cash]
    if not payable:
        return None
    tile = rng.choice(payable)
    if _grants(tile, view) or _ends_game([*view.track, tile]):
        return [tile]
    left = cash - 2 * _cost(tile) - RESERVE
    offers = [city for city, price in _on_sale(view).items() if price <= left]
    return [tile, f"+{rng.choice(offers)}"] if offers else [tile]


def _cost(tile: str) -> int:
    return ROUTES[tile[0]].costs[int(tile[1]) - 1]


def _grants(tile: str, view: SeenView) -> bool:
    """Whether the tile brings a free grant, after which nothing is bought."""
    ends = ROUTES[tile[0]].ends
    beside = {"1": ends[0], str(SPACES_A_ROUTE): ends[1]}.get(tile[1])
    return beside is not None and view.land[beside][0] is None


def _ends_game(track: Collection[str]) -> bool:
    letters = "".join(tile[0] for tile in track)
    finished = [route.ends for route in EDITION.routes if letters.count(route.letter) == 4]
    return EDITION.finish in reached(EDITION.start, finished)


def _on_sale(view: SeenView) -> dict[str, int]:
    """The cheapest card left of each city whose free grant is taken."""
    return {
        code: PRICES[code][cards.index(None)]
        for code, cards in view.land.items()
        if cards[0] is not None and None in cards and len(cards) == CARDS_A_CITY
    }
