"""`lastspike admin` from the first key to the last entry of the audit log, at a real server."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from tests.server.admin.operating import KEY, KEY_HASH
from tests.server.company import FAST, people
from tests.server.running import RunningServer, running_server

from .command import Result, refused, run


def test_a_key_is_shown_with_its_hash() -> None:
    from lastspike.server.admin.key import hash_of, is_key

    made = run("admin", "key")
    assert made.code == 0
    key, line = (
        text for text in made.out.splitlines() if (text and " = " in text) or len(text) == 43
    )
    assert line == f'admin_key_hash = "{hash_of(key)}"'
    assert is_key(key, hash_of(key))
    assert not is_key(key + "x", hash_of(key))


async def _a_quarrel(server: RunningServer) -> tuple[str, str, int]:
    """A table with a nasty message that was reported; returns it, who wrote it, and its step."""
    async with people(server.url, "Ada", "Mallory") as (ada, mallory):
        table_id = await ada.create(["me", None], FAST)
        await mallory.take_seat(table_id)
        async with mallory.watch(table_id) as table:
            step = await table.say("You cheat!")
        await ada.report(table_id, "Insults me", step=step)
        return table_id, (await mallory.me()).person, step


def test_an_evening_of_an_operator(tmp_path: Path) -> None:
    file = tmp_path / "spike.db"
    key_file = tmp_path / "key"
    key_file.write_text(f"{KEY}\n")
    with running_server(f"sqlite:///{file}", admin_key_hash=KEY_HASH, name="Club") as server:
        table_id, mallory, step = asyncio.run(_a_quarrel(server))

        def admin(*arguments: object) -> str:
            done: Result = run("admin", "--database", file, "--key-file", key_file, *arguments)
            assert (done.code, done.err) == (0, ""), done
            return done.out

        shown = admin("overview")
        assert shown.startswith("Club\nVersion ")
        assert "Open reports: 1\n" in shown
        report = admin("reports")
        assert "Insults me" in report
        assert f"> {step} Mallory: You cheat!" in report
        why = ("--reason", "insults")
        admin("remove-message", table_id, step, *why)
        assert "You cheat!" not in admin("table", table_id)
        admin("rename", mallory, "Somebody", *why)
        assert "Somebody" in admin("people", mallory)
        banned = admin("ban", mallory, "--days", 3, *why)
        assert mallory in admin("bans")
        assert re.search(r"Somebody +\d{4}-", admin("person", mallory))
        ban_id = banned.split()[1]
        admin("settle", re.findall(r"Report (\S+)", report)[0], "--note", "banned for three days")
        assert admin("reports") == "There are no reports.\n"
        assert "banned for three days" in admin("reports", "--settled")
        announced = admin("announce", "Please be kind.", "--hours", 2)
        assert "Please be kind." in admin("overview")
        admin("end-announcement", announced.split()[1])
        admin("unban", ban_id)
        admin("ban", "198.51.100.0/24", "--days", 1, "--reason", "floods")
        assert admin("connections") == "Nobody is connected.\n"
        admin("close-table", table_id, *why)
        assert "closed" in admin("tables", "--status", "closed")
        admin("erase", mallory, *why, "--yes")
        assert admin("people", mallory) == "Nobody found.\n"
        assert "nothing was changed" not in admin("delete-table", table_id, *why, "--yes")
        assert admin("tables") == "There are no tables.\n"
        told = [line for line in admin("audit").splitlines() if "operator" in line]
        happened = (
            "table deleted|person erased|table closed|ban|ban ended|announcement ended|announcement"
            "|report settled|ban|person renamed|message removed"
        )
        for line, event in zip(told, happened.split("|"), strict=True):
            assert event in line

        # The key is needed, must be right, and does not travel in the open.
        (tmp_path / "wrong").write_text("wrong")
        wrong = run("admin", "--database", file, "--key-file", tmp_path / "wrong", "overview")
        assert "This is not the operator’s key" in refused(wrong)
        assert "no key" in refused(run("admin", "--database", file, "overview")).lower()
        far = run("admin", "--url", "http://192.0.2.1", "--key-file", key_file, "overview")
        assert "use https" in refused(far)
        assert "wrong operator’s key" in admin("audit")
        assert KEY not in server.log
