"""The open table: what everybody sees, and the only function that moves money."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from .board import CITIES_BIT, NO_SPACE, NOT_FOR_SALE, Board, City, Seat, board_of
from .editions.edition import CARDS_A_CITY, Edition
from .editions.figures import repr_short
from .errors import LastSpikeError, wrong_type

Phase = Literal["lay", "raise", "buy", "over"]
PHASES: tuple[Phase, ...] = ("lay", "raise", "buy", "over")

BANK = -1
"""Holder of a card that nobody has."""
OUT = -2
"""Holder of a free grant that left the game (K1)."""
NOBODY = -1
UNKNOWN = -1
"""Stands in a view for cash that the option `cash` hides."""

DoubleCost = Literal["forced", "open"]
Cash = Literal["open", "hidden"]
Hands = Literal["hidden", "open"]

OPTION_VALUES: dict[str, tuple[str, ...]] = {
    "double_cost": ("forced", "open"),
    "cash": ("open", "hidden"),
    "hands": ("hidden", "open"),
}
"""The options and their values, the default first."""


class Options(NamedTuple):
    """`double_cost`: L5. `cash`: B3. `hands`: S3."""

    double_cost: DoubleCost = "forced"
    cash: Cash = "open"
    hands: Hands = "hidden"


def read_options(given: Mapping[str, object]) -> Options:
    """Options by name; a missing one has its default, a name that is none is passed over."""
    chosen: dict[str, Any] = {}
    for name, values in OPTION_VALUES.items():
        chosen[name] = given.get(name, values[0])
        if chosen[name] not in values:
            raise LastSpikeError(
                "option {name}: expected {values}, found {found}",
                name=name,
                values=values,
                found=repr_short(chosen[name]),
            )
    return Options(**chosen)


class Setup(NamedTuple):
    """Everything that is decided before the first tile is drawn: the board, the number of players
    and the options."""

    board: Board
    players: int
    options: Options

    @property
    def edition(self) -> Edition:
        return self.board.edition


def setup(edition: Edition, players: int, options: Options | None = None) -> Setup:
    """The setup of a game. `LastSpikeError` if the edition does not allow this number of players
    (S1), or if there is no such option."""
    if not isinstance(edition, Edition):
        raise wrong_type("edition", "Edition", edition)
    if isinstance(players, bool) or not isinstance(players, int):
        raise wrong_type("players", "int", players)
    if not (options is None or isinstance(options, Options)):
        raise wrong_type("options", "Options", options)
    if players not in edition.starting_cash:
        raise LastSpikeError(
            "edition {edition} is for {counts} players, not for {players}",
            edition=edition.id,
            counts=tuple(map(str, edition.player_counts)),
            players=players,
        )
    return Setup(board_of(edition), players, read_options(options._asdict() if options else {}))


class Table:
    """Track, land, cash, whose turn and phase. Treat it as a value: only the rules write to it.

    track        bitmask of the spaces that have track, see `board.py`
    finished     bitmask of the routes whose four spaces all have track
    land         by card: its holder, a seat, BANK or OUT
    market       by city: the price of its cheapest card left, or NOT_FOR_SALE (B1)
    cash         by seat; 0 for a bankrupt
    turn         the seat to move; when the game is over, the last one that moved
    chosen       in phase `raise`, the space of the tile to pay for; otherwise NO_SPACE
    bankrupt     the bankrupt seats, in the order they went bankrupt
    last_spike   the seat that laid it, or NOBODY

    `finished` and `market` follow from `track` and `land`; they are stored because the
    rules need them at every move.
    """

    __slots__ = (
        "bankrupt",
        "board",
        "cash",
        "chosen",
        "finished",
        "land",
        "last_spike",
        "market",
        "phase",
        "setup",
        "track",
        "turn",
    )

    setup: Setup
    board: Board
    track: int
    finished: int
    land: list[int]
    market: list[int]
    cash: list[int]
    turn: Seat
    phase: Phase
    chosen: int
    bankrupt: tuple[Seat, ...]
    last_spike: Seat

    def __init__(self, setup: Setup, first: Seat) -> None:
        board = setup.board
        self.setup = setup
        self.board = board
        self.track = CITIES_BIT
        self.finished = 0
        self.land = [BANK] * len(board.prices)
        self.market = [NOT_FOR_SALE] * len(board.city_codes)
        self.cash = [board.edition.starting_cash[setup.players]] * setup.players
        self.turn = first
        self.phase = "lay"
        self.chosen = NO_SPACE
        self.bankrupt = ()
        self.last_spike = NOBODY

    def copy(self) -> Table:
        new = _new_table(Table)
        new.setup = self.setup
        new.board = self.board
        new.track = self.track
        new.finished = self.finished
        new.land = self.land[:]
        new.market = self.market[:]
        new.cash = self.cash[:]
        new.turn = self.turn
        new.phase = self.phase
        new.chosen = self.chosen
        new.bankrupt = self.bankrupt
        new.last_spike = self.last_spike
        return new

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in Table.__slots__)

    __hash__ = None  # type: ignore[assignment]

    @property
    def turns(self) -> int:
        """The number of turns in which a tile has been laid."""
        return self.track.bit_count() - 1

    def in_game(self, seat: Seat) -> bool:
        return seat not in self.bankrupt

    def cards_of(self, city: City) -> list[int]:
        """The holders of a city's five cards, by rank."""
        return self.land[city * CARDS_A_CITY : (city + 1) * CARDS_A_CITY]


_new_table = Table.__new__


def pay(table: Table, seat: Seat, amount: int) -> None:
    """The bank pays a player, or a player the bank where the amount is negative.

    The one door for money: during play nothing else writes cash.
    """
    table.cash[seat] += amount


def restock(table: Table, city: City) -> None:
    """Bring the market price of a city up to date with its cards (B1)."""
    first = city * CARDS_A_CITY
    cards = table.land[first : first + CARDS_A_CITY]
    if cards[0] == BANK or BANK not in cards:
        table.market[city] = NOT_FOR_SALE
    else:
        table.market[city] = table.board.prices[first + cards.index(BANK)]
