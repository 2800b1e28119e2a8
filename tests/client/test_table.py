"""A table through its socket: what is told, what can be done, and what a lost line costs."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lastspike import protocol as p
from lastspike.cli.app import app
from lastspike.client import LostError, Person, RefusedError, Table, choose_first, play_to_end
from lastspike.client.playing import play_turn
from tests.server.running import RunningServer, running_server

FAST = p.Settings(pace=0, stand_in="greenhorn")


async def begin(*tables: Table) -> None:
    """Everybody is ready, and the tiles are dealt."""
    await asyncio.gather(*(table.ready() for table in tables))
    for table in tables:
        await table.until(lambda table: table.view is not None)


def is_ready(table: Table, seat: int) -> bool:
    return table.info.seats[seat].ready


def heard_by(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[p.Welcome]:
    """All welcomes that this table will get from now on."""
    heard: list[p.Welcome] = []
    take = table.take

    def listen(message: p.ToClient) -> None:
        if isinstance(message, p.Welcome):
            heard.append(message)
        take(message)

    monkeypatch.setattr(table, "take", listen)
    return heard


def test_two_people_and_a_computer_play_a_whole_game(server: RunningServer, tmp_path: Path) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada, Person(server.url, "Bob") as bob:
            table_id = await ada.create(["me", None, "greenhorn"], FAST)
            await bob.take_seat(table_id)
            async with ada.watch(table_id) as a, bob.watch(table_id) as b:
                await begin(a, b)
                await asyncio.gather(play_to_end(a, patience=60), play_to_end(b, choose_first))
                assert a.view is not None
                assert a.view["phase"] == "over"
                assert [step.number for step in a.steps] == list(range(1, a.number + 1))
                record = await bob.record(table_id)
                assert a.check_shuffle(record)
                assert b.check_shuffle(record)
                other = json.loads(json.dumps(record))
                other["shuffle"]["contributions"][1][1] = "00" * 32
                assert a.check_shuffle(other)
                assert not b.check_shuffle(other)
                other["shuffle"]["commitment"] = "00" * 32
                assert not a.check_shuffle(other)
                again = await ada.rematch(table_id)
                assert again == await bob.rematch(table_id)
        file = tmp_path / "game.json"
        file.write_text(json.dumps(record))
        verified = CliRunner().invoke(app, ["verify", str(file)])
        assert verified.exit_code == 0, verified.output

    asyncio.run(scene())


def test_one_person_plays_several_seats_by_looking(server: RunningServer) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada:
            table_id = await ada.create(["me", "me"], FAST)
            async with ada.watch(table_id) as table:
                await begin(table)
                assert table.looking is None
                seat = table.to_move
                with pytest.raises(RefusedError, match=r"(?i)look at your hand first"):
                    await table.preview([])
                with pytest.raises(RefusedError, match=r"(?i)not your seat"):
                    await table.look(5)
                await table.look(seat)
                assert table.view is not None
                assert table.view["seat"] == seat
                await table.turn([table.view["legal"][0]])
                assert table.looking is None
                await play_to_end(table)
                assert table.over

    asyncio.run(scene())


def test_previews_hints_chat_pings_and_refusals(server: RunningServer) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada, Person(server.url) as nobody:
            table_id = await ada.create(["me", "greenhorn"], FAST)
            async with ada.watch(table_id) as table, nobody.watch(table_id) as seen:
                with pytest.raises(RefusedError, match=r"(?i)no game"):
                    await table.preview(["V3"])
                await begin(table)
                await table.until(lambda table: table.my_turn)
                assert table.view is not None
                tile = table.view["legal"][0]
                ahead = await table.preview([tile])
                assert ahead.money[0] < 0
                hint = await table.hint()
                assert hint.moves
                assert await table.ping() > 0
                with pytest.raises(RefusedError) as refused:
                    await table.turn(["V3", "V3", "V3"])
                assert refused.value.problem.rule
                with pytest.raises(RefusedError) as stale:
                    await table.turn([tile], number=table.turn_number + 1)
                assert stale.value.stale
                assert stale.value.turn == table.turn_number
                assert stale.value.view == table.view
                said = await table.say("hello")
                await seen.until(lambda seen: seen.number >= said)
                assert seen.steps[-1].happenings[0]["text"] == "hello"
                assert seen.view is not None
                assert seen.view["hands"] == [None, None]
                with pytest.raises(RefusedError, match=r"(?i)tell us your name first"):
                    await seen.say("me too")
                await seen.until(lambda seen: seen.presence and seen.presence.spectators == 1)

    asyncio.run(scene())


def test_news_are_told_step_by_step(server: RunningServer) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada:
            table_id = await ada.create(["me", "me"], FAST)
            numbers: list[int] = []

            async def listen(table: Table) -> None:
                numbers.extend([step.number async for step in table.news()])

            async with ada.watch(table_id) as table:
                before = table.number
                listening = asyncio.create_task(listen(table))
                await asyncio.sleep(0)
                await begin(table)
                await play_turn(table)
                last = table.number
            await listening
            assert numbers == list(range(before + 1, last + 1))

    asyncio.run(scene())


def test_ready_is_said_again_when_the_table_changes(server: RunningServer) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada, Person(server.url, "Bob") as bob:
            table_id = await ada.create(["me", None], FAST)
            async with ada.watch(table_id) as a:
                await a.ready()
                assert is_ready(a, 0)
                await bob.take_seat(table_id)
                await a.until(lambda a: a.number == 4)  # a table, ready, a seat taken, ready
                assert is_ready(a, 0)
                await a.not_ready()
                await ada.change_settings(table_id, p.Settings(pace=0, aids=False))
                await a.ping()
                assert not is_ready(a, 0)
                async with bob.watch(table_id) as b:
                    await begin(a, b)

    asyncio.run(scene())


def test_a_round_that_fails_is_begun_again(server: RunningServer) -> None:
    """Bob's first device committed, and is gone when the secrets are asked for."""

    async def scene() -> None:
        async with Person(server.url, "Ada") as ada, Person(server.url, "Bob") as bob:
            table_id = await ada.create(["me", None], FAST)
            await bob.take_seat(table_id)
            async with ada.watch(table_id) as a:
                async with bob.watch(table_id) as silent:
                    await silent.ready()
                async with bob.watch(table_id) as b:
                    await a.ready()
                    await a.until(lambda a: a.info.shuffle.reveal_by)
                    with pytest.raises(RefusedError, match=r"(?i)everybody is already ready"):
                        await b.ready()
                    await bob.leave(table_id)
                    await bob.take_seat(table_id)
                    await b.ready()
                    await asyncio.gather(play_to_end(a), play_to_end(b))
                    record = await ada.record(table_id)
                    assert b.info.shuffle.round == 2
                    assert a.check_shuffle(record)
                    assert b.check_shuffle(record)

    asyncio.run(scene())


def test_what_was_missed_is_told_and_a_turn_counts_once(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada, Person(server.url, "Bob") as bob:
            table_id = await ada.create(["me", None], FAST)
            await bob.take_seat(table_id)
            async with ada.watch(table_id) as a, bob.watch(table_id) as b:
                await begin(a, b)
                await a.until(lambda a: a.to_move is not None)
                mover, other = (a, b) if a.my_turn else (b, a)
                welcomes = heard_by(other, monkeypatch)
                await other.drop()
                assert mover.view is not None
                message = p.CommitTurn("the-same", 1, [mover.view["legal"][0]])
                number = await mover.ask(message)
                assert await mover.ask(message) == number
                await mover.drop()
                assert await mover.ask(message) == number
                await other.until(lambda other: other.connections > 1 and other.number >= number)
                numbers = [step.number for step in other.steps]
                assert numbers == [step.number for step in mover.steps]
                assert [step.number for each in welcomes for step in each.steps] in ([], [number])
                assert other.turn_number == mover.turn_number == 2
                async with bob.watch(table_id, have=number - 1) as late:
                    assert [step.number for step in late.steps] == [number]

    asyncio.run(scene())


def test_a_hand_is_looked_at_again_after_the_line_was_lost(server: RunningServer) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada:
            table_id = await ada.create(["me", "me"], FAST)
            async with ada.watch(table_id) as table:
                await begin(table)
                seat = table.to_move
                await table.look(seat)
                assert table.view is not None
                legal = table.view["legal"]
                await table.drop()
                await table.until(lambda table: table.connections > 1)
                await table.turn([legal[0]])
                await table.drop()
                await table.until(lambda table: table.connections > 2)
                await table.ping()
                assert table.looking is None

    asyncio.run(scene())


def test_a_game_survives_lost_lines_and_a_killed_server(own_server: RunningServer) -> None:
    async def play_in_a_storm(table: Table) -> None:
        async def weather() -> None:
            while True:
                await asyncio.sleep(0.05)
                await table.drop()

        storm = asyncio.create_task(weather())
        try:
            await play_to_end(table, patience=60)
        finally:
            storm.cancel()

    async def scene() -> None:
        url = own_server.url
        async with Person(url, "Ada") as ada, Person(url, "Bob") as bob:
            table_id = await ada.create(["me", None, "greenhorn"], FAST)
            await bob.take_seat(table_id)
            async with ada.watch(table_id) as a, bob.watch(table_id) as b:
                await begin(a, b)
                playing = asyncio.gather(play_in_a_storm(a), play_in_a_storm(b))
                await a.until(lambda a: a.turn_number > 5)
                await asyncio.to_thread(own_server.restart)
                await playing
                assert a.connections > 1
                await b.until(lambda b: b.number >= a.number)
                turns = [
                    happening["turn"]
                    for step in a.steps
                    for happening in step.happenings
                    if happening["kind"] == "turn_made"
                ]
                assert turns == list(range(1, len(turns) + 1))
                assert a.check_shuffle(await ada.record(table_id))

    asyncio.run(scene())


def test_a_seat_is_left_to_a_computer_and_taken_back(server: RunningServer) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada:
            slow = p.Settings(pace=10_000, stand_in="greenhorn")
            table_id = await ada.create(["me", "me"], slow)
            async with ada.watch(table_id) as table:
                await begin(table)
                await ada.leave(table_id)
                await table.until(lambda table: table.info.seats[0].stands_in)
                assert not table.my_turn
                number = await table.come_back()
                assert number == table.number
                await table.until(lambda table: table.my_turn, 0)
                assert await table.come_back() == 0
                await ada.leave(table_id)
                await table.until(lambda table: table.info.seats[0].stands_in)
                assert await ada.come_back(table_id)
            await ada.leave(table_id)
            async with ada.watch(table_id, sit=False) as table:
                assert table.info.seats[0].stands_in
            async with ada.watch(table_id) as table:
                await table.until(lambda table: table.my_turn)

    asyncio.run(scene())


def test_what_can_t_be_watched_ends_at_once(server: RunningServer) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada:
            with pytest.raises(LostError, match=r"(?i)no such table") as lost:
                async with ada.watch("A" * 22):
                    pass
            assert lost.value.code == p.CLOSE_NO_TABLE
            assert lost.value.problem is not None
            table_id = await ada.create(["me", "clerk"], FAST)
            table = ada.watch(table_id)
            async with table:
                pass
            with pytest.raises(LostError, match=r"(?i)closed"):
                await table.say("too late")
            with pytest.raises(LostError):
                await table.until(lambda table: table.over)

    asyncio.run(scene())


def test_waiting_in_vain_says_for_what_table(server: RunningServer) -> None:
    async def scene() -> None:
        async with Person(server.url, "Ada") as ada:
            table_id = await ada.create(["me", None], FAST)
            async with ada.watch(table_id) as table:
                with pytest.raises(TimeoutError, match=r"the table is waiting, step 1"):
                    await table.until(lambda table: table.over, 0.05)

    asyncio.run(scene())


def test_a_socket_that_is_refused_says_why(tmp_path: Path) -> None:
    async def scene(url: str) -> None:
        async with Person(url, "Ada") as ada:
            table_id = await ada.create(["me", "clerk"], FAST)
            async with ada.watch(table_id):
                with pytest.raises(LostError, match=r"(?i)too many connections"):
                    async with ada.watch(table_id):
                        pass

    url = f"sqlite+aiosqlite:///{tmp_path / 'lastspike.sqlite'}"
    with running_server(url, limits={"sockets_per_address": 1}) as one:
        asyncio.run(scene(one.url))
