#!/usr/bin/env python3
"""A small bot that joins a table by its link, plays to the end and checks the shuffle.

python examples/online_player.py http://127.0.0.1:8869/table/… [NAME]
"""

import asyncio
import sys

from lastspike.client import ClientError, Person, play_to_end

RESERVE = 6000


def choose(view, legal, preview):
    """Lays the first tile it can, and buys the land it has most of, if money is left then."""
    if preview is None or legal[0].startswith("-"):
        return legal[0]  # a tile, or what to sell to pay for it
    seat = view["seat"]
    left = view["cash"][seat] + preview.money[seat]
    offers = [move for move in legal if move.startswith("+")]
    if not offers or left < RESERVE:
        return "pass"
    return max(offers, key=lambda move: preview.table["land"][move[1:]].count(seat))


async def play(link, name):
    server, _, table_id = link.rstrip("/").rpartition("/table/")
    async with Person(server, name) as me:
        await me.take_seat(table_id)
        async with me.watch(table_id) as table:
            await table.ready()
            print(f"{name} has a seat; waiting for the others", flush=True)
            await play_to_end(table, choose)
            if table.info.status == "closed":
                sys.exit("the table was closed")
            cash, seat = table.view["cash"], table.you.seats[0]
            print(f"{name} ends with {cash[seat]}, the richest with {max(cash)}")
            fair = table.check_shuffle(await me.record(table_id))
            print("The shuffle was fair" if fair else "The shuffle was NOT what was promised")


if __name__ == "__main__":
    try:
        asyncio.run(play(sys.argv[1], *(sys.argv[2:] or ["Bot"])))
    except (ClientError, TimeoutError) as error:
        sys.exit(f"online_player: {error}")
