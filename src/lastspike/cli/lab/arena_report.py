"""The printed report of an arena: tables, charts, and a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Column, Table

from lastspike.bots.levels import shown_name
from lastspike.lab.arena.statistics import Interval

CHART = 40
"""The width of a ladder's chart in columns."""


def match_parts(figures: Mapping[str, Any]) -> Iterator[str | Table]:
    """The duels of a match, one after the other, each with its verdict last."""
    settings = figures["settings"]
    for duel in figures["duels"]:
        yield _who(duel, settings["players"])
        yield _about(settings, duel["deals"], duel["games"])
        yield ""
        yield _sides(duel)
        yield ""
        names = dict.fromkeys([duel["player"], *duel["others"]])
        times = {name: figures["timings"]["turns"][name] for name in names}
        yield _game_figures(duel, times)
        yield ""
        yield from _fault_lines(figures["faults"])
        yield _sentence(duel)
        if duel is not figures["duels"][-1]:
            yield ""


def ladder_parts(figures: Mapping[str, Any]) -> Iterator[str | Table]:
    """The ladder as a chart, best player first."""
    settings, ladder = figures["settings"], figures["ladder"]
    rungs = ladder["rungs"]
    yield f"Ladder of {len(rungs)} players"
    yield _about(settings, ladder["deals"], ladder["games"])
    yield ""
    yield _chart(rungs)
    yield ""
    yield _standings(rungs, figures["timings"]["turns"])
    yield ""
    yield _game_figures(ladder, {})
    yield from _fault_lines(figures["faults"])


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _who(duel: Mapping[str, Any], players: int) -> str:
    others = [shown_name(name) for name in duel["others"]]
    if len(others) == 1:
        many = f"{players - 1} × " if players > 2 else ""
        return f"{shown_name(duel['player'])} against {many}{others[0]}"
    seated = [others[place % len(others)] for place in range(players - 1)]
    return f"{shown_name(duel['player'])} against {', '.join(seated)}"


def _about(settings: Mapping[str, Any], deals: int, games: int) -> str:
    seed = settings["seed"] if settings["seed"].isprintable() else ascii(settings["seed"])
    options = settings["options"]
    each = f"{deals:,} deals, each in every seat: {games:,} games of {settings['players']} players"
    chosen = f"double cost {options['double_cost']}, cash {options['cash']}"
    return f"{each}\nedition {settings['edition']}, {chosen}, seed {seed}"


def _sides(duel: Mapping[str, Any]) -> Table:
    """The player's figures beside the others', which are per seat."""
    others = duel["others"]
    name = f"other {shown_name(others[0])}" if duel["player"] in others else shown_name(others[0])
    mine, theirs = duel["of_player"], duel["of_others"]
    games, seats = duel["games"], round(1 / duel["fair_share"]) - 1
    share = duel["win_share"]
    table = Table.grid(
        "", Column(justify="right"), Column(justify="right"), padding=(0, 3), collapse_padding=True
    )
    table.add_row("", shown_name(duel["player"]), name if len(others) == 1 else "the others")
    table.add_row("Wins, for a seat", percent(share["mean"]), percent((1 - share["mean"]) / seats))
    table.add_row("  95 % interval", _interval(share), "")
    table.add_row("Fair share", percent(duel["fair_share"]), percent(duel["fair_share"]))
    table.add_row("Final cash, mean", _dollars(mine["mean_cash"]), _dollars(theirs["mean_cash"]))
    for title, key in {"Bankrupt": "bankruptcies", "Drove the last spike": "last_spikes"}.items():
        table.add_row(title, percent(mine[key] / games), percent(theirs[key] / (games * seats)))
    table.add_row("  and won with it", _part_won(mine), _part_won(theirs))
    return table


def _game_figures(figures: Mapping[str, Any], times: Mapping[str, Any]) -> Table:
    table = Table.grid(padding=(0, 3))
    if "win_share_by_seat" in figures:
        seats = enumerate(figures["win_share_by_seat"], 1)
        table.add_row(
            "Wins by seat, in %", "  ".join(f"{s}: {_points(share)}" for s, share in seats)
        )
    advantage = figures["first_player_advantage"]
    margin = "" if advantage["high"] is None else f" ± {_points(Interval(**advantage).margin)}"
    table.add_row("First player's advantage", f"{100 * advantage['mean']:+.1f}{margin} points")
    turns = figures["turns"]
    length = f"{turns['mean']:.1f} turns, from {turns['shortest']} to {turns['longest']}"
    table.add_row("Length of a game", length)
    ended = [f"{reason} {count:,}" for reason, count in figures["ended"].items() if count]
    table.add_row("Ended by", ", ".join(ended) + f"; shared wins {figures['shared_wins']:,}")
    for name, turns in times.items():
        median, slow = _time(turns["median"]), _time(turns["percentile_99"])
        table.add_row(f"Time a turn, {shown_name(name)}", f"median {median}, 99th of 100 {slow}")
    return table


def _sentence(duel: Mapping[str, Any]) -> str:
    share = duel["win_share"]
    who = shown_name(duel["player"])
    fair = f"fair share {100 * duel['fair_share']:.3g} %"
    if share["high"] - share["low"] >= 1:
        return f"{who} wins {percent(share['mean'])}, {fair}: too few deals to say more."
    margin = max(share["high"] - share["mean"], share["mean"] - share["low"])
    said = f"{percent(share['mean'])} ± {_points(margin)}"
    return f"{who} wins {said}, {fair}: {duel['verdict']}."


def _chart(rungs: Sequence[Mapping[str, Any]]) -> Table:
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
        margin = "" if rating["high"] is None else f" ± {rating['high'] - rating['mean']:.1f}"
        table.add_row(shown_name(rung["name"]), f"{rating['mean']:.1f}{margin}", "".join(line))
    return table


def _standings(rungs: Sequence[Mapping[str, Any]], times: Mapping[str, Any]) -> Table:
    right = [Column(justify="right") for _ in range(4)]
    table = Table.grid("", *right, padding=(0, 2))
    table.add_row("", "seats", "wins, for a seat", "95 % interval", "time a turn")
    for rung in rungs:
        share, turns = rung["win_share"], times[rung["name"]]
        table.add_row(
            shown_name(rung["name"]),
            f"{rung['seats']:,}",
            percent(share["mean"]),
            _interval(share),
            _time(turns["median"]),
        )
    return table


def _fault_lines(faults: Mapping[str, Any]) -> Iterator[str]:
    for name, found in faults.items():
        first = found["first"]
        where = f"deal {first['deal']}, game {first['arrangement'] + 1}, seat {first['seat'] + 1}"
        count = "1 fault" if found["count"] == 1 else f"{found['count']:,} faults"
        yield (
            f"{shown_name(name)} made {count}, and random moves stood in. "
            f"The first, in {where}: {first['what']}"
        )


def _interval(share: Mapping[str, float]) -> str:
    return f"{100 * share['low']:.1f}–{100 * share['high']:.1f} %"


def _points(share: float) -> str:
    return f"{100 * share:.1f}"


def _dollars(amount: float) -> str:
    return f"${amount:,.0f}"


def _part_won(side: Mapping[str, Any]) -> str:
    spikes = side["last_spikes"]
    return percent(side["last_spikes_that_won"] / spikes) if spikes else "-"


def _time(seconds: float) -> str:
    milliseconds = 1000 * seconds
    return f"{milliseconds:.2f} ms" if milliseconds < 10 else f"{milliseconds:,.0f} ms"
