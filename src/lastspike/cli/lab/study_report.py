"""The printed report of a study: tables and charts, every mean with its interval."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from lastspike.cli.charts import drawn, scale_of
from lastspike.cli.edition import shown
from lastspike.cli.progress import fault_lines
from lastspike.lab.arena.game_runner import Faults
from lastspike.lab.arena.statistics import Interval
from lastspike.lab.study import Findings, Study
from lastspike.rules.editions.edition import CARDS_A_CITY
from lastspike.words.language import Words
from lastspike.words.names import player_name

NONE = "–"
"""Shown in place of a missing figure."""


class Report:
    """A study in one language: a comparison of player numbers, then each number's figures."""

    def __init__(self, study: Study, words: Words) -> None:
        self.study = study
        self.words = words
        self.names = {c.code: c.name_in(words.language) for c in study.edition.cities}

    def parts(self) -> Iterator[RenderableType]:
        say, study = self.words.say, self.study
        yield Text(study.edition.name, style="bold")
        yield self.words.count(
            "{edition} played by {player}: {n} game for each number of players, seed {seed}",
            "{edition} played by {player}: {n} games for each number of players, seed {seed}",
            study.games,
            edition=study.edition.id,
            player=shown(player_name(study.player, self.words)),
            seed=shown(study.seed),
        )
        yield say("± and ├─┤ show 95% confidence intervals.")
        faults = [Faults(found.faults, found.first_fault) for found in study.findings]
        if lines := list(fault_lines(sum(faults, Faults()), self.words)):
            yield from map(Text, lines)
            yield say("So these figures don’t reflect that player alone.")
        yield from _section(say("Length of a game, in turns"), self._length())
        yield from _section(say("How games end, in %"), self._ending())
        yield from _section(
            say("The last spike: how often its player wins, in %"), self._last_spike()
        )
        for found in study.findings:
            yield from self._of_players(found)

    def _of_players(self, found: Findings) -> Iterator[RenderableType]:
        say = self.words.say
        yield ""
        yield Text(self.words.count("{n} player", "{n} players", found.players), style="bold")
        yield from _section(
            say("Wins by turn order, in % (┊ fair share)"), self._wins_in_order(found)
        )
        yield from _section(
            say("Routes: finished, and finished by the last spike, in %"), self._routes(found)
        )
        yield from _section(
            say("Cities: routes finished, and payouts per game in $1,000"), self._cities(found)
        )
        for title, cells in (
            (
                say("Land: profit per card, in $1,000"),
                [self._thousands(card.returned) for card in found.cards],
            ),
            (
                say("Land: games in which a card is bought, in %"),
                [self._percent(card.games) for card in found.cards],
            ),
            (
                say("Land: purchases that lose money, in %"),
                [self._percent(card.lost) for card in found.cards],
            ),
        ):
            yield from _section(title, self._by_rank(found, cells))
        yield from _section(say("Land: profit per dollar spent"), self._rates(found))

    def _length(self) -> Table:
        say = self.words.say
        table = _table(say("players"), say("mean"), say("quartiles"), say("range"), bars=True)
        scale = scale_of([found.length.mean for found in self.study.findings])
        for found in self.study.findings:
            mean, quartiles, shortest, longest = found.length
            table.add_row(
                str(found.players),
                self._with_margin(mean, digits=2),
                " ".join(self._short(value) for value in quartiles),
                f"{shortest}–{longest}",
                drawn(mean, scale),
            )
        return table

    def _ending(self) -> Table:
        say = self.words.say
        reasons = [say("last spike"), say("one player left"), say("no tiles left")]
        table = _table(
            say("players"), *reasons, say("bankruptcies per game"), say("routes finished")
        )
        for found in self.study.findings:
            table.add_row(
                str(found.players),
                *(self._percent(share) for share in found.ending.reasons.values()),
                self._with_margin(found.ending.bankruptcies, digits=2),
                self._with_margin(found.routes_finished),
            )
        return table

    def _last_spike(self) -> Table:
        say = self.words.say
        headings = [say("without the bonus"), say("the bonus decides")]
        table = _table(say("players"), say("wins"), *headings, say("fair share"))
        for found in self.study.findings:
            spike = found.last_spike
            shares = (spike.won, spike.won_without, spike.decided) if spike else (None,) * 3
            table.add_row(
                str(found.players),
                *map(self._percent, shares),
                self.words.number(100 * found.fair_share, 1),
            )
        return table

    def _wins_in_order(self, found: Findings) -> Table:
        table = _table("", "", bars=True)
        scale = scale_of(found.wins_in_order, found.fair_share)
        for place, share in enumerate(found.wins_in_order, 1):
            table.add_row(str(place), self._percent(share), drawn(share, scale, found.fair_share))
        return table

    def _cities(self, found: Findings) -> Table:
        table = _table("", "", "", bars=True)
        scale = scale_of([city.paid for city in found.cities])
        for city in found.cities:
            finished = f"{self._with_margin(city.finished, digits=2)} / {city.routes}"
            table.add_row(
                self.names[city.city], finished, self._thousands(city.paid), drawn(city.paid, scale)
            )
        return table

    def _by_rank(self, found: Findings, cells: Sequence[str]) -> Table:
        """One row per city, one column per rank; cells are ordered by city, then rank."""
        table = _table("", self.words.say("free land"), *map(str, range(1, CARDS_A_CITY)))
        for place, city in enumerate(found.cities):
            first = place * CARDS_A_CITY
            table.add_row(self.names[city.city], *cells[first : first + CARDS_A_CITY])
        return table

    def _rates(self, found: Findings) -> Table:
        table = _table("", "", bars=True)
        rates = [land.return_rate for land in found.land]
        scale = scale_of([rate for rate in rates if rate is not None])
        for land, rate in zip(found.land, rates, strict=True):
            table.add_row(
                self.names[land.city],
                self._with_margin(rate, digits=2),
                drawn(rate, scale, mark=0.0),
            )
        return table

    def _routes(self, found: Findings) -> Table:
        table = _table("", "", "", "", bars=True)
        scale = scale_of([route.finished for route in found.routes])
        for route in found.routes:
            table.add_row(
                route.route,
                "–".join(route.ends),
                self._percent(route.finished),
                self._percent(route.by_last_spike),
                drawn(route.finished, scale),
            )
        return table

    def _percent(self, share: Interval | None) -> str:
        return self._with_margin(share, per=0.01)

    def _thousands(self, dollars: Interval | None) -> str:
        return self._with_margin(dollars, per=1000)

    def _with_margin(self, figure: Interval | None, digits: int = 1, per: float = 1) -> str:
        """The mean and its margin, in units of `per`."""
        if figure is None:
            return NONE
        mean = self.words.number(figure.mean / per, digits)
        margin = figure.margin / per
        return f"{mean} ±{self.words.number(margin, digits)}" if math.isfinite(margin) else mean

    def _short(self, value: float) -> str:
        """A number with a decimal only if it needs one."""
        return self.words.number(value, 0 if value == int(value) else 1)


def _section(title: str, table: Table) -> Iterator[RenderableType]:
    yield ""
    yield Text(title, style="italic")
    yield table


def _table(*headings: str, bars: bool = False) -> Table:
    """A table of right-aligned figures; bars, if any, come last."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=any(headings))
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left")
    if bars:
        table.add_column(no_wrap=True, overflow="crop")
    return table
