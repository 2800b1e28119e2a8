"""Runs a game in the terminal: turns are composed, confirmed and saved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lastspike.bots.external.guard import Guarded
from lastspike.bots.levels import make_player
from lastspike.rules.board import Seat
from lastspike.rules.errors import MoveError, UnknownMove
from lastspike.rules.events import Bankruptcy, Event, PoolMixed, TileDrawn, TurnSkipped
from lastspike.rules.moves import Move
from lastspike.rules.records.turns import events_by_turn
from lastspike.rules.view import Preview, View, preview
from lastspike.words.events import Teller
from lastspike.words.language import Words
from lastspike.words.questions import Questions
from lastspike.words.typed import in_english, shown_word

from . import board
from .hints import hint
from .saved import Saved, save
from .screen import Screen

QUICK = ("greenhorn", "clerk", "surveyor")
"""Levels that answer at once, so no "is thinking" line is shown."""


class Session:
    """Plays a saved game on a screen. Every turn is saved before it is shown."""

    def __init__(self, saved: Saved, path: Path, screen: Screen, words: Words) -> None:
        self.saved = saved
        self.game = saved.game
        self.players = saved.players
        self.path = path
        self.screen = screen
        self.words = words
        names = [player.name for player in saved.players]
        people = [seat for seat, player in enumerate(saved.players) if player.is_person]
        own = people[0] if len(people) == 1 else None  # people who share a screen read names
        self.teller = Teller(self.game.setup.edition, names, words, own)
        self.labels = [player.label(words) for player in saved.players]
        cities = self.game.setup.edition.cities
        self.city_names = {city.code: city.name_in(words.language) for city in cities}
        self.needs_curtain = len(people) > 1 and self.game.setup.options.hands == "hidden"

    def run(self) -> None:
        """Play to the end. Raises `Quit` if a person quits; the game is saved by then."""
        while (seat := self.game.turn) is not None:
            moves = (self._person if self.players[seat].is_person else self._computer)(seat)
            events = [event for move in moves for event in self.game.play(move)]
            save(self.path, self.saved)
            self._tell_who_is_out(events)
        self._show_the_end()

    def _computer(self, seat: Seat) -> list[Move]:
        """A computer player's turn; its seed makes it the same after resuming."""
        player = self.players[seat]
        if player.kind not in QUICK:
            self.screen.say(self.words.say("{player} is thinking…", player=player.name))
        seed = f"{self.saved.shuffle.seed.hex()}/{seat}/{len(self.game.moves)}"
        computer = make_player(player.kind, seed)
        if isinstance(computer, Guarded):
            computer.tell = lambda fault: self.screen.page([self.words.error(fault)])
        try:
            return computer.turn(self.game.view(seat))
        finally:
            computer.close()

    def _person(self, seat: Seat) -> list[Move]:
        """A person's whole turn, composed with previews and confirmed."""
        view = self.game.view(seat)
        name = self.players[seat].name
        if self.needs_curtain:
            self.screen.curtain([self.words.say("{player}, it’s your turn.", player=name)])
        since = self._since(view)
        if since:
            heading = self.words.say("{player}, since your last turn:", player=name)
            self.screen.page([heading, "", *since])
        composed: list[Move] = []
        shown: list[Move] | None = None
        message = ""
        while True:
            ahead = preview(view, composed)
            if self.screen.plain and composed == shown:  # don't repeat the board
                self.screen.say(*([message] if message else []))
            elif ahead.turn_over:
                self.screen.page([*self._what_it_brings(view, ahead), message], wait=False)
            else:
                self.screen.board(
                    board.lines(self.screen, self.teller, self.labels, view, ahead, message)
                )
            shown = composed.copy()
            text = self.screen.ask(board.question(self.words, ahead))
            if ahead.turn_over and in_english(text, self.words) in ("", "yes"):
                return composed
            message = self._act(text, view, ahead, composed, since)

    def _act(
        self, text: str, view: View, ahead: Preview, composed: list[Move], since: Sequence[str]
    ) -> str:
        """Handle what was typed: a question, moves, or back. Returns a message to show."""
        words = self.words
        text = in_english(text, words)
        phase = ahead.table.phase
        questions = Questions(view._replace(table=ahead.table), self.teller, since, self.labels)
        match text:
            case "?" | "help":
                self.screen.page(board.help_lines(words, self.game.setup.edition))
                return ""
            case "hint":
                self.screen.page(hint(self.teller, view, composed))
                return ""
            case "back":
                if not composed:
                    return words.say("There’s nothing to undo.")
                composed.pop()
                return ""
        city = questions.city_called(text.removeprefix("+"))
        if city is not None and phase == "buy" and not ahead.turn_over:
            text = self.game.setup.board.buys[city].text
        else:
            answer = questions.answer(text)
            if answer is not None:
                self.screen.page(answer)
                return ""
        if ahead.turn_over:
            return words.say(
                "Press Enter to play this turn, or type “{back}” to change it.",
                back=shown_word("back", words),
            )
        try:
            # A whole turn may be typed at once.
            for part in text.split() or [""]:
                phase = preview(view, composed).table.phase
                move = self.game.setup.board.parse(move_text(in_english(part, words), phase))
                preview(view, [*composed, move])
                composed.append(move)
        except UnknownMove:
            choices = self.teller.series(short_text(move) for move in ahead.legal_moves)
            return words.say("Type one of {choices}, or ? for help.", choices=choices)
        except MoveError as error:
            return words.error(error, self.city_names)
        return ""

    def _what_it_brings(self, view: View, ahead: Preview) -> list[str]:
        """What the composed turn will cost and pay."""
        words = self.words
        seat = view.table.turn
        before, after = view.table.cash[seat], ahead.table.cash[seat]
        return [
            words.say("Your turn would be:"),
            "",
            *self.teller.tell(ahead.events),
            "",
            words.say(
                "Your cash: {before} now, {after} after this turn.",
                before=words.money(before),
                after=words.money(after),
            ),
        ]

    def _since(self, view: View) -> list[str]:
        """What happened since the viewer's last turn, including the tile drawn at its end."""
        groups = [events for _, events in events_by_turn(view.history)]
        own = [place for place, group in enumerate(groups) if _mover(group) == view.seat]
        if not own:
            return self.teller.tell(event for group in groups for event in group)
        between = (TileDrawn, TurnSkipped, Bankruptcy, PoolMixed)
        events = [event for event in groups[own[-1]] if isinstance(event, between)]
        return self.teller.tell(events + [e for group in groups[own[-1] + 1 :] for e in group])

    def _is_persons(self, group: Sequence[Event]) -> bool:
        seat = _mover(group)
        return seat is not None and self.players[seat].is_person

    def _tell_who_is_out(self, events: Sequence[Event]) -> None:
        """Show a person's bankruptcy at once: they will have no later turn to see it in."""
        for event in events:
            if isinstance(event, Bankruptcy) and self.players[event.seat].is_person:
                self.screen.page(self.teller.tell([event]))

    def _show_the_end(self) -> None:
        words = self.words
        outcome = self.game.outcome
        assert outcome is not None
        groups = [events for _, events in events_by_turn(self.game.history)]
        people = [n for n, group in enumerate(groups) if self._is_persons(group)]
        # Show everything since a person's last turn: nobody has seen it yet.
        since = groups[people[-1] + 1 :] if people and people[-1] + 1 < len(groups) else groups[-1:]
        told = self.teller.tell(event for group in since for event in group)
        if aside := [self.game.setup.board.codes[tile] for tile in self.game.deal.aside]:
            told.append(words.say("Set aside unseen: {tiles}.", tiles=self.teller.series(aside)))
        labelled = Teller(self.teller.edition, self.labels, words, self.teller.own)
        told += ["", words.say("Final scores:"), *labelled.ranking(outcome)]
        self.screen.page(told, wait=False)


def move_text(text: str, phase: str) -> str:
    """The typed text as a move: case, a missing sign and an empty line are handled."""
    text = text.upper()
    if phase == "buy":
        if text in ("", "PASS", "-"):
            return "pass"
        return text if text.startswith("+") else f"+{text}"
    if phase == "raise" and not text.startswith("-"):
        return f"-{text}"
    return text


def short_text(move: Move) -> str:
    """A move as it may be typed, without its sign."""
    return move.text.lstrip("+-")


def _mover(group: Sequence[Event]) -> Seat | None:
    return getattr(group[0], "seat", None)
