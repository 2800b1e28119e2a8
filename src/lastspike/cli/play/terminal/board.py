"""The screen during a person's turn: map, players, choices, and the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from lastspike.cli.wrapping import wrapped
from lastspike.rules.board import City
from lastspike.rules.editions.edition import CARDS_A_CITY, Edition
from lastspike.rules.events import GrantTaken, LastSpike, RouteFinished
from lastspike.rules.moves import Move
from lastspike.rules.steps.laying import adjacent, laying_cost
from lastspike.rules.table import UNKNOWN, Table
from lastspike.rules.view import Preview, View, preview
from lastspike.words.events import Teller
from lastspike.words.language import Words
from lastspike.words.questions import tiles_to_the_last_spike
from lastspike.words.typed import shown_word

from . import map as text_map
from .screen import Line, Screen

TITLE = "THE LAST SPIKE"
SMALLEST = (80, 24)
"""A smaller screen gets sentences instead of a map."""
CHOICE_ROWS = 3
"""Rows reserved for the choices."""


def lines(
    screen: Screen,
    teller: Teller,
    labels: Sequence[str],
    view: View,
    ahead: Preview,
    message: str,
) -> Sequence[Line]:
    """The board during a turn; `ahead` is the part already composed."""
    tiles = tuple(
        len(ahead.hand) if seat == view.seat else count for seat, count in enumerate(view.tiles)
    )
    shown = view._replace(table=ahead.table, tiles=tiles)
    columns, height = screen.console.size
    if screen.plain or columns < SMALLEST[0] or height < SMALLEST[1]:
        text = [*_plain_status(teller, shown, ahead), *_choices(teller, view, ahead)]
        return [*text, message] if message and not screen.plain else text
    players = _players(teller, labels, shown, columns)
    warning = wrapped(Text(message, style="bold"), columns) if message else []
    choices = _wrapped(_choices(teller, view, ahead), columns)
    if len(choices) > CHOICE_ROWS:
        choices = _wrapped(_choices(teller, view, ahead, brief=True), columns)
    # The map keeps its size whatever is below it, so that nothing on it moves.
    rows = max(height - 2 - len(players) - CHOICE_ROWS, text_map.SMALLEST[1])
    map_lines = text_map.draw(ahead.table, ahead.hand, columns, rows)
    below = [*map_lines, *players, *choices, *warning]
    # The question takes the last row; if a long warning leaves no room, drop the status.
    fits = len(below) < height - 1
    return [_status(teller, shown, columns), *below] if fits else below


def question(words: Words, ahead: Preview) -> str:
    """The question for the current phase."""
    back = shown_word("back", words)
    if ahead.turn_over:
        return words.say("Press Enter to play it, or type “{back}” to change it: ", back=back)
    match ahead.table.phase:
        case "raise":
            return words.say("Sell which card? ({back}, ? for help) ", back=back)
        case "buy":
            return words.say(
                "Buy land in which city? Enter for none ({back}, ? for help) ", back=back
            )
        case _:
            return words.say("Lay which tile? (? for help) ")


def help_lines(words: Words, edition: Edition) -> list[Line]:
    """The commands that can be typed."""
    say = words.say
    city, letter = edition.cities[0].code, edition.routes[0].letter
    typed = partial(shown_word, words=words)
    of_route = words.series([f"{typed('route')} {letter}", typed("routes")])
    of_city = words.series([f"{typed('city')} {city}", typed("cities")])
    of_player = words.series([f"{typed('player')} 2", typed("players")])
    commands = [
        (f"{letter}1", say("lay this tile")),
        (f"+{city}", say("buy the cheapest land left in this city; Enter buys none")),
        (f"-{city}1", say("sell this card if you’re short of cash for a tile")),
        (typed("back"), say("undo the last step of this turn")),
        (typed("hand"), say("your tiles and what they cost")),
        (of_route, say("a route’s spaces, and who it would pay")),
        (of_city, say("a city’s land, its price and payouts")),
        (of_player, say("a player’s cash, tiles and land")),
        (typed("since"), say("what happened since your last turn")),
        (typed("spike"), say("how far away the last spike is")),
        (typed("board"), say("everything that’s public, in sentences")),
        (typed("hint"), say("what a good player would do, and why")),
        (typed("quit"), say("leave; the game is saved, so you can resume it later")),
    ]
    return [say("You can type:"), "", *_explained(commands)]


def intro_lines(teller: Teller, plain: bool) -> list[Line]:
    """The game in a few sentences, for a new player."""
    words, edition = teller.words, teller.edition
    say = words.say
    ends = {"start": teller.city(edition.start), "finish": teller.city(edition.finish)}
    text: list[Line] = [
        TITLE,
        "",
        say(
            "Together you build a railway from {start} to {finish}. When the line is "
            "complete, the player with the most cash wins.",
            **ends,
        ),
        "",
        say(
            "On your turn, lay one track tile on its space and pay its cost. If a tile you "
            "can afford is next to a city or track, you must lay such a tile; elsewhere it "
            "costs double. The first tile next to a city brings you its free land grant. If "
            "you got none, you may buy one land card in a city whose free land is gone."
        ),
        "",
        say(
            "When all four spaces of a route have track, everybody with land in either end "
            "city gets a payout: the more land, the more money. The tile that joins {start} "
            "to {finish} is the last spike: it earns {bonus} and ends the game.",
            **ends,
            bonus=words.money(edition.last_spike_bonus),
        ),
        "",
    ]
    if not plain:
        city, letter = edition.cities[0], edition.routes[0].letter
        tile, cost = f"{letter}3", edition.routes[0].costs[2]
        facts = {"city": teller.city(city.code), "tile": tile, "cost": words.money(cost)}
        holders = say("{city}; players 1 and 2 hold land, three cards are left", **facts)
        signs = [
            (f"[{city.code} 12...]", holders),
            (f"{tile}:{cost // 1000}", say("space {tile}; laying its tile costs {cost}", **facts)),
            (f"{tile}*{cost // 1000}", say("the same, and the tile is in your hand")),
            (f"={tile}=", say("track")),
        ]
        text += [say("On the map:"), *_explained(signs), ""]
    text.append(
        say(
            "The game is saved after every turn. Type ? for help, or “{quit}” to stop.",
            quit=shown_word("quit", words),
        )
    )
    return text


def _explained(signs: Sequence[tuple[str, str]]) -> list[Line]:
    """Signs and their meanings, in two columns."""
    width = max(cell_len(sign) for sign, _ in signs) + 2
    return [f"  {set_cell_size(sign, width)}{meaning}" for sign, meaning in signs]


def _status(teller: Teller, view: View, columns: int) -> Text:
    """Turn, player, and progress of the game in one row; a long name is cut."""
    words, table = teller.words, view.table
    name = teller.names[table.turn]
    parts = [
        words.say("Turn {number}", number=turn_number(table)),
        "",
        _distance(words, view),
        words.count("{n} tile in the pool", "{n} tiles in the pool", view.pool),
    ]
    room = columns - cell_len(" · ".join(parts))
    parts[1] = set_cell_size(name, min(cell_len(name), room))
    return Text(" · ".join(parts), style="bold")


def _players(teller: Teller, labels: Sequence[str], view: View, columns: int) -> list[Text]:
    """Each player's cash and tiles, two or three per row; with levels if there is room."""
    table = view.table
    a_row = 3 if len(teller.names) not in (2, 4) else 2
    width = columns // a_row
    cells = []
    for seat, name in enumerate(labels if a_row == 2 else teller.names):
        cash = table.cash[seat]
        money = "?" if cash == UNKNOWN else teller.words.money(cash)
        tail = " " + teller.words.count(
            "{cash} {n} tile", "{cash} {n} tiles", view.tiles[seat], cash=money
        )
        if not table.in_game(seat):
            tail = " " + teller.words.say("bankrupt")
        head = f"{'>' if seat == table.turn else ' '}{seat + 1} "
        room = width - 1 - cell_len(head) - cell_len(tail)
        shown = set_cell_size(name, min(cell_len(name), room))
        cell = Text(set_cell_size(head + shown + tail, width))
        cell.stylize(f"bold {text_map.PLAYER_STYLES[seat]}", 0, len(head) + len(shown))
        cells.append(cell)
    return [Text("").join(cells[row : row + a_row]) for row in range(0, len(cells), a_row)]


def turn_number(table: Table) -> int:
    """The current turn's number, from 1; it stays the same after the tile is laid."""
    return table.turns + (table.phase in ("lay", "raise"))


def _plain_status(teller: Teller, view: View, ahead: Preview) -> Iterator[str]:
    words, table = teller.words, view.table
    if table.phase == "lay":
        yield words.say(
            "Turn {number}. {player}, you have {cash}.",
            number=turn_number(table),
            player=teller.names[table.turn],
            cash=words.money(table.cash[table.turn]),
        )
        yield _distance(words, view)
    else:
        yield from teller.tell(ahead.events)


def _distance(words: Words, view: View) -> str:
    far = tiles_to_the_last_spike(view)
    return words.count("{n} tile to the last spike", "{n} tiles to the last spike", far)


def _choices(teller: Teller, view: View, ahead: Preview, brief: bool = False) -> list[str]:
    """The choices now, each with its cost and, unless `brief`, what it brings."""
    words, table = teller.words, ahead.table
    money = words.money
    board = table.board
    match table.phase:
        case "lay":
            return [words.say("Your tiles:"), *_tiles(teller, view, brief)]
        case "raise":
            short = laying_cost(table, table.chosen) - table.cash[table.turn]
            tile = board.codes[table.chosen]
            heading = words.say("You’re {short} short for {tile}. The bank pays half price:",
                                short=money(short), tile=tile)  # fmt: skip
            cards = [move.city * CARDS_A_CITY + move.rank for move in ahead.legal_moves]
            offers = (
                words.say(
                    "{card} {amount}", card=board.card_text(card), amount=money(board.fetches[card])
                )
                for card in cards
            )
            return [heading, *offers]
        case _:
            cash = money(table.cash[table.turn])
            heading = words.say("You have {cash}. For sale:", cash=cash)
            if brief:
                heading = words.say(
                    "You have {cash}. For sale, in $1,000 (price → payout × routes):", cash=cash
                )
            cities = [move.city for move in ahead.legal_moves if move.kind == "buy"]
            return [heading, *(_offer(words, table, city, brief) for city in cities)]


def _offer(words: Words, table: Table, city: City, brief: bool) -> str:
    """A city's cheapest card: its price, what it adds to a payout, and how many routes may pay."""
    board = table.board
    code, price = board.city_codes[city], table.market[city]
    routes = (board.routes_of_city[city] & ~table.finished).bit_count()
    held = table.cards_of(city).count(table.turn)
    more = board.payouts[city][held + 1] - board.payouts[city][held]
    if brief:
        return f"{code} {price // 1000}→{more // 1000}×{routes}"
    facts = {"city": code, "price": words.money(price)}
    if not routes:
        return words.say("{city} {price}, no more payouts", **facts)
    return words.say(
        "{city} {price} pays {more} ×{routes}", more=words.money(more), routes=routes, **facts
    )


def _tiles(teller: Teller, view: View, brief: bool) -> Iterator[str]:
    """The tiles in hand, each with its cost and what laying it would bring."""
    table = view.table
    legal = {move.space: move for move in preview(view, ()).legal_moves}
    for tile in view.hand:
        facts = [teller.words.money(laying_cost(table, tile))]
        if not adjacent(table, tile):
            facts.append(teller.words.say_as("tile", "double"))
        if tile not in legal:
            facts.append(teller.words.say_as("tile", "not now"))
        elif not brief:
            facts += _brings(teller, view, legal[tile])
        code = table.board.codes[tile]
        yield teller.words.say("{tile} {facts}", tile=code, facts=teller.series(facts))


def _brings(teller: Teller, view: View, lay: Move) -> Iterator[str]:
    say = teller.words.say
    table = view.table.copy()
    seat = table.turn
    cost = laying_cost(table, lay.space)
    if cost > table.cash[seat]:
        yield say("if you sell land")
        table.cash[seat] = cost  # what the tile brings does not depend on the sales
    for event in preview(view._replace(table=table), (lay,)).events:
        match event:
            case GrantTaken():
                yield say("free land in {city}", city=event.city)
            case LastSpike():
                yield say("last spike")
            case RouteFinished():
                yield say("finishes {route}", route=event.route)


def _wrapped(choices: list[str], columns: int) -> list[Text]:
    """The heading and choices in as few rows as possible; no choice is split."""
    rows = [choices[0]]
    for place, choice in enumerate(choices[1:]):
        joined = rows[-1] + (" " if place == 0 else " | ") + choice
        if cell_len(joined) <= columns:
            rows[-1] = joined
        else:
            rows.append("  " + choice)
    return [Text(row) for row in rows]
