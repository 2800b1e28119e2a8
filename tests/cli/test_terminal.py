"""Whole games in a real terminal of 80 columns and 24 rows: played, left, killed, resumed."""

from __future__ import annotations

import json
import re
import signal
from itertools import pairwise
from pathlib import Path

import pytest

from lastspike.cli.play.terminal.saved import load
from lastspike.languages import LANGUAGES
from lastspike.rules.editions.shipped import shipped
from lastspike.rules.events import TrackLaid
from lastspike.rules.records.record import Record, read_records
from lastspike.words.language import words_for
from lastspike.words.typed import shown_word

from .command import run
from .terminal import BUY, CONFIRM, GO_ON, LAY, OVER, READY, SELL, SETUP, WAITING, Terminal

SEED = ("--seed", "terminal")
ALONE = ("--people", "1", "--computers", "3", "--level", "greenhorn", "--name", "Ada", *SEED)
TWO = ("--name", "Ada", "--name", "Bo", "--computers", "1", "--level", "clerk", *SEED)
TILE = re.compile(r"\b[A-FU-Z][1-4]\b")


def play_on(terminal: Terminal, steps: int = 10_000) -> int:
    """Answer with the first thing offered until the game is over or so many answers are given."""
    while terminal.prompt != OVER and steps:
        if terminal.prompt == LAY:
            assert terminal.lines[0].startswith("Turn "), terminal.text
        terminal.type(terminal.usual_answer())
        steps -= 1
    return terminal.prompt


def read_only_record(folder: Path) -> Record:
    (path,) = folder.glob("games/*finished*.json")
    with path.open(encoding="utf-8") as file:
        (record,) = read_records(file)
    return record


def test_one_game_from_the_first_question_to_the_final_places(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *SEED)
    assert "How many people" in terminal.text
    assert terminal.prompt == SETUP
    terminal.type("")
    assert "How many computer players" in terminal.text
    terminal.type("3")
    assert "How strong? greenhorn, clerk, surveyor, speculator, tycoon [clerk]" in terminal.text
    terminal.type("captain")
    assert "There is no such level: captain" in terminal.text
    terminal.type("")
    terminal.type("Ada")
    assert "Together you build a railway from St. Louis to Sacramento." in terminal.text
    assert play_on(terminal) == OVER
    assert "Final scores:" in terminal.text
    assert terminal.exit_status() == 0
    record = read_only_record(tmp_path)
    assert record.game.over
    assert record.shuffle is not None
    assert record.raw["players"][0] == {"name": "Ada", "kind": "person"}
    assert not (tmp_path / "terminal-game.json").exists()


def test_no_screen_of_a_six_player_game_is_too_wide_or_too_high(tmp_path: Path) -> None:
    terminal = Terminal(
        tmp_path, "--computers", "5", "--level", "surveyor", "--name", "A" * 40, *SEED
    )
    boards = 0
    while terminal.prompt != OVER:
        if terminal.prompt in (LAY, BUY):
            boards += 1
            assert terminal.lines[0].startswith("Turn "), terminal.text
            for code in ("LAR", "SAC", "DEN", "STL", "ELP"):
                assert f"[{code} " in terminal.text
            assert ">1 AAAA" in terminal.text
        terminal.type(terminal.usual_answer())
    assert boards > 5


def test_a_refused_move_says_why_and_the_board_still_fits(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *ALONE)
    while terminal.prompt != LAY:
        terminal.type("")
    for nonsense in ("A9", "foo", "", "+"):
        terminal.type(nonsense)
        assert re.search(r"Type one of ([A-Z]\d(, )?)+, or \? for help\.", terminal.text)
    terminal.type("+DEN")
    assert "Lay a tile first (rule T1)" in terminal.text
    assert terminal.lines[0].startswith("Turn ")
    terminal.type("back")
    assert "There’s nothing to undo." in terminal.text


def test_a_turn_can_be_taken_back_until_it_is_played(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *ALONE)
    while terminal.prompt != LAY:
        terminal.type("")
    before = terminal.text
    terminal.type(terminal.usual_answer())
    assert terminal.prompt in (CONFIRM, BUY)
    terminal.type("back")
    assert terminal.text == before


def test_the_confirmation_says_what_the_turn_costs(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *ALONE)
    while terminal.prompt != CONFIRM:
        terminal.type(terminal.usual_answer())
    assert re.search(r"You lay [A-Z]\d \(.*\) for \$\d,000", terminal.text)
    assert re.search(r"Your cash: \$40,000 now, \$\d\d,000 after this turn\.", terminal.text)


def test_leaving_at_every_prompt_changes_nothing_of_the_game(tmp_path: Path) -> None:
    whole = Terminal(tmp_path / "whole", *ALONE)
    play_on(whole)
    left = Terminal(tmp_path / "left", *ALONE)
    leavings = 0
    while left.prompt != OVER:
        play_on(left, 4 + leavings % 5)  # a turn takes up to five answers
        if left.prompt != OVER:
            leavings += 1
            if leavings % 3 == 0:
                left.interrupt()
                assert left.child.exitstatus == 130
                assert "The game is saved." in left.text
            elif leavings % 3 == 1:
                left.kill()
            elif left.prompt in (LAY, BUY, CONFIRM):
                assert left.type("quit") == OVER
                assert "The game is saved." in left.text
            else:
                left.child.sendeof()
                assert left.wait() == OVER
            left = Terminal(tmp_path / "left")
            assert left.prompt == WAITING
            left.type("")
    assert leavings >= 8
    games = [read_only_record(tmp_path / name).game for name in ("whole", "left")]
    assert games[0].moves == games[1].moves
    assert games[0].position == games[1].position
    leftovers = [path.name for path in tmp_path.rglob(".*") if path.suffix != ".lock"]
    assert not leftovers


def test_the_curtain_hides_every_tile_between_people(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *TWO)
    curtains = 0
    while terminal.prompt != OVER and curtains < 8:
        if terminal.prompt == READY:
            curtains += 1
            assert re.search(r"(Ada|Bo), it’s your turn\.", terminal.text)
            assert not TILE.search(terminal.text), terminal.text
            assert "\x1b[3J" in terminal.output, "what scrolled off must go too"
            shown = terminal.output[terminal.output.rindex("\x1b[3J") :]
            assert not TILE.search(shown)
        terminal.type(terminal.usual_answer())
    assert curtains == 8


def test_what_one_person_sees_never_names_a_tile_of_another(tmp_path: Path) -> None:
    """Of all that is shown to Ada, the tiles marked as hers are those of her hand."""
    terminal = Terminal(tmp_path, *TWO)
    boards = 0
    while boards < 6:
        if terminal.prompt == LAY:
            boards += 1
            game = load(tmp_path / "terminal-game.json").game
            hand = {game.setup.board.codes[tile] for tile in game.position.hand}
            assert set(re.findall(r"([A-Z]\d)\*\d", terminal.text)) == hand
        terminal.type(terminal.usual_answer())


def test_plain_is_a_scroll_without_any_control_sequence(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *ALONE, "--plain")
    written = terminal.output
    for text in ("hand", "route V", "city DEN", "player 2", "since", "spike", "?"):
        terminal.type(text)
        written += terminal.output
    assert "Route V, Denver–Ogden:" in written
    assert "2, Otto (Greenhorn): $40,000, 4 tiles." in written
    assert "The free land goes to whoever lays the first tile next to the city." in written
    while terminal.prompt != OVER:
        terminal.type(plain_answer(terminal, written))
        written += terminal.output
    assert "Final scores:" in written
    assert "\x1b" not in written


def plain_answer(terminal: Terminal, written: str) -> str:
    """The first tile offered last; no purchase; the first card that the bank would buy."""
    headings = {LAY: "Your tiles:", SELL: "The bank pays half price:"}
    if terminal.prompt not in headings:
        return ""
    choices = written[written.rindex(headings[terminal.prompt]) :].splitlines()
    return next(line.split()[0] for line in choices[1:] if "not now" not in line)


def test_no_color_is_respected(tmp_path: Path) -> None:
    colour = re.compile(r"\x1b\[[\d;]*(3[0-7]|9[0-7])[\d;]*m")
    for variables, wanted in (({}, True), ({"NO_COLOR": "1"}, False)):
        terminal = Terminal(tmp_path / str(wanted), *ALONE, **variables)
        while terminal.prompt != LAY:
            terminal.type("")
        assert bool(colour.search(terminal.output)) is wanted
        terminal.kill()


def test_hidden_cash_shows_nobody_elses_total(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *ALONE, "--cash", "hidden")
    while terminal.prompt != LAY:
        terminal.type("")
    assert ">1 Ada $40,000" in terminal.text
    assert re.search(r" 2 Otto \(Greenhorn\) \? 4 tiles", terminal.text)
    terminal.type("player 2")
    assert "2, Otto (Greenhorn): cash hidden, 4 tiles." in terminal.text


def test_a_new_game_keeps_the_one_that_was_left(tmp_path: Path) -> None:
    first = Terminal(tmp_path, *ALONE)
    play_on(first, 6)
    first.kill()
    kept = (tmp_path / "terminal-game.json").read_text(encoding="utf-8")
    second = Terminal(tmp_path, *ALONE)
    assert second.prompt == WAITING
    second.type("new")
    assert "Your unfinished game is saved:" in second.text
    second.type("")
    second.kill()
    (left,) = tmp_path.glob("games/*left*.json")
    assert left.read_text(encoding="utf-8") == kept


def test_a_broken_saved_game_is_kept_and_told(tmp_path: Path) -> None:
    path = tmp_path / "terminal-game.json"
    path.write_text('{"format": "lastspike/1"', encoding="utf-8")
    terminal = Terminal(tmp_path, *ALONE)
    assert "This saved game can’t be read." in terminal.text
    terminal.type("")
    assert "Your unfinished game is saved:" in terminal.text
    (left,) = tmp_path.glob("games/*left*.json")
    assert left.read_text(encoding="utf-8") == '{"format": "lastspike/1"'
    terminal.kill()


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("", "the file is empty"),
        ('{"format": "chess/1"}', "format: expected lastspike/1"),
    ],
)
def test_a_file_that_is_no_game_is_never_overwritten(
    tmp_path: Path, content: str, line: str
) -> None:
    path = tmp_path / "mine.json"
    path.write_text(content, encoding="utf-8")
    terminal = Terminal(tmp_path, "--save", str(path), *ALONE)
    assert terminal.prompt == OVER
    assert line in terminal.text.replace("\n", "")
    assert "Traceback" not in terminal.text
    assert terminal.exit_status() == 1
    assert path.read_text(encoding="utf-8") == content


def test_a_finished_game_is_not_played_on(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    terminal = Terminal(tmp_path, "--save", str(path), *ALONE)
    play_on(terminal)
    assert json.loads(path.read_text(encoding="utf-8"))["result"]
    again = Terminal(tmp_path, "--save", str(path))
    assert again.prompt == OVER
    assert "this game is over" in again.text.replace("\n", " ")
    assert again.exit_status() == 1


def test_control_c_before_the_first_turn(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *SEED)
    assert terminal.type("") == SETUP
    terminal.interrupt()
    assert "No game was started." in terminal.text
    assert terminal.child.exitstatus == 128 + signal.SIGINT
    assert not list(tmp_path.iterdir())


def test_an_impossible_number_of_players_is_one_line(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "--people", "6", "--computers", "5")
    assert terminal.prompt == OVER
    assert "not for 11" in terminal.text
    assert "Traceback" not in terminal.text
    assert terminal.exit_status() == 1


def test_questions_and_quit_are_understood_at_every_prompt(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *ALONE)
    assert terminal.prompt == GO_ON
    while terminal.prompt != CONFIRM:
        terminal.type(terminal.usual_answer())
    board = terminal.text
    for question, answer in (
        ("?", "You can type:"),
        ("players", "2, Otto (Greenhorn): $"),
        ("player otto", "2, Otto (Greenhorn): $"),
        ("city Denver", "Denver (DEN):"),
        ("saint-louis", "St. Louis (STL):"),
        ("spike", "The shortest way from St. Louis to Sacramento still needs "),
        ("hint", "There’s nothing left to decide this turn."),
    ):
        terminal.type(question)
        assert answer in terminal.text
        terminal.type("")
        assert terminal.text == board
    terminal.type("nonsense")
    assert "Press Enter to play this turn, or type “back” to change it." in terminal.text
    terminal.type("players")
    assert terminal.prompt == GO_ON
    assert terminal.type("quit") == OVER
    assert "The game is saved." in terminal.text


def test_a_hint_names_a_turn_and_why(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *ALONE)
    while terminal.prompt != LAY:
        terminal.type("")
    terminal.type("hint")
    suggested = re.search(r"Tycoon would play ([A-Z]\d)( [+-]?\w+)*:", terminal.text)
    assert suggested
    assert re.search(r"^- .*\.$", terminal.text, re.MULTILINE)
    whole = suggested[0].removeprefix("Tycoon would play ").rstrip(":")
    terminal.type("")
    terminal.type(whole)
    assert terminal.prompt in (BUY, CONFIRM), "the hint can be typed as it stands"


def test_a_city_can_be_bought_by_its_name(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *ALONE)
    while terminal.prompt != BUY:
        terminal.type(terminal.usual_answer())
    code = terminal.usual_answer()
    name = shipped().city(code).name
    assert terminal.type(name.lower()) == CONFIRM
    assert f"You buy {name} land ({code}" in terminal.text


def test_the_turn_keeps_its_number_until_it_is_over(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *ALONE)
    numbers: list[tuple[int, str]] = []
    while len(numbers) < 12:
        if terminal.prompt in (LAY, BUY):
            numbers.append((terminal.prompt, terminal.lines[0].split(" ·")[0]))
        terminal.type(terminal.usual_answer())
    for (first, number), (second, same) in pairwise(numbers):
        if (first, second) == (LAY, BUY):
            assert number == same


def test_two_people_need_two_names(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "--people", "2", "--computers", "0", *SEED)
    terminal.type("Ada")
    terminal.type("Ada")
    assert "Ada is already playing." in terminal.text
    terminal.kill()
    same = Terminal(tmp_path, "--name", "Ada", "--name", "Ada", "--computers", "0")
    assert same.prompt == OVER
    assert "Two players can’t have the same name" in same.text


@pytest.mark.parametrize(
    ("levels", "line"),
    [
        (["--level", "wizard"], "there is no computer player called wizard"),
        (["--level", "exec:/no/such/program"], "can’t be started"),
        (["--level", "clerk", "--level", "surveyor", "--computers", "3"], "give --level once"),
    ],
)
def test_a_wrong_level_is_told_before_anything_is_asked(
    tmp_path: Path, levels: list[str], line: str
) -> None:
    terminal = Terminal(tmp_path, "--people", "1", *levels)
    assert terminal.prompt == OVER
    assert line.casefold() in terminal.text.replace("\n", "").casefold()
    assert terminal.exit_status() == 1
    assert not list(tmp_path.glob("*.json"))


def test_the_end_tells_all_that_happened_since_ones_last_turn(tmp_path: Path) -> None:
    for seed in range(20):
        home = tmp_path / str(seed)
        arguments = ("--level", "surveyor", "--computers", "5", "--name", "Ada")
        terminal = Terminal(home, *arguments, "--seed", f"end {seed}")
        shown = ""
        while terminal.prompt != OVER:
            shown = shown + terminal.text if terminal.prompt == GO_ON else ""  # page by page
            terminal.type(terminal.usual_answer())
        history = read_only_record(home).game.history
        laid = [event for event in history if isinstance(event, TrackLaid)]
        after_mine = laid[max(n for n, event in enumerate(laid) if event.seat == 0) + 1 :]
        if len(after_mine) > 1:
            told = " ".join((shown + terminal.text).split())  # lines are broken anywhere
            assert all(f"lays {event.tile} (" in told for event in after_mine)
            return
    raise AssertionError("in none of these games did others end it after their own turns")


def test_a_saved_game_names_no_program_to_run(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    first = Terminal(tmp_path, "--save", str(path), *ALONE)
    first.kill()
    record = json.loads(path.read_text(encoding="utf-8"))
    record["players"][1]["kind"] = f"exec:touch {tmp_path / 'touched'}"
    path.write_text(json.dumps(record), encoding="utf-8")
    again = Terminal(tmp_path, "--save", str(path))
    assert again.prompt == OVER
    assert "if you trust that player" in again.text.replace("\n", " ")
    assert not (tmp_path / "touched").exists()


def test_two_windows_can_not_play_the_same_game(tmp_path: Path) -> None:
    first = Terminal(tmp_path, *ALONE)
    second = Terminal(tmp_path, *ALONE)
    assert second.prompt == OVER
    assert "this game is open in another window" in second.text.replace("\n", "")
    first.kill()
    third = Terminal(tmp_path)
    assert third.prompt == WAITING, "a killed session leaves nothing locked"
    third.kill()


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_being_ended_by_the_system_leaves_the_game_and_nothing_else(
    tmp_path: Path, ending: signal.Signals
) -> None:
    terminal = Terminal(tmp_path, *ALONE)
    play_on(terminal, 8)
    terminal.child.kill(ending)
    assert terminal.wait() == OVER
    assert [path.name for path in tmp_path.iterdir()] == ["terminal-game.json"]
    assert load(tmp_path / "terminal-game.json").game.moves


def test_leaving_hides_the_hand_where_others_look(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *TWO)
    while terminal.prompt != LAY:
        terminal.type("")
    terminal.type("quit")
    assert not TILE.search(terminal.text)
    assert "The game is saved." in terminal.text


def test_what_is_no_file_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    terminal = Terminal(tmp_path, "--new", "--save", str(folder), *ALONE)
    assert terminal.prompt == OVER
    assert "a game can only be saved in a regular file" in terminal.text.replace("\n", " ")
    assert folder.is_dir()


def test_a_link_to_a_game_stays_a_link(tmp_path: Path) -> None:
    link, game = tmp_path / "link.json", tmp_path / "game.json"
    link.symlink_to(game)
    Terminal(tmp_path, "--save", str(link), *ALONE).kill()
    assert link.is_symlink()
    assert load(game).players[0].name == "Ada"


def test_a_small_screen_gets_sentences(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *ALONE, COLUMNS="60", LINES="18")
    while terminal.prompt != LAY:
        terminal.type("")
    assert "Ada, you have $40,000." in terminal.text
    assert "[DEN" not in terminal.text


def test_open_hands_need_no_curtain(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *TWO, "--hands", "open")
    for _ in range(20):
        assert terminal.prompt != READY
        terminal.type(terminal.usual_answer())
    assert terminal.prompt in (GO_ON, LAY, BUY, CONFIRM)


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_are_understood_in_each_language(language: str, tmp_path: Path) -> None:
    """What is typed in the player's language is answered as in English."""
    words = words_for(language)
    asked = ["hand", "routes", "cities", "players", "since", "spike", "help", "back", "quit"]
    given = ["--people", 1, "--computers", 1, "--level", "clerk", "--name", "Ada", "--seed", "s"]
    told: list[str] = []
    for typed in (asked, [shown_word(english, words) for english in asked]):
        path = tmp_path / f"{len(told)}.json"
        arguments = ["--plain", *given, "--save", path, "--language", language]
        result = run("play", "--terminal", *arguments, stdin="\n".join(typed).encode())
        assert (result.code, result.err) == (0, "")
        told.append(result.out.replace(str(path), ""))
    assert told[0] == told[1]
    unknown = words.say("Type one of {choices}, or ? for help.", choices="\0").split("\0")[-1]
    assert unknown not in told[0]
