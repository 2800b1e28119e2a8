#!/usr/bin/env python3
"""A small player of The Last Spike: lays what pays it, buys what should pay more than it costs."""

import json
import sys


def worth(move, view, edition):
    """What a move seems to bring, in dollars."""
    routes = {route["letter"]: route for route in edition["routes"]}
    cities = {city["code"]: city for city in edition["cities"]}
    laid = "".join(view["track"]).count  # laid("A"): how much of route A has track
    if move == "pass":
        return 0
    if move[0] in "+-":  # a card is paid once for each route of its city that gets finished
        code = move[1:] if move[0] == "+" else move[1:-1]
        likely = sum((1 + laid(r)) / 6 for r in routes if code in routes[r]["ends"] and laid(r) < 4)
        pays = cities[code]["payouts"][0] * likely
        if move[0] == "-":
            return -pays
        price = cities[code]["land"][view["land"][code].index(None)]
        return pays - price if view["cash"][view["seat"]] - price >= 6000 else -price
    route, place = routes[move[0]], int(move[1]) - 1
    cards = {code: view["land"][code].count(view["seat"]) for code in route["ends"]}
    pays = sum(cards[code] * cities[code]["payouts"][0] for code in cards) * (1 + laid(move[0])) / 4
    grant = place in (0, 3) and view["land"][route["ends"][place // 3]][0] is None
    return pays + 5000 * grant - route["costs"][place]


for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "hello":
        print("hello 1 Example", flush=True)
    elif word == "options":
        edition = json.loads(rest)["edition"]
    elif word == "view":
        view = json.loads(rest)
    elif word == "go":
        print("move", max(view["legal"], key=lambda move: worth(move, view, edition)), flush=True)
    elif word == "quit":
        break
