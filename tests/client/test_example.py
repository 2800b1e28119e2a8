"""The bot in `examples/` plays a game against a person's client."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from lastspike.client import Person, play_to_end
from lastspike.protocol import Settings
from tests.server.running import RunningServer

BOT = Path(__file__).parents[2] / "examples" / "online_player.py"


def test_the_example_joins_by_link_and_plays_to_the_end(server: RunningServer) -> None:
    async def scene() -> str:
        async with Person(server.url, "Ada") as ada:
            table_id = await ada.create(["me", None, "clerk"], Settings(pace=0))
            link = f"{server.url}/table/{table_id}"
            bot = await asyncio.create_subprocess_exec(
                sys.executable, BOT, link, "Robot", stdout=subprocess.PIPE
            )
            async with ada.watch(table_id) as table:
                await table.until(lambda table: table.info.seats[1].ready, 60)
                assert table.info.seats[1].name == "Robot"
                await table.ready()
                await play_to_end(table, patience=60)
            said, _ = await asyncio.wait_for(bot.communicate(), 60)
            assert bot.returncode == 0
            return said.decode()

    said = asyncio.run(scene()).splitlines()
    assert said[0] == "Robot has a seat; waiting for the others"
    assert said[1].startswith("Robot ends with ")
    assert said[2:] == ["The shuffle was fair"]


def test_the_example_says_in_one_line_what_is_wrong(server: RunningServer) -> None:
    link = f"{server.url}/table/{'A' * 22}"
    done = subprocess.run([sys.executable, BOT, link], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "online_player: There is no such table\n"
