"""Computer players in processes: legal turns whatever happens to a process, and no process left."""

from __future__ import annotations

import asyncio
import os
import pickle
import pickletools
import re
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
import uvloop

from lastspike.bots.levels import LEVELS, make_player
from lastspike.bots.player import later_in_turn
from lastspike.rules.errors import IllegalMove, LastSpikeError, MoveError
from lastspike.rules.view import View, preview
from lastspike.server.jobs.players import player_pool
from lastspike.server.jobs.players.player_main import Question, answer
from lastspike.server.jobs.players.player_pool import PlayerPool
from lastspike.server.jobs.players.questions import IDLE, Hint
from lastspike.server.table.errors import Conflict, TooMany
from tests.bots.helpers import ROOT, gone, new_game

from . import odd_players
from .odd_players import asked

SOON = 30.0
"""Seconds after which something that should happen at once has not happened."""


def first_view(**options: Any) -> View:
    game = new_game(3, **options)
    assert game.turn is not None
    return game.view(game.turn)


def legal(view: View, texts: list[str]) -> bool:
    return preview(view, [view.table.board.parse(text) for text in texts]).turn_over


def running(
    test: Callable[[PlayerPool], Awaitable[None]],
    processes: int = 1,
    *,
    kind: type[PlayerPool] = PlayerPool,
    fast: bool = False,
    **more: Any,
) -> None:
    """Run the test with player_pool that are closed afterwards."""

    async def all_of_it() -> None:
        player_pool = kind(processes, **more)
        await player_pool.start()
        try:
            await test(player_pool)
        finally:
            await player_pool.close()

    loop_factory = uvloop.new_event_loop if fast else asyncio.new_event_loop
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(asyncio.wait_for(all_of_it(), 5 * SOON))


class OddThinkers(PlayerPool):
    def __init__(self, processes: int, **more: Any) -> None:
        super().__init__(processes, maker=odd_players.MAKER, **more)

    def levels(self) -> list[str]:
        return odd_players.LEVELS


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(odd_players.FOLDER, str(tmp_path))


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(SOON):
        while not true():
            await asyncio.sleep(0.01)


# ---- answers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "fast"),
    [({}, False), ({"cash": "hidden"}, True)],
    ids=["open-asyncio", "hidden-uvloop"],
)
def test_all_levels_play_a_whole_game(options: dict[str, Any], fast: bool) -> None:
    times: list[tuple[str, float]] = []

    async def test(player_pool: PlayerPool) -> None:
        game = new_game(len(LEVELS), **options)
        turns = 0
        while game.turn is not None:
            for move in await player_pool.turn(list(LEVELS)[game.turn], game.view(game.turn)):
                game.play(move)  # raises if it is illegal
            turns += 1
        assert len(times) == turns
        assert {level for level, _ in times} == set(LEVELS)
        assert all(seconds > 0 for _, seconds in times)

    def on_done(level: str, seconds: float) -> None:
        times.append((level, seconds))

    running(test, 2, fast=fast, on_done=on_done)


def test_a_hint_is_what_tycoon_would_do_and_why() -> None:
    game = new_game(3)

    async def test(player_pool: PlayerPool) -> None:
        for _ in range(5):
            assert game.turn is not None
            view = game.view(game.turn)
            tycoon = make_player("tycoon", "hint")
            moves = tycoon.turn(view)
            texts = [move.text for move in moves]
            assert await player_pool.hint(view, []) == Hint(
                "tycoon", texts, tycoon.reasons(view, moves)
            )
            if len(moves) > 1:
                later = later_in_turn(view, moves[:1])
                tycoon = make_player("tycoon", "hint")
                rest = tycoon.turn(later)
                assert await player_pool.hint(view, texts[:1]) == Hint(
                    "tycoon", [move.text for move in rest], tycoon.reasons(later, rest)
                )
            assert await player_pool.hint(view, texts) == Hint("tycoon", [], ())
            for move in moves:
                game.play(move)

    running(test)


def test_what_cannot_be_played_gets_no_hint_and_no_turn() -> None:
    view = first_view()
    assert view.seat is not None
    elsewhere = new_game(3).view((view.seat + 1) % 3)

    async def test(player_pool: PlayerPool) -> None:
        with pytest.raises(MoveError):
            await player_pool.hint(view, ["nonsense"])
        with pytest.raises(IllegalMove):
            await player_pool.hint(view, ["pass"])
        with pytest.raises(IllegalMove):
            await player_pool.hint(elsewhere, [])
        with pytest.raises(IllegalMove):
            await player_pool.turn("clerk", elsewhere)

    running(test)


def test_nobody_at_a_table_runs_programs(tmp_path: Path) -> None:
    view = first_view()
    made = tmp_path / "made"

    async def test(player_pool: PlayerPool) -> None:
        assert player_pool.levels()[: len(LEVELS)] == list(LEVELS)
        assert legal(view, await player_pool.turn(f"exec:touch {made}", view))
        assert legal(view, await player_pool.turn("speculator:1000000", view))
        assert legal(view, await player_pool.turn("of a package that is gone", view))

    running(test)
    assert not made.exists()


def test_installed_players_are_offered_commands_never(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["annie", "clerk", "exec:rm", "zoe"]
    offered = [EntryPoint(name, "annie:make", "lastspike.players") for name in names]
    monkeypatch.setattr(player_pool, "offered_players", lambda: offered)
    assert PlayerPool(1).levels() == [*LEVELS, "annie", "zoe"]


# ---- what crosses ----------------------------------------------------------------------------


def test_only_a_view_crosses() -> None:
    game = new_game(3)

    class Wider(View):
        pass

    async def test(player_pool: PlayerPool) -> None:
        view = first_view()
        for other in (Wider(*view), game.position, None):
            with pytest.raises((TypeError, AttributeError)):
                await player_pool.turn("clerk", other)  # type: ignore[arg-type]

    running(test)


def test_a_question_holds_nothing_that_is_hidden() -> None:
    game = new_game(3)
    assert game.turn is not None
    question = pickle.dumps(Question("clerk", "", game.view(game.turn)))
    names = {str(arg) for op, arg, _ in pickletools.genops(question) if "UNICODE" in op.name}
    assert {"lastspike.rules.view", "View", "Table", "Edition"} <= names
    assert not {"lastspike.rules.hidden", "Hidden", "Position", "Game"} & names


def test_a_process_imports_nothing_of_the_server() -> None:
    show = "import lastspike.server.jobs.players.player_main, sys; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", show], text=True).split()
    heavy = {"litestar", "sqlalchemy", "msgspec", "asyncio", "babel", "typer", "httpx"}
    assert not heavy & set(loaded)


def test_settings_of_the_server_stay_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LASTSPIKE_DATABASE", "postgresql://me:secret@db")
    view = first_view()

    async def test(player_pool: PlayerPool) -> None:
        assert legal(view, await player_pool.turn("curious", view))
        assert len(asked("curious")) == 1

    running(test, kind=OddThinkers)


def test_an_answer_is_made_in_any_process() -> None:
    view = first_view()
    made = answer(odd_players.make, Question("good", "seed", view, why=True))
    assert legal(view, made.pop("moves"))
    assert made == {"reasons": [], "faults": []}


# ---- processes that fail ---------------------------------------------------------------------


def test_a_player_that_prints_spoils_nothing() -> None:
    view = first_view()

    async def test(player_pool: PlayerPool) -> None:
        for _ in range(3):
            assert legal(view, await player_pool.turn("chatty", view))
        assert len(asked("chatty")) == 1

    running(test, kind=OddThinkers)


@pytest.mark.parametrize("fast", [False, True], ids=["asyncio", "uvloop"])
@pytest.mark.parametrize("level", ["die", "die_once", "hang", "hang_once", "stuck", "illegal"])
def test_a_failing_process_is_replaced_and_asked_once_more(level: str, fast: bool) -> None:
    view = first_view()

    async def test(player_pool: PlayerPool) -> None:
        assert legal(view, await player_pool.turn(level, view))
        pids = asked(level)
        assert len(pids) == 2
        await until(lambda: all(gone(pid) for pid in pids if level[-5:] != "_once"))
        assert legal(view, await player_pool.turn("good", view))
        assert len(asked("good")) == 1

    running(test, kind=OddThinkers, seconds=1.0, fast=fast)


def test_killing_one_process_costs_its_own_question_only() -> None:
    view = first_view()

    async def test(player_pool: PlayerPool) -> None:
        held = asyncio.create_task(player_pool.turn("hang_once", view))
        await until(lambda: asked("hang_once"))
        for _ in range(5):
            assert legal(view, await player_pool.turn("good", view))
        assert not held.done()
        (other,) = asked("good")
        (pid,) = asked("hang_once")
        os.kill(pid, signal.SIGKILL)
        assert legal(view, await held)
        assert not gone(other)
        assert len(asked("hang_once")) == 2

    running(test, 2, kind=OddThinkers, seconds=SOON)


def test_a_process_killed_while_idle_is_not_missed() -> None:
    view = first_view()

    async def test(player_pool: PlayerPool) -> None:
        await player_pool.turn("good", view)
        (pid,) = asked("good")
        os.kill(pid, signal.SIGKILL)
        await until(lambda: gone(pid))
        assert legal(view, await player_pool.turn("good", view))
        assert len(asked("good")) == 2

    running(test, kind=OddThinkers)


def test_a_process_that_rests_gives_its_memory_back() -> None:
    """It is replaced once, and not again before it has answered something."""
    view = first_view()

    async def test(player_pool: PlayerPool) -> None:
        await player_pool.turn("good", view)
        (pid,) = asked("good")
        await until(lambda: gone(pid))
        (process,) = player_pool._processes
        await until(lambda: process._process is not None and not process.used)
        assert process._process is not None
        fresh = process._process.pid
        assert legal(view, await player_pool.turn("good", view))
        assert sorted(asked("good")) == sorted([pid, fresh])

    running(test, kind=OddThinkers, rest_seconds=0.1)


def test_an_interrupt_is_for_the_server_alone() -> None:
    view = first_view()

    async def test(player_pool: PlayerPool) -> None:
        await player_pool.turn("good", view)
        (pid,) = asked("good")
        assert os.getpgid(pid) != os.getpgid(0)
        os.kill(pid, signal.SIGINT)
        assert legal(view, await player_pool.turn("good", view))
        assert asked("good") == [pid]

    running(test, kind=OddThinkers)


def test_a_hint_that_fails_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_pool, "TYCOON", "die")
    view = first_view()

    async def test(player_pool: PlayerPool) -> None:
        with pytest.raises(LastSpikeError, match="no hint"):
            await player_pool.hint(view, [])

    running(test, kind=OddThinkers)


def test_no_process_at_all_still_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    view = first_view()

    async def test(player_pool: PlayerPool) -> None:
        assert legal(view, await player_pool.turn("surveyor", view))

    running(test)


# ---- callers ---------------------------------------------------------------------------------


def test_cancelled_callers_do_not_wedge_the_processes() -> None:
    view = first_view()

    async def test(player_pool: PlayerPool) -> None:
        held = asyncio.create_task(player_pool.turn("hang_once", view))
        await until(lambda: asked("hang_once"))
        waiting = [asyncio.create_task(player_pool.turn("die", view)) for _ in range(5)]
        await asyncio.sleep(0)
        for task in (held, *waiting):
            task.cancel()
        assert legal(view, await player_pool.turn("good", view))
        assert asked("die") == []

    running(test, kind=OddThinkers, seconds=1.0)


def test_turns_go_before_hints_and_everybody_has_the_same_share() -> None:
    view = first_view()
    done: list[str] = []

    async def test(player_pool: PlayerPool) -> None:
        turn = player_pool.turn
        await asyncio.gather(
            turn("surveyor", view, who="left", rank=IDLE),
            player_pool.hint(view, [], who="asks"),
            *(turn("clerk", view, who="has many tables") for _ in range(3)),
            turn("greenhorn", view, who="has one"),
        )
        assert done == ["clerk", "greenhorn", "clerk", "clerk", "hint", "surveyor"]

    running(test, on_done=lambda what, _: done.append(what))


def test_a_person_waits_for_one_hint() -> None:
    view = first_view()

    async def test(player_pool: PlayerPool) -> None:
        first = asyncio.create_task(player_pool.hint(view, [], who="a"))
        await asyncio.sleep(0)
        with pytest.raises(TooMany, match="one hint"):
            await player_pool.hint(view, [], who="a")
        other = asyncio.create_task(player_pool.hint(view, [], who="b"))
        assert (await first) == (await other)
        other = asyncio.create_task(player_pool.hint(view, [], who="b"))
        first = asyncio.create_task(player_pool.hint(view, [], who="a"))
        await until(lambda: len(player_pool._waiting) == 1)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert len(player_pool._waiting) == 0  # nobody waits any longer
        assert not other.done()
        await other
        assert (await player_pool.hint(view, [], who="a")).level == "tycoon"

    running(test)


def test_what_nobody_wants_any_longer_is_not_computed() -> None:
    view = first_view()
    done: list[str] = []

    async def test(player_pool: PlayerPool) -> None:
        asking: tuple[Any, ...] = (
            player_pool.turn("clerk", view, wanted=lambda: False),
            player_pool.hint(view, [], wanted=lambda: False),
        )
        for each in asking:
            with pytest.raises(Conflict, match="moved on"):
                await each
        assert legal(view, await player_pool.turn("greenhorn", view))
        assert done == ["greenhorn"]

    running(test, on_done=lambda what, _: done.append(what))


def test_a_process_is_left_for_turns_that_people_wait_for() -> None:
    view = first_view()

    async def test(player_pool: PlayerPool) -> None:
        held = [
            asyncio.create_task(player_pool.turn("hang", view, who=str(number), rank=IDLE))
            for number in range(3)
        ]
        await until(lambda: asked("hang"))
        for _ in range(3):
            assert legal(view, await player_pool.turn("good", view))
        assert len(asked("hang")) == 1
        for task in held:
            task.cancel()

    running(test, 2, kind=OddThinkers, seconds=SOON)


def test_closing_cancels_who_waits_and_leaves_no_process() -> None:
    view = first_view()

    async def test(player_pool: PlayerPool) -> None:
        tasks = [asyncio.create_task(player_pool.turn("hang", view)) for _ in range(3)]
        await until(lambda: asked("hang"))
        await player_pool.close()
        for task in tasks:
            with pytest.raises(asyncio.CancelledError):
                await task
        assert all(map(gone, asked("hang")))
        with pytest.raises(RuntimeError):
            await player_pool.turn("good", view)

    running(test, kind=OddThinkers)


def test_the_event_loop_stays_free() -> None:
    """Told by the loop's own processor time, which other work on the machine does not lengthen, and
    by how often it came round: a loop that waited for a turn would come round once for each."""
    view = first_view()
    busy: list[float] = []

    async def tick() -> None:
        while True:
            before = time.thread_time()
            await asyncio.sleep(0.002)
            busy.append(time.thread_time() - before)

    async def test(player_pool: PlayerPool) -> None:
        ticking = asyncio.create_task(tick())
        await asyncio.gather(*(player_pool.turn("speculator", view) for _ in range(8)))
        ticking.cancel()
        with suppress(asyncio.CancelledError):
            await ticking
        print(f"longest {max(busy) * 1000:.1f} ms in {len(busy)} rounds")
        assert len(busy) > 40
        assert max(busy) < 0.1

    running(test, 2)


PARENT = """
import asyncio
from tests.server.jobs.test_player_pool import OddThinkers, first_view

async def main():
    player_pool = OddThinkers(2)
    await player_pool.start()
    view = first_view()
    await player_pool.turn("good", view)
    await asyncio.gather(*(player_pool.turn(level, view) for level in ("hang", "{level}")))

asyncio.run(main())
"""


@pytest.mark.parametrize(
    "level",
    [
        "hang",
        pytest.param(
            "stuck", marks=pytest.mark.skipif(sys.platform != "linux", reason="only there")
        ),
    ],
)
def test_no_process_outlives_a_killed_server(level: str) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT.format(level=level)], cwd=ROOT)

    async def test() -> None:
        try:
            await until(lambda: len({*asked("hang"), *asked(level)}) == 2)
        finally:
            parent.kill()
            parent.wait()
        await until(lambda: all(map(_gone_or_zombie, [*asked("hang"), *asked(level)])))

    asyncio.run(test())


def _gone_or_zombie(pid: int) -> bool:
    """An orphan that has ended may stay in the list of processes where nobody collects it."""
    try:
        state = re.search(r"^State:\s*(\S)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    except (FileNotFoundError, ProcessLookupError):
        return gone(pid)
    return state is not None and state[1] in "ZX"


@pytest.mark.skipif(sys.platform != "linux", reason="malloc_trim is glibc's")
def test_a_process_gives_back_the_memory_of_a_search() -> None:
    async def test(player_pool: PlayerPool) -> None:
        view = first_view()
        sizes = []
        # A process asked again is done with the question before.
        for level in ("good", "greedy", "good"):
            await player_pool.turn(level, view)
            process = player_pool._processes[0]._process
            assert process is not None
            child = psutil.Process(process.pid)
            sizes.append(child.memory_info().rss)
            assert child.num_threads() <= 3  # OpenBLAS has one
        assert sizes[-1] - sizes[0] < 20_000_000  # of 60

    running(test, kind=OddThinkers)
