"""The printed report of a review: charts, tables, and better turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from rich.table import Column, Table

from lastspike.review.estimates import Estimate
from lastspike.review.facts import payouts_by
from lastspike.review.run_review import Review, TurnReview
from lastspike.rules.records.record import Record
from lastspike.words.events import Teller, player_names
from lastspike.words.hints import tell_reason
from lastspike.words.language import Words

BARS = "▁▂▃▄▅▆▇█"


def report(reviewed: Review, record: Record, words: Words, turns: bool) -> Iterator[str | Table]:
    """All parts in order; `turns` adds the list of every turn."""
    made = _Report(reviewed, record, words)
    parts = [made.result(), made.chances(), made.money(), made.payouts("route")]
    parts += [made.payouts("city"), made.land(), made.deciding(), made.luck(), made.losses()]
    for part in [*parts, made.turns()] if turns else parts:
        yield from part


def chart(values: Iterable[float], most: float) -> str:
    """A line of bars, one per value; `most` is the full height."""
    top = len(BARS) - 1
    return "".join(BARS[max(0, min(top, round(top * value / (most or 1))))] for value in values)


class _Report:
    def __init__(self, reviewed: Review, record: Record, words: Words) -> None:
        setup = record.game.setup
        self.review = reviewed
        self.record = record
        self.words = words
        self.names = player_names(setup.players, record.raw, words)
        self.teller = Teller(setup.edition, self.names, words)

    def result(self) -> Iterator[str | Table]:
        words, setup = self.words, self.record.game.setup
        yield words.count(
            "{n} player · {edition}",
            "{n} players · {edition}",
            setup.players,
            edition=setup.edition.name,
        )
        outcome = self.record.game.outcome
        assert outcome is not None
        yield from self.teller.ranking(outcome)

    def chances(self) -> Iterator[str | Table]:
        say = self.words.say
        yield from self._heading(say("Chance to win, turn by turn"))
        table = _grid(left=(0, 2))
        moments = self.review.chances
        table.add_row("", say("after the deal"), "", say("at the end"))
        for seat, name in enumerate(self.names):
            line = [moment.chances[seat] for moment in moments]
            table.add_row(name, self._percent(line[0]), chart(line, 1.0), self._percent(line[-1]))
        yield table
        error = max(moment.error for moment in moments)
        yield self.words.count(
            "Each is accurate to about ±{n} point.",
            "Each is accurate to about ±{n} points.",
            round(100 * error),
        )

    def money(self) -> Iterator[str | Table]:
        say, say_as, facts = self.words.say, self.words.say_as, self.review.facts
        yield from self._heading(say("Cash, and cash plus price of land"))
        most = max(max(standing.wealth) for standing in facts.standings)
        table = _grid(columns=4, left=(0, 1, 2))
        for seat, name in enumerate(self.names):
            cash = [standing.cash[seat] for standing in facts.standings]
            wealth = [standing.wealth[seat] for standing in facts.standings]
            end = self.words.money
            table.add_row(name, say("cash"), chart(cash, most), end(cash[-1]))
            table.add_row("", say("cash and land"), chart(wealth, most), end(wealth[-1]))
        yield table
        yield ""
        table = _grid(columns=1 + len(self.names))
        table.add_row("", *self.names)
        accounts = facts.accounts
        lines = {
            say_as("account", "start"): [account.start for account in accounts],
            say_as("account", "payouts"): [account.payouts for account in accounts],
            say_as("account", "bonus"): [account.bonus for account in accounts],
            say_as("account", "sales"): [account.sales for account in accounts],
            say_as("account", "tiles"): [-account.tiles for account in accounts],
            say_as("account", "land"): [-account.land for account in accounts],
            say_as("account", "lost to bankruptcy"): [-account.lost for account in accounts],
            say_as("account", "end"): [account.cash for account in accounts],
        }
        for title, amounts in lines.items():
            if any(amounts):
                table.add_row(title, *map(self._amount, amounts))
        yield table

    def payouts(self, thing: Literal["route", "city"]) -> Iterator[str | Table]:
        say = self.words.say
        title = say("Payouts by route") if thing == "route" else say("Payouts by city")
        yield from self._heading(title)
        sums = payouts_by(self.review.facts.payouts, thing, len(self.names))
        if not sums:
            yield self.words.say_as("payouts", "None.")
            return
        table = _grid(columns=1 + len(self.names))
        table.add_row("", *self.names)
        for code, amounts in sums.items():
            name = self.teller.city(code) if thing == "city" else self.teller.route(code)
            table.add_row(name, *(self._amount(amount) for amount in amounts))
        yield table

    def land(self) -> Iterator[str | Table]:
        """Every card that was held, grouped by player."""
        say, holdings = self.words.say, self.review.facts.holdings
        yield from self._heading(say("What land cost and earned"))
        table = _grid(columns=8, left=(0, 1))
        headings = [say("from turn"), say("cost"), say("earned"), say("sold for"), say("to turn")]
        table.add_row("", "", *headings, say("gain"))
        for holding in sorted(holdings, key=lambda holding: holding.seat):
            until = "" if holding.until is None else str(holding.until)
            amounts = map(self._amount, (holding.cost, holding.earned, holding.fetched))
            first = (self.names[holding.seat], holding.card, str(holding.since))
            table.add_row(*first, *amounts, until, self._amount(holding.profit))
        yield table
        yield say(
            "A card earns what it adds to each payout, counting cards in the order "
            "they were acquired."
        )

    def deciding(self) -> Iterator[str | Table]:
        words = self.words
        yield from self._heading(words.say("Turning points"))
        for turn in self.review.deciding:
            played = self.review.turns[turn.turn - 1]
            changes = words.series(
                words.say("{player} {points}", player=name, points=self._points(change))
                for name, change in zip(self.names, turn.change, strict=True)
                if round(100 * change)
            )
            yield words.say(
                "Turn {number}, {player}, {moves}: {changes} (in points)",
                number=turn.turn,
                player=self.names[turn.seat],
                moves=" ".join(played.moves),
                changes=changes,
            )
            if turn.by_play >= turn.by_luck:
                yield "  " + words.say("Due more to the moves than to the tile drawn.")
            else:
                yield "  " + words.say("Due more to the tile drawn than to the moves.")

    def luck(self) -> Iterator[str | Table]:
        say = self.words.say
        yield from self._heading(say("Luck and play, in percentage points of the chance to win"))
        table = _grid(columns=7)
        headings = [say("deal"), say("tiles drawn"), say("own play"), say("others’ play")]
        table.add_row("", say("fair share"), *headings, say("result"))
        for name, luck in zip(self.names, self.review.luck, strict=True):
            parts = map(self._with_error, (luck.deal, luck.draws, luck.own_play, luck.others_play))
            table.add_row(name, f"{100 * luck.fair:.0f}", *parts, f"{100 * luck.result:.0f}")
        yield table
        yield say(
            "Play is measured against a Surveyor that makes small random errors; "
            "playing like it scores 0."
        )

    def losses(self) -> Iterator[str | Table]:
        say = self.words.say
        yield from self._heading(say("Mistakes"))
        lost = [turn for turn in self.review.turns if turn.judgement.loss is not None]
        if not lost:
            yield say("None: no turn clearly lost two points or more.")
        for turn in sorted(lost, key=lambda turn: -turn.judgement.lead.mean):
            lead = turn.judgement.lead
            yield self.words.count(
                "Turn {number}, {player}: {moves} instead of {played} would have gained "
                "{n} point, ± {error}.",
                "Turn {number}, {player}: {moves} instead of {played} would have gained "
                "{n} points, ± {error}.",
                round(100 * lead.mean),
                number=turn.number,
                player=self.names[turn.seat],
                moves=" ".join(turn.judgement.other),
                played=" ".join(turn.moves),
                error=f"{100 * lead.error:.0f}",
            )
            if turn.judgement.hinted:
                yield "  " + say(
                    "The hint recommended the turn that was played, but it tried fewer possible "
                    "deals than this review."
                )
            for reason in turn.judgement.reasons:
                for sentence in tell_reason(self.teller, reason, self.names[turn.seat]):
                    yield f"  - {sentence}"

    def turns(self) -> Iterator[str | Table]:
        say = self.words.say
        yield from self._heading(say("Every turn"))
        table = _grid(columns=5, left=(1, 2, 3))
        table.add_row("", "", say("played"), say("best alternative"), say("lead, in points"))
        for turn in self.review.turns:
            played = " ".join(turn.moves)
            table.add_row(
                str(turn.number), self.names[turn.seat], played, self._other(turn), self._lead(turn)
            )
        yield table

    def _other(self, turn: TurnReview) -> str:
        if turn.judgement.forced:
            return self.words.say("no choice")
        other = turn.judgement.other
        return "–" if other == turn.moves else " ".join(other)

    def _heading(self, text: str) -> Iterator[str]:
        yield ""
        yield text
        yield "─" * len(text)

    def _amount(self, amount: int) -> str:
        return self.words.money(amount) if amount else "–"

    def _percent(self, share: float) -> str:
        return self.words.percent(share)

    def _points(self, share: float) -> str:
        points = round(100 * share)
        return ("+" if points > 0 else "") + self.words.number(points)

    def _with_error(self, found: Estimate) -> str:
        return f"{self._points(found.mean)} ± {self.words.number(100 * found.error)}"

    def _lead(self, turn: TurnReview) -> str:
        judgement = turn.judgement
        if judgement.forced or judgement.other == turn.moves:
            return ""
        return self._with_error(judgement.lead)


def _grid(columns: int = 4, left: Sequence[int] = (0,)) -> Table:
    """A table with right-aligned columns, except those in `left`."""
    return Table.grid(
        *(Column(justify="left" if c in left else "right") for c in range(columns)), padding=(0, 2)
    )
