"""What people may do at a table and what not; leaving, coming back, clocks, the shuffle."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lastspike import protocol as p
from lastspike.protocol import (
    DaysClock,
    GameOptions,
    HoursClock,
    LiveClock,
    NoClock,
    Settings,
)
from lastspike.rules.errors import IllegalMove, LastSpikeError
from lastspike.rules.records.record import read_record
from lastspike.rules.records.shuffle import commitment
from lastspike.server.table import commands
from lastspike.server.table import log_events as e
from lastspike.server.table.clocks import commands as time_commands
from lastspike.server.table.errors import Conflict, NotAllowed, NotFound
from lastspike.server.table.limits import GRACE_MS, SLOW_GRACE_MS
from lastspike.server.table.records import finished_record, full_record, log_of
from lastspike.server.table.state import TableState, replay
from lastspike.server.table.views import Viewer, step_for, table_info
from tests.rules.helpers import CONFORMANCE
from tests.server.paper import HOST, LEVELS, Paper, secret_of


def started(*seats: str | None, **settings: Any) -> Paper:
    paper = Paper(seats or ("me", None), Settings(**settings))
    paper.sit(*(f"p{number}" for number, seat in enumerate(seats or ("me", None)) if seat is None))
    paper.start()
    return paper


@pytest.mark.parametrize("players", range(2, 7))
def test_a_whole_game_from_the_waiting_room_to_a_record_that_verifies(players: int) -> None:
    paper = Paper(("me", *[None] * (players - 2), "clerk"))
    paper.sit(*(f"p{number}" for number in range(1, players - 1)))
    paper.start()
    paper.play()
    assert paper.state.status == "over"
    record = json.loads(json.dumps(finished_record(paper.state)))
    read = read_record(record)
    assert read.shuffle is not None
    assert [seat for seat, _ in read.shuffle.contributions] == list(range(players - 1))
    assert [player["level"] for player in record["players"]] == [None] * (players - 1) + ["clerk"]


def test_the_log_alone_gives_the_same_state_at_every_step() -> None:
    paper = started("me", None, "clerk", options=GameOptions(cash="hidden"))
    for _ in range(200):
        again = paper.replayed()
        assert again.number == paper.state.number
        assert full_record(again) == full_record(paper.state)
        assert again.deadline() == paper.state.deadline()
        if paper.state.status == "over":
            return
        paper.play(1)
    raise AssertionError("the game did not end")


def test_a_bankruptcy_is_in_the_log_and_replays() -> None:
    """In an edition where money is scarce, so that many tiles are left to be mixed again."""
    (path,) = CONFORMANCE.glob("003-*-poor-*.json")
    played = json.loads(path.read_text("utf-8"))
    scarce = Settings(played["edition"], played["figures"])
    for number in range(20):
        paper = Paper(("me", *["greenhorn"] * 4), scarce, f"broke {number}")
        paper.start()
        paper.play(level="greenhorn")
        orders = [order for step in paper.log if step.secrets for order in step.secrets.remixed]
        if any(len(order) > 5 for order in orders):  # few tiles may be in order by chance
            read_record(finished_record(paper.state))
            assert full_record(paper.replayed()) == full_record(paper.state)
            return
    raise AssertionError("nobody went bankrupt early in 20 games")


def test_the_record_of_an_unfinished_game_does_not_leave() -> None:
    paper = started()
    paper.play(3)
    with pytest.raises(NotAllowed):
        finished_record(paper.state)


class TestSeats:
    def test_the_first_free_seat_or_the_one_wanted(self) -> None:
        paper = Paper(("me", None, "clerk", None))
        paper.do(commands.take_seat, "a", "Ann", None)
        paper.do(commands.take_seat, "b", "Bo", 3)
        assert [seat.person for seat in paper.state.seats] == [HOST, "a", None, "b"]

    @pytest.mark.parametrize(("wanted", "error"), [(0, Conflict), (2, Conflict), (5, NotFound)])
    def test_not_one_that_is_taken_or_not_there(
        self, wanted: int, error: type[LastSpikeError]
    ) -> None:
        paper = Paper(("me", None, "clerk", None))
        with pytest.raises(error):
            paper.do(commands.take_seat, "a", "Ann", wanted)

    def test_when_every_seat_is_taken(self) -> None:
        paper = Paper(("me", "clerk"))
        with pytest.raises(Conflict, match="every seat"):
            paper.do(commands.take_seat, "a", "Ann", None)

    def test_two_of_one_name_are_told_apart(self) -> None:
        paper = Paper(("me", None, None))
        paper.do(commands.take_seat, "a", "Ann", None)
        paper.do(commands.take_seat, "b", "Ann", None)
        assert [seat.name for seat in paper.state.seats] == ["Host 0", "Ann", "Ann 2"]

    def test_somebody_new_makes_everybody_not_ready(self) -> None:
        paper = Paper(("me", None, None))
        paper.sit("a")
        paper.do(commands.ready, HOST, 1, "00" * 32)
        paper.sit("b")
        assert paper.state.seats[0].commitment is None

    def test_the_host_sets_computers_and_nobody_else_does(self) -> None:
        paper = Paper(("me", None))
        paper.do(commands.set_seat, HOST, 1, "surveyor", LEVELS)
        assert paper.state.seats[1].computer == "surveyor"
        with pytest.raises(NotAllowed):
            paper.do(commands.set_seat, "a", 1, None, LEVELS)
        with pytest.raises(NotFound, match="no computer player"):
            paper.do(commands.set_seat, HOST, 1, "exec:rm", LEVELS)
        with pytest.raises(Conflict):
            paper.do(commands.set_seat, HOST, 0, "clerk", LEVELS)

    def test_the_host_removes_somebody(self) -> None:
        paper = Paper(("me", None))
        paper.sit("a")
        paper.do(commands.remove, HOST, "a")
        assert not paper.state.seats[1].filled
        with pytest.raises(NotFound):
            paper.do(commands.remove, HOST, "a")
        with pytest.raises(NotAllowed):
            paper.do(commands.remove, "a", HOST)

    def test_nothing_of_it_once_the_game_has_begun(self) -> None:
        paper = started()
        for decide, *given in (
            (commands.take_seat, "x", "X", None),
            (commands.set_seat, HOST, 1, "clerk", LEVELS),
            (commands.remove, HOST, "p1"),
            (commands.ready, HOST, 1, "00" * 32),
        ):
            with pytest.raises(Conflict):
                paper.do(decide, *given)

    def test_a_table_needs_a_person(self) -> None:
        with pytest.raises(NotAllowed):
            Paper(("clerk", "clerk"))
        paper = Paper(("clerk", None))
        with pytest.raises(NotAllowed):
            paper.do(commands.set_seat, HOST, 1, "clerk", LEVELS)


class TestSettings:
    def test_the_host_changes_them_before_the_start(self) -> None:
        paper = Paper(("me", None))
        paper.do(commands.change_settings, HOST, Settings(clock=DaysClock(3)), LEVELS)
        assert paper.state.settings.clock == DaysClock(3)
        assert not paper.do(commands.change_settings, HOST, paper.state.settings, LEVELS)
        with pytest.raises(NotAllowed):
            paper.do(commands.change_settings, "a", Settings(), LEVELS)

    def test_later_only_what_is_not_of_the_rules(self) -> None:
        paper = started()
        faster = Settings(pace=100, options=GameOptions(cash="hidden"))
        paper.do(commands.change_settings, HOST, faster, LEVELS)
        assert paper.state.settings.pace == 100
        assert paper.state.settings.options.cash == "open"
        with pytest.raises(Conflict):
            paper.do(commands.change_settings, HOST, Settings(pace=100, clock=DaysClock(1)), LEVELS)

    def test_an_edition_that_is_none_changes_nothing(self) -> None:
        paper = Paper(("me", None))
        with pytest.raises(LastSpikeError):
            paper.do(commands.change_settings, HOST, Settings(edition="none"), LEVELS)
        with pytest.raises(LastSpikeError):
            paper.do(commands.change_settings, HOST, Settings(figures={"id": 3}), LEVELS)


class TestShuffle:
    def test_secrets_are_asked_for_when_everybody_is_ready(self) -> None:
        paper = Paper(("me", None, "clerk"))
        paper.sit("a")
        with pytest.raises(Conflict, match="not everybody"):
            paper.do(commands.reveal, "a", 1, bytes(32))
        before = paper.do(commands.ready, "a", 1, commitment(bytes(32)).hex())
        assert not _asked(paper)
        paper.do(commands.ready, HOST, 1, commitment(secret_of("x")).hex())
        assert _asked(paper) == before + 1
        assert paper.state.status == "waiting"

    def test_nobody_is_asked_while_a_seat_is_free(self) -> None:
        paper = Paper(("me", None))
        paper.do(commands.ready, HOST, 1, commitment(bytes(32)).hex())
        assert paper.state.secrets_asked is None

    def test_only_what_was_committed_to(self) -> None:
        paper = Paper(("me", "clerk"))
        paper.do(commands.ready, HOST, 1, commitment(bytes(32)).hex())
        with pytest.raises(NotAllowed, match="fingerprint"):
            paper.do(commands.reveal, HOST, 1, secret_of("other"))
        paper.do(commands.reveal, HOST, 1, bytes(32))
        assert paper.state.status == "playing"

    def test_silence_for_30_seconds_begins_a_new_round_with_a_new_seed(self) -> None:
        paper = Paper(("me", None))
        paper.sit("a")
        for person in (HOST, "a"):
            paper.do(commands.ready, person, 1, commitment(bytes(32)).hex())
        paper.do(commands.reveal, HOST, 1, bytes(32))
        paper.now += 29_000
        assert not paper.do(commands.begin_round_again, paper.now, secret_of("new"))
        paper.now += 1_000
        assert paper.do(commands.begin_round_again, paper.now, secret_of("new"))
        state = paper.state
        assert (state.round, state.seed, state.secrets) == (2, secret_of("new"), {})
        assert table_info(state).shuffle.stopped == [p.StoppedRound(1, [1], [])]
        assert state.server_commitment == commitment(secret_of("new")).hex()
        began = paper.log[-1].events[0]
        assert isinstance(began, e.RoundBegan)
        assert began.silent == [1]
        with pytest.raises(Conflict, match="new round"):
            paper.do(commands.reveal, "a", 1, bytes(32))
        assert not paper.do(commands.begin_round_again, paper.now + 60_000, secret_of("more"))
        paper.start()
        paper.play()
        record = finished_record(paper.state)
        assert record["shuffle"]["stopped"] == [{"round": 1, "silent": [1], "left": []}]
        copied = replay("copy", log_of(read_record(record), paper.now))
        assert finished_record(copied)["shuffle"] == record["shuffle"]

    def test_one_contribution_a_browser_at_its_lowest_seat(self) -> None:
        paper = Paper(("clerk", "me", None, "me"))
        paper.sit("a")
        paper.start()
        assert list(paper.state.secrets) == [1, 2]

    def test_a_seat_can_be_left_while_secrets_are_awaited(self) -> None:
        paper = Paper(("me", None))
        paper.sit("a")
        for person in (HOST, "a"):
            paper.do(commands.ready, person, 1, commitment(bytes(32)).hex())
        paper.do(commands.leave, "a", False, secret_of("again"))
        assert (paper.state.round, paper.state.secrets_asked) == (2, None)
        assert table_info(paper.state).shuffle.stopped == [p.StoppedRound(1, [], [1])]
        assert not paper.state.seats[1].filled


class TestTurns:
    def test_a_turn_is_whole_and_pass_is_added(self) -> None:
        paper = started()
        paper.play(1)
        made = paper.log[-1].events[-1]
        assert isinstance(made, e.TurnMade)
        assert paper.state.turn == 2
        while not any(m.startswith("+") for s in paper.log for m in _moves(s)):
            paper.play(1)
        seat = paper.state.to_move()
        assert seat is not None
        person = paper.state.seats[seat].person
        tile = paper.state.playing.legal_moves[0].text
        paper.do(commands.make_turn, person, paper.state.turn, [tile])
        assert _moves(paper.log[-1])[-1] == "pass"

    def test_a_turn_for_another_number_is_stale(self) -> None:
        paper = started()
        seat = paper.state.to_move()
        assert seat is not None
        tile = paper.state.playing.legal_moves[0].text
        before = paper.state.number
        for turn in (2, 99):
            with pytest.raises(commands.Stale):
                paper.do(commands.make_turn, paper.state.seats[seat].person, turn, [tile])
        assert paper.state.number == before

    def test_a_turn_that_was_made_before_is_stale(self) -> None:
        """Sent again by a page that has slept, when it is the same person's turn once more."""
        paper = started()
        seat = paper.state.to_move()
        assert seat is not None
        paper.play(2)
        assert paper.state.to_move() == seat
        tile = paper.state.playing.legal_moves[0].text
        with pytest.raises(commands.Stale):
            paper.do(commands.make_turn, paper.state.seats[seat].person, 1, [tile])

    def test_only_the_one_whose_turn_it_is(self) -> None:
        paper = started()
        seat = paper.state.to_move()
        assert seat is not None
        tile = paper.state.playing.legal_moves[0].text
        for person in (paper.state.seats[1 - seat].person, "stranger"):
            with pytest.raises(IllegalMove, match="not your turn"):
                paper.do(commands.make_turn, person, 1, [tile])

    @pytest.mark.parametrize("moves", [[], ["pass"], ["Q9"], ["+DEN"], ["A1", "A1"]])
    def test_an_illegal_turn_changes_nothing(self, moves: list[str]) -> None:
        paper = started()
        seat = paper.state.to_move()
        assert seat is not None
        before = full_record(paper.state)
        with pytest.raises(LastSpikeError):
            paper.do(commands.make_turn, paper.state.seats[seat].person, 1, moves)
        assert full_record(paper.state) == before

    def test_a_computer_that_comes_too_late_is_void(self) -> None:
        paper = started("me", "clerk")
        assert not paper.do(commands.computer_turn, 99, ["A1"])
        while paper.state.to_move() != 0:
            paper.play(1)
        assert not paper.do(commands.computer_turn, paper.state.turn, ["A1"])


class TestLeaving:
    def test_a_computer_takes_over_and_the_person_gets_the_seat_back(self) -> None:
        paper = started(stand_in="clerk")
        paper.do(commands.leave, "p1", False, bytes(32))
        assert [seat.computer for seat in paper.state.seats] == [None, "clerk"]
        paper.play(4)
        assert paper.do(commands.come_back, "p1")
        assert [seat.computer for seat in paper.state.seats] == [None, None]
        assert not paper.do(commands.come_back, "p1")
        paper.play()
        assert paper.state.status == "over"

    def test_the_computers_turn_is_void_when_the_person_returned(self) -> None:
        paper = started()
        paper.do(commands.leave, HOST, False, bytes(32))
        while paper.state.to_move() != 0:
            paper.play(1)
        tile = paper.state.playing.legal_moves[0].text
        paper.do(commands.come_back, HOST)
        assert not paper.do(commands.computer_turn, paper.state.turn, [tile])
        assert paper.do(commands.make_turn, HOST, paper.state.turn, [tile])

    def test_a_turn_of_ones_own_brings_one_back(self) -> None:
        paper = started()
        paper.do(commands.leave, HOST, False, bytes(32))
        while paper.state.to_move() != 0:
            paper.play(1)
        paper.do(
            commands.make_turn, HOST, paper.state.turn, [paper.state.playing.legal_moves[0].text]
        )
        assert paper.state.seats[0].computer is None
        assert _moves(paper.log[-1])

    def test_for_good_there_is_no_way_back_and_the_result_is_the_leavers(self) -> None:
        paper = started(stand_in="surveyor")
        paper.do(commands.leave, "p1", True, bytes(32))
        assert not paper.do(commands.come_back, "p1")
        while paper.state.to_move() != 1:
            paper.play(1)
        with pytest.raises(IllegalMove):
            paper.do(commands.make_turn, "p1", paper.state.turn, ["A1"])
        paper.play()
        record = finished_record(paper.state)
        assert record["players"][1] == {"name": "P1", "level": None, "left": True}

    def test_the_host_who_leaves_for_good_hands_the_table_on(self) -> None:
        paper = started()
        paper.do(commands.leave, HOST, True, bytes(32))
        assert paper.state.host == "p1"

    def test_before_the_start_the_seat_is_free_again(self) -> None:
        paper = Paper(("me", None))
        paper.sit("a")
        paper.do(commands.leave, HOST, False, bytes(32))
        assert not paper.state.seats[0].filled
        assert paper.state.host == "a"

    def test_the_host_hands_over_after_two_minutes_absence(self) -> None:
        paper = started()
        now = paper.now
        with pytest.raises(NotAllowed, match="is here"):
            paper.do(commands.hand_over, HOST, 1, None, now)
        with pytest.raises(NotAllowed, match="two minutes"):
            paper.do(commands.hand_over, HOST, 1, now - 119_000, now)
        with pytest.raises(NotAllowed, match="host"):
            paper.do(commands.hand_over, "p1", 0, now - 200_000, now)
        assert paper.do(commands.hand_over, HOST, 1, now - 120_000, now)
        assert paper.state.seats[1].computer == "surveyor"

    def test_with_a_clock_the_clock_does_it(self) -> None:
        paper = started(clock=DaysClock(1))
        with pytest.raises(NotAllowed, match="time is up"):
            paper.do(commands.hand_over, HOST, 1, 0, paper.now)


class TestClocks:
    def test_no_clock_no_deadline(self) -> None:
        assert started(clock=NoClock()).state.deadline() is None

    def test_days_begin_anew_with_each_turn(self) -> None:
        paper = started(clock=DaysClock(2))
        day = 86_400_000
        assert paper.state.deadline() == paper.now + 2 * day
        paper.now += day
        paper.play(1)
        assert paper.state.deadline() == paper.now + 2 * day

    def test_a_bank_is_used_up_and_gets_its_increment(self) -> None:
        paper = started(clock=LiveClock(bank=100, increment=5))
        seat = paper.state.to_move()
        assert seat is not None
        paper.now += 30_000
        paper.play(1)
        assert paper.state.banks[seat] == 75_000
        assert paper.state.banks[1 - seat] == 100_000
        assert paper.state.deadline() == paper.now + 100_000

    def test_when_it_runs_out_a_computer_takes_over(self) -> None:
        paper = started(clock=LiveClock(bank=100, increment=0))
        seat = paper.state.to_move()
        assert seat is not None
        assert not paper.do(time_commands.out_of_time, paper.now + 99_999)
        paper.now += 100_000
        assert paper.do(time_commands.out_of_time, paper.now)
        assert paper.state.seats[seat].computer == "surveyor"
        assert paper.state.deadline() is None
        assert not paper.do(time_commands.out_of_time, paper.now)
        paper.now += 500_000
        person = paper.state.seats[seat].person
        assert not paper.do(commands.come_back, person, paper.now)  # the computer plays first
        paper.play(2)
        paper.do(commands.come_back, person, paper.now)
        assert paper.state.deadline() == paper.now + GRACE_MS

    @pytest.mark.parametrize(
        ("clock", "time", "grace"),
        [
            (LiveClock(bank=10, increment=0), 10_000, GRACE_MS),
            (DaysClock(1), 86_400_000, 86_400_000),
            (HoursClock(hours=1, increment=0, most=1), 3_600_000, SLOW_GRACE_MS),
        ],
        ids=["live", "days", "hours"],
    )
    def test_leaving_and_returning_does_not_stop_a_clock(
        self, clock: LiveClock | DaysClock | HoursClock, time: int, grace: int
    ) -> None:
        paper = started(clock=clock)
        seat = paper.state.to_move()
        assert seat is not None
        person = paper.state.seats[seat].person
        other = paper.state.seats[1 - seat].person
        began = paper.now
        for _ in range(3):
            paper.now += time // 4
            for who in (person, other):
                assert paper.do(commands.leave, who, False, bytes(32))
                assert paper.do(commands.come_back, who, paper.now)
            assert paper.state.deadline() == began + time
            assert not paper.state.banks or paper.state.banks[1 - seat] == time
            assert _played_before_clocks_went_on(paper).deadline() == paper.now + max(time, grace)
        assert paper.replayed().deadline() == began + time
        paper.do(commands.leave, person, False, bytes(32))
        if paper.state.banks:
            paper.play(1)  # the computer; what the person had used is used
            assert paper.state.banks == [time // 4 if each == seat else time for each in (0, 1)]
            paper.play(1)
        else:
            paper.play(2)
        paper.do(commands.come_back, person, paper.now)
        assert paper.state.deadline() == paper.now + grace

    def test_only_the_log_says_that_a_clock_goes_on(self) -> None:
        paper = started(clock=DaysClock(1))
        paper.do(commands.leave, HOST, False, bytes(32))
        event = paper.log[-1].events[0]
        assert event == e.SeatHandedOver(0, "surveyor", "left", clock_goes_on=True)
        told = step_for(paper.state, paper.log[-1], Viewer())
        assert told is not None
        assert "clock_goes_on" not in told.happenings[0]

    def test_time_while_the_server_was_down_is_given_back_once(self) -> None:
        paper = started(clock=LiveClock(bank=100, increment=0))
        began = paper.now
        paper.now += 60_000
        assert paper.do(time_commands.give_back_time, began + 10_000, paper.now)
        assert paper.state.deadline() == began + 100_000 + 50_000
        assert not paper.do(time_commands.give_back_time, began + 10_000, paper.now)
        assert paper.do(time_commands.give_back_time, began + 10_000, paper.now + 1_000)
        assert paper.state.deadline() == began + 151_000

    def test_time_before_the_turn_began_is_not_given_back(self) -> None:
        paper = started(clock=DaysClock(1))
        assert not paper.do(time_commands.give_back_time, 0, paper.state.turn_began)


class TestTalking:
    def test_those_who_sit_talk_to_each_other_and_spectators_among_themselves(self) -> None:
        paper = started()
        paper.do(commands.say, "p1", "ignored", "hello")
        paper.do(commands.say, "x", "Xena", "hi")
        said = [step.events[0] for step in paper.log[-2:]]
        assert said == [
            e.Said("players", "p1", "P1", "hello", 1),
            e.Said("spectators", "x", "Xena", "hi"),
        ]

    def test_no_spectator_speaks_under_the_name_of_somebody_else(self) -> None:
        paper = started()
        name = paper.state.seats[0].name
        assert name is not None

        def heard(person: str, called: str) -> str:
            paper.do(commands.say, person, called, "hello")
            return paper.state.speakers[person]

        assert heard("x", name.upper()) == f"{name.upper()} 2"
        assert heard("y", "Bob") == "Bob"
        assert heard("z", "B0b") == "B0b 2"
        assert heard("y", "Bob") == "Bob"  # who was first keeps the name
        assert replay(paper.state.id, paper.log).speakers == paper.state.speakers

    def test_spectators_take_no_room_from_players_nor_one_of_them_from_others(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name, most in (("", 10), ("_BY_SPECTATORS", 6), ("_BY_SPECTATOR", 2)):
            monkeypatch.setattr(commands, f"MOST_SAID{name}", most)
        paper = started()
        for name in "abc":
            paper.do(commands.say, name, name, "one")
            paper.do(commands.say, name, name, "two")
            with pytest.raises(Conflict, match=r"chat is full|message limit"):
                paper.do(commands.say, name, name, "three")
        with pytest.raises(Conflict, match="this chat is full"):
            paper.do(commands.say, "d", "d", "one")
        for person in (HOST, "p1"):
            for _ in range(5):
                assert paper.do(commands.say, person, "", "hello")
            with pytest.raises(Conflict):
                paper.do(commands.say, person, "", "hello")
        again = replay(paper.state.id, paper.log)
        assert again.said == paper.state.said

    def test_the_host_mutes(self) -> None:
        paper = started()
        paper.do(commands.mute, HOST, "p1", False)
        assert not paper.do(commands.mute, HOST, "p1", False)
        with pytest.raises(NotAllowed, match="muted"):
            paper.do(commands.say, "p1", "P1", "hello")
        paper.do(commands.mute, HOST, "p1", True)
        assert paper.do(commands.say, "p1", "P1", "hello")
        with pytest.raises(NotAllowed):
            paper.do(commands.mute, "p1", HOST, False)

    def test_whoever_is_removed_writes_nothing_until_they_are_let_back(self) -> None:
        paper = Paper(("me", None, None))
        paper.sit("a")
        paper.do(commands.say, "a", "A", "hello")
        paper.do(commands.remove, HOST, "a")
        for name in ("A", "Somebody else"):  # the person counts, not the name
            with pytest.raises(NotAllowed, match="removed"):
                paper.do(commands.take_seat, "a", name, None)
            with pytest.raises(NotAllowed, match="removed"):
                paper.do(commands.say, "a", name, "hello")
        with pytest.raises(NotAllowed):
            paper.do(commands.remove, "a", "a", True)
        assert not paper.do(commands.remove, HOST, "b", True)
        paper.do(commands.remove, HOST, "a", True)
        paper.do(commands.take_seat, "a", "A", None)
        assert paper.state.removed == set()


class TestTheEnd:
    def test_the_host_closes_a_waiting_table(self) -> None:
        paper = Paper(("me", None))
        paper.sit("a")
        with pytest.raises(NotAllowed):
            paper.do(commands.close, "a")
        with pytest.raises(Conflict):
            paper.do(commands.agree_to_end, "a")
        paper.do(commands.close, HOST)
        assert paper.state.status == "closed"
        with pytest.raises(Conflict):
            paper.do(commands.say, HOST, "H", "hello")

    def test_a_running_game_ends_when_everybody_who_plays_agrees(self) -> None:
        paper = started("me", None, None, "clerk")
        assert paper.do(commands.close, HOST)  # the host alone ends nothing
        assert not paper.do(commands.close, HOST)
        assert paper.do(commands.agree_to_end, "p1")
        assert table_info(paper.state).end_agreed == [0, 1]
        assert paper.do(commands.agree_to_end, HOST, True)
        assert not paper.do(commands.agree_to_end, HOST, True)
        with pytest.raises(NotAllowed):
            paper.do(commands.agree_to_end, "stranger")
        paper.play(3)
        assert paper.do(commands.agree_to_end, "p2")
        assert table_info(paper.state).status == "playing"
        assert paper.do(commands.agree_to_end, HOST)
        assert table_info(paper.state).status == "closed"

    def test_who_has_left_is_not_asked_whether_the_game_ends(self) -> None:
        paper = started("me", None, None)
        paper.do(commands.leave, "p1", False, bytes(32))
        paper.do(commands.leave, "p2", True, bytes(32))
        with pytest.raises(NotAllowed):
            paper.do(commands.agree_to_end, "p2")
        paper.do(commands.agree_to_end, HOST)
        assert paper.state.status == "closed"

    def test_who_was_replaced_still_has_to_agree_to_the_end(self) -> None:
        absent = started()
        assert absent.do(commands.hand_over, HOST, 1, 0, absent.now)
        late = started(clock=LiveClock(bank=10, increment=0))
        late.now += 10_000
        assert late.do(time_commands.out_of_time, late.now)
        for paper in (absent, late):
            replaced = [seat.stand_in is not None for seat in paper.state.seats].index(True)
            people = [seat.person for seat in paper.state.seats]
            assert paper.do(commands.agree_to_end, people[1 - replaced])
            assert table_info(paper.state).status == "playing"
            assert paper.do(commands.agree_to_end, people[replaced])
            assert table_info(paper.state).status == "closed"

    def test_after_the_end_nothing_more_happens(self) -> None:
        paper = started("me", "clerk")
        paper.do(commands.agree_to_end, HOST)
        assert paper.state.status == "closed"
        assert not paper.do(commands.close, HOST)
        with pytest.raises(Conflict):
            paper.do(commands.make_turn, HOST, 1, ["A1"])
        with pytest.raises(Conflict):
            paper.do(commands.say, HOST, "H", "hello")

    def test_a_rematch_has_the_same_seats_and_settings(self) -> None:
        paper = started("me", None, "clerk", pace=0)
        with pytest.raises(Conflict):
            paper.do(commands.offer_rematch, HOST, "new")
        paper.play()
        with pytest.raises(NotAllowed):
            paper.do(commands.offer_rematch, "stranger", "new")
        assert paper.do(commands.offer_rematch, "p1", "new")
        assert not paper.do(commands.offer_rematch, HOST, "newer")
        assert paper.state.rematch == "new"
        draft = commands.rematch_of(paper.state, "p1", bytes(32))
        created = draft.events[0]
        assert isinstance(created, e.TableCreated)
        assert created.settings.pace == 0
        assert created.seats == [None, None, "clerk"]
        taken = [each for each in draft.events if isinstance(each, e.SeatTaken)]
        assert [(each.seat, each.person) for each in taken] == [(0, HOST), (1, "p1")]


def _asked(paper: Paper) -> int:
    """The step that asked for the secrets, 0 if none has."""
    return next(
        (s.number for s in paper.log for each in s.events if isinstance(each, e.SecretsAsked)),
        0,
    )


def _played_before_clocks_went_on(paper: Paper) -> TableState:
    """The state by the same log, had an older version written it."""
    return replay(
        paper.state.id,
        (
            step._replace(
                events=tuple(
                    e.SeatHandedOver(event.seat, event.level, event.why)
                    if isinstance(event, e.SeatHandedOver)
                    else event
                    for event in step.events
                )
            )
            for step in paper.log
        ),
    )


def _moves(step: e.Step) -> list[str]:
    return [m for each in step.events if isinstance(each, e.TurnMade) for m in each.moves]


def test_changing_a_table_ends_some_day_but_playing_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paper = started("me", None, "greenhorn")
    monkeypatch.setattr(commands, "MOST_CHANGES", paper.state.number + 2)
    paper.do(commands.say, HOST, "Ada", "Talk does not count")
    paper.do(commands.mute, HOST, "p1", False)
    paper.do(commands.leave, "p1", False, secret_of("again"))
    for decide, *given in (
        (commands.mute, HOST, "p1", True),
        (commands.change_settings, HOST, Settings(pace=0), LEVELS),
        (commands.leave, HOST, False, secret_of("again")),
    ):
        with pytest.raises(Conflict, match="this table has been changed too many times"):
            paper.do(decide, *given)
    paper.do(commands.come_back, "p1")
    paper.do(commands.leave, "p1", True, secret_of("again"))
    paper.play()
    assert paper.state.status == "over"


def test_a_waiting_room_is_not_ready_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    paper = Paper(("me", None, None))
    monkeypatch.setattr(commands, "MOST_CHANGES", paper.state.number + 3)
    promise = commitment(secret_of("mine")).hex()
    paper.do(commands.ready, HOST, 1, promise)
    paper.do(commands.not_ready, HOST)
    paper.do(commands.take_seat, "p1", "Bob", None)
    for decide, *given in (
        (commands.ready, HOST, 1, promise),
        (commands.not_ready, HOST),
        (commands.take_seat, "p2", "Sue", None),
        (commands.set_seat, HOST, 2, "clerk", LEVELS),
    ):
        with pytest.raises(Conflict, match="create a new one"):
            paper.do(decide, *given)
    paper.do(commands.leave, "p1", False, secret_of("again"))
