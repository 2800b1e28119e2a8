"""The printed report of an arena: duels with their verdicts, or a ladder as a chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Column, Table

from lastspike.lab.arena.sequential import FEWEST_DEALS
from lastspike.lab.arena.statistics import Interval
from lastspike.words.language import Words
from lastspike.words.names import ending_name, player_name

CHART = 40
"""The width of a ladder's chart in columns."""
NONE = "–"
"""Shown in place of a missing figure."""


class ArenaReport:
    """The figures of an arena in one language."""

    def __init__(self, figures: Mapping[str, Any], words: Words) -> None:
        self.figures = figures
        self.words = words

    def parts(self) -> Iterator[str | Table]:
        return self._ladder() if "ladder" in self.figures else self._match()

    def _match(self) -> Iterator[str | Table]:
        """The duels of a match, one after the other, each with its verdict last."""
        figures = self.figures
        for duel in figures["duels"]:
            yield self._who(duel)
            yield from self._about(duel["deals"], duel["games"])
            yield ""
            yield self._sides(duel)
            yield ""
            names = dict.fromkeys([duel["player"], *duel["others"]])
            times = {name: figures["timings"]["turns"][name] for name in names}
            yield self._game_figures(duel, times)
            yield ""
            yield from self._fault_lines()
            yield self._verdict(duel)
            if duel is not figures["duels"][-1]:
                yield ""

    def _ladder(self) -> Iterator[str | Table]:
        """The ladder as a chart, best player first."""
        ladder = self.figures["ladder"]
        rungs = ladder["rungs"]
        yield self.words.count("Ladder of {n} player", "Ladder of {n} players", len(rungs))
        yield from self._about(ladder["deals"], ladder["games"])
        yield ""
        yield self._chart(rungs)
        yield ""
        yield self._standings(rungs)
        yield ""
        yield self._game_figures(ladder, {})
        yield from self._fault_lines()

    def _who(self, duel: Mapping[str, Any]) -> str:
        words, seats = self.words, self.figures["settings"]["players"] - 1
        others = [self._name(name) for name in duel["others"]]
        told = words.series(others[place % len(others)] for place in range(seats))
        if len(others) == 1 and seats > 1:
            told = words.say("{n} × {player}", n=seats, player=others[0])
        player = self._name(duel["player"])
        return words.say("{player} against {others}", player=player, others=told)

    def _about(self, deals: int, games: int) -> Iterator[str]:
        say, number = self.words.say, self.words.number
        settings = self.figures["settings"]
        seed = settings["seed"] if settings["seed"].isprintable() else ascii(settings["seed"])
        yield say(
            "Deals: {deals}, each played from every seat ({games} games, {players} players)",
            deals=number(deals),
            games=number(games),
            players=settings["players"],
        )
        yield say(
            "Edition: {edition}. Double cost: {double_cost}. Cash: {cash}. Seed: {seed}",
            edition=settings["edition"],
            seed=seed,
            **settings["options"],
        )

    def _sides(self, duel: Mapping[str, Any]) -> Table:
        """The player's figures beside the others', which are per seat."""
        say, others = self.words.say, duel["others"]
        name = self._name(others[0])
        if len(others) > 1:
            name = say("others")
        elif duel["player"] in others:
            name = say("other {player}", player=name)
        mine, theirs = duel["of_player"], duel["of_others"]
        games, seats = duel["games"], round(1 / duel["fair_share"]) - 1
        share, fair = duel["win_share"], self._percent(duel["fair_share"])
        right = Column(justify="right"), Column(justify="right")
        table = Table.grid("", *right, padding=(0, 3), collapse_padding=True)
        table.add_row("", self._name(duel["player"]), name)
        wins = self._percent(share["mean"]), self._percent((1 - share["mean"]) / seats)
        table.add_row(say("Wins per seat"), *wins)
        table.add_row("  " + say("95% interval"), self._interval(share), "")
        if "without_luck" in duel:
            found = duel["without_luck"]
            table.add_row(say("Without luck"), self._percent(found["win_share"]["mean"]), "")
            table.add_row("  " + say("95% interval"), self._interval(found["win_share"]), "")
            if found["games_needed"] is not None:
                needed = self._percent(found["games_needed"])
                table.add_row("  " + say("games needed for the same precision"), needed, "")
        table.add_row(say("Fair share"), fair, fair)
        cash = (self.words.money(round(side["mean_cash"])) for side in (mine, theirs))
        table.add_row(say("Mean final cash"), *cash)
        rows = {say("Went bankrupt"): "bankruptcies", say("Drove the last spike"): "last_spikes"}
        for title, key in rows.items():
            parts = mine[key] / games, theirs[key] / (games * seats)
            table.add_row(title, *map(self._percent, parts))
        table.add_row("  " + say("and won"), self._part_won(mine), self._part_won(theirs))
        return table

    def _game_figures(self, figures: Mapping[str, Any], times: Mapping[str, Any]) -> Table:
        words, say = self.words, self.words.say
        table = Table.grid(padding=(0, 3))
        if "win_share_by_seat" in figures:
            seats = enumerate(figures["win_share_by_seat"], 1)
            shares = (f"{seat}: {self._points(share)}" for seat, share in seats)
            table.add_row(say("Wins by seat, in %"), "  ".join(shares))
        table.add_row(say("First player’s advantage"), self._advantage(figures))
        turns = figures["turns"]
        length = say(
            "{mean} turns on average ({shortest}–{longest})",
            mean=words.number(turns["mean"], 1),
            shortest=turns["shortest"],
            longest=turns["longest"],
        )
        table.add_row(say("Game length"), length)
        ended = (
            say("{reason} {count}", reason=ending_name(reason, words), count=words.number(count))
            for reason, count in figures["ended"].items()
            if count
        )
        table.add_row(say("Games ended by"), words.series(ended))
        table.add_row(say("Shared wins"), words.number(figures["shared_wins"]))
        for name, turns in times.items():
            table.add_row(
                say("Time per turn, {player}", player=self._name(name)),
                say(
                    "median {median}, 99th percentile {slow}",
                    median=self._time(turns["median"]),
                    slow=self._time(turns["percentile_99"]),
                ),
            )
        return table

    def _advantage(self, figures: Mapping[str, Any]) -> str:
        found = figures["first_player_advantage"]
        sign = "+" if found["mean"] >= 0 else ""
        points = f"{sign}{self._points(found['mean'])}"
        if found["high"] is None:
            return self.words.say("{points} points", points=points)
        margin = self._points(Interval(**found).margin)
        return self.words.say("{points} ± {margin} points", points=points, margin=margin)

    def _verdict(self, duel: Mapping[str, Any]) -> str:
        say, share = self.words.say, duel["win_share"]
        fair = duel["fair_share"]
        digits = 0 if abs(100 * fair - round(100 * fair)) < 1e-9 else 1
        facts = {
            "player": self._name(duel["player"]),
            "share": self._percent(share["mean"]),
            "fair": self.words.percent(fair, digits),
        }
        if duel["verdict"] == "no verdict":
            return self._no_verdict(duel, facts)
        if self.figures["settings"]["decide"] is not None:
            return self._decided(duel, facts)
        if "without_luck" in duel:
            share = duel["without_luck"]["win_share"]
            facts["share"] = self._percent(share["mean"])
        margin = max(share["high"] - share["mean"], share["mean"] - share["low"])
        facts["margin"] = self._points(margin)
        match duel["verdict"]:
            case "clearly stronger":
                return say(
                    "{player} wins {share} ± {margin} (fair share: {fair}): clearly stronger.",
                    **facts,
                )
            case "clearly weaker":
                return say(
                    "{player} wins {share} ± {margin} (fair share: {fair}): clearly weaker.",
                    **facts,
                )
            case _:
                return say(
                    "{player} wins {share} ± {margin} (fair share: {fair}): no clear difference.",
                    **facts,
                )

    def _no_verdict(self, duel: Mapping[str, Any], facts: Mapping[str, str]) -> str:
        say = self.words.say
        match duel["why_none"]:
            case "never ran":
                names = self.words.series(map(self._name, duel["never_ran"]))
                return say(
                    "No verdict: {players} never chose a move; every move was random.",
                    players=names,
                )
            case "too few deals":
                return say(
                    "{player} wins {share} (fair share: {fair}). No verdict: it takes {n} deals or "
                    "more.",
                    n=FEWEST_DEALS,
                    **facts,
                )
            case "no spread":
                return say(
                    "{player} wins {share} (fair share: {fair}) in every deal. No verdict: without "
                    "differences between the deals, there is no margin of error.",
                    **facts,
                )
            case _:
                return say(
                    "{player} wins {share} (fair share: {fair}). No verdict: {deals} deals were "
                    "too few to decide.",
                    deals=self.words.number(duel["deals"]),
                    **facts,
                )

    def _decided(self, duel: Mapping[str, Any], facts: Mapping[str, str]) -> str:
        """The verdict of a sequential test, whose interval would be too narrow."""
        say, deals = self.words.say, self.words.number(duel["deals"])
        points = self._points(self.figures["settings"]["decide"])
        match duel["verdict"]:
            case "clearly stronger":
                return say(
                    "{player} wins {share} (fair share: {fair}): clearly stronger, decided after "
                    "{deals} deals.",
                    deals=deals,
                    **facts,
                )
            case "clearly weaker":
                return say(
                    "{player} wins {share} (fair share: {fair}): clearly weaker, decided after "
                    "{deals} deals.",
                    deals=deals,
                    **facts,
                )
            case _:
                return say(
                    "{player} wins {share} (fair share: {fair}): no difference of {points} points "
                    "or more, decided after {deals} deals.",
                    deals=deals,
                    points=points,
                    **facts,
                )

    def _chart(self, rungs: Sequence[Mapping[str, Any]]) -> Table:
        """Each rating as a dot on its interval, on a common scale."""
        ends = [value for rung in rungs for value in rung["rating"].values() if value is not None]
        low, high = min(ends), max(ends)
        step = (high - low) / (CHART - 1) or 1.0
        table = Table.grid("", Column(justify="right"), "", padding=(0, 2))
        for rung in rungs:
            rating = rung["rating"]
            line = [" "] * CHART
            if rating["low"] is not None:
                begin, end = (round((rating[side] - low) / step) for side in ("low", "high"))
                line[begin : end + 1] = "─" * (end + 1 - begin)
                line[begin], line[end] = "├", "┤"
            line[round((rating["mean"] - low) / step)] = "●"
            told = self.words.number(rating["mean"], 1)
            if rating["high"] is not None:
                told += f" ± {self.words.number(rating['high'] - rating['mean'], 1)}"
            table.add_row(self._name(rung["name"]), told, "".join(line))
        return table

    def _standings(self, rungs: Sequence[Mapping[str, Any]]) -> Table:
        say, times = self.words.say, self.figures["timings"]["turns"]
        right = [Column(justify="right") for _ in range(4)]
        table = Table.grid("", *right, padding=(0, 2))
        headings = [say("seats"), say("wins per seat"), say("95% interval"), say("time per turn")]
        table.add_row("", *headings)
        for rung in rungs:
            share = rung["win_share"]
            table.add_row(
                self._name(rung["name"]),
                self.words.number(rung["seats"]),
                self._percent(share["mean"]),
                self._interval(share),
                self._time(times[rung["name"]]["median"]),
            )
        return table

    def _fault_lines(self) -> Iterator[str]:
        for name, found in self.figures["faults"].items():
            first = found["first"]
            yield self.words.count(
                "{player} made {n} error; a random move was played instead.",
                "{player} made {n} errors; random moves were played instead.",
                found["count"],
                player=self._name(name),
            )
            yield self.words.say(
                "The first, in deal {deal}, game {game}, seat {seat}: {what}",
                deal=first["deal"] + 1,
                game=first["arrangement"] + 1,
                seat=first["seat"] + 1,
                what=first["what"],
            )

    def _name(self, name: str) -> str:
        return player_name(name, self.words)

    def _percent(self, share: float) -> str:
        return self.words.percent(share, 1)

    def _points(self, share: float) -> str:
        return self.words.number(100 * share, 1)

    def _interval(self, share: Mapping[str, float]) -> str:
        return f"{self._points(share['low'])}–{self._percent(share['high'])}"

    def _part_won(self, side: Mapping[str, Any]) -> str:
        spikes = side["last_spikes"]
        return self._percent(side["last_spikes_that_won"] / spikes) if spikes else NONE

    def _time(self, seconds: float) -> str:
        milliseconds = 1000 * seconds
        return f"{self.words.number(milliseconds, 2 if milliseconds < 10 else 0)} ms"
