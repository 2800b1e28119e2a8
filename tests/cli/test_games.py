"""`lastspike games`, through the command as hosts run it, on real database files."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lastspike.rules.records.record import read_records
from lastspike.server.run.lockfile import locked
from lastspike.server.storage import Append, Storage
from tests.server.paper import Paper
from tests.server.records.test_importing import (
    ELSEWHERE,
    OTHER,
    SHUFFLED,
    THERE,
    played,
    raw_record,
    store,
)

from .command import on_terminal, refused, run

WAITING = "w" * 22


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with a table that is over, one that is playing and one that waits."""
    path = tmp_path / "spike.db"

    async def fill() -> None:
        storage = Storage(f"sqlite:///{path}")
        await storage.open()
        await store(storage, played(), THERE)
        await store(storage, played(5), ELSEWHERE)
        await store(storage, Paper(), WAITING)
        await storage.close()

    asyncio.run(fill())
    return path


def saved(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def tables(database: Path, *more: str) -> list[list[str]]:
    code, out, err = run("games", "list", "--database", database, *more)
    assert (code, err) == (0, "")
    _heading, *lines = out.splitlines()
    return [re.split(r"\s{2,}", line.strip()) for line in lines]


# ---- list -----------------------------------------------------------------------------------


def test_the_list_names_every_table(database: Path) -> None:
    result = run("games", "list", "--database", database)
    heading = result.out.splitlines()[0].split("  ")
    names = [part.strip() for part in heading if part.strip()]
    assert names == ["table", "status", "players", "turn", "created", "last change"]
    found = {line[0]: line[1:4] for line in tables(database)}
    assert found[ELSEWHERE] == ["playing", "Host 0, A, clerk", "6"]
    assert found[THERE][:2] == ["over", "Host 0, A, clerk"]
    assert found[WAITING][:2] == ["waiting", "Host 0, –"]
    assert all(re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d", line[-1]) for line in tables(database))


def test_the_list_can_be_of_one_status(database: Path) -> None:
    assert [line[0] for line in tables(database, "--status", "playing")] == [ELSEWHERE]
    result = run("games", "list", "--database", database, "--status", "closed")
    assert result == (0, "There are no tables.\n", "")
    assert run("games", "list", "--database", database, "--status", "lost").code == 2


def test_the_list_fits_a_screen_and_keeps_the_ids_whole(database: Path) -> None:
    shown = on_terminal("games", "list", "--database", database, COLUMNS="80", LC_ALL="C.UTF-8")
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).replace("\r", "").splitlines()
    assert all(len(line.rstrip()) <= 80 for line in lines if THERE in line)
    assert any(line.startswith(THERE) for line in lines)


def test_a_table_that_cannot_be_read_is_listed_with_the_reason(database: Path) -> None:
    async def spoil() -> None:
        storage = Storage(f"sqlite:///{database}")
        await storage.open()
        await storage.logs.create_table(Append("x" * 22, 1, 1, b'[{"kind":"new"}]'), listed=False)
        await storage.close()

    asyncio.run(spoil())
    assert "can’t be read" in tables(database)[0][2]
    result = run("games", "export", "--database", database, "--out", "-", "--secret")
    assert result.code == 1
    assert len(result.out.splitlines()) == 2
    assert f"Table {'x' * 22} can’t be read" in result.err


# ---- export ---------------------------------------------------------------------------------


def test_finished_games_are_exported_and_verify(database: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    result = run("games", "export", "--database", database, "--out", out)
    said = "2 games are not over and were left out.\n1 game was exported.\n"
    assert result == (0, "", said)
    assert run("verify", out).out.endswith("result checked, shuffle checked\n")
    (record,) = map(json.loads, out.read_text("utf-8").splitlines())
    assert record["table"] == THERE
    assert [player["name"] for player in record["players"]] == ["Host 0", "A", "Jules"]
    for more in (["--status", "over"], ["--table", THERE]):
        again = run("games", "export", "--database", database, "--out", "-", *more)
        assert again == (0, out.read_text("utf-8"), "1 game was exported.\n")


@pytest.mark.parametrize(
    ("asked", "count", "of"),
    [
        (["--table", ELSEWHERE], 1, 1),
        (["--table", THERE, "--table", ELSEWHERE, "--table", WAITING], 2, 3),
        (["--status", "playing"], 1, 1),
    ],
)
def test_unfinished_games_are_refused(
    database: Path, tmp_path: Path, asked: list[str], count: int, of: int
) -> None:
    out = tmp_path / "games.jsonl"
    line = refused(run("games", "export", "--database", database, "--out", out, *asked))
    assert f"unfinished: {count} of {of}" in line
    assert "--secret" in line
    assert not out.exists()


def test_secret_games_are_exported_for_the_host_alone(database: Path, tmp_path: Path) -> None:
    out = tmp_path / "secret.jsonl"
    out.write_text("old")
    os.chmod(out, 0o644)
    result = run("games", "export", "--database", database, "--secret", "--out", out)
    assert result.code == 0
    assert "1 table without a game was left out." in result.err
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    with out.open(encoding="utf-8") as file:
        records = {record.raw["table"]: record for record in read_records(file)}
    assert set(records) == {THERE, ELSEWHERE}
    assert not records[ELSEWHERE].game.over
    assert records[ELSEWHERE].shuffle is not None
    mode = os.stat(os.devnull).st_mode
    run("games", "export", "--database", database, "--secret", "--out", os.devnull)
    assert os.stat(os.devnull).st_mode == mode


def test_games_are_published_once_everyone_agrees(database: Path, tmp_path: Path) -> None:
    """Without names, table or time; computers alone need no agreement."""
    out = tmp_path / "public.jsonl"
    export = ("games", "export", "--database", database, "--publishable", "--out", out)
    unfinished = "2 games are not over and were left out.\n"
    left_out = "1 game was left out: not everyone in it has agreed to publication.\n"
    nothing = (0, "", unfinished + left_out + "0 games were exported.\n")

    def agree(person: str, since: int | None) -> None:
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute(
                "INSERT OR REPLACE INTO person (id, name, created_at, publishes_since)"
                " VALUES (?, 'Mabel', 1, ?)",
                (person, since),
            )

    assert run(*export) == nothing
    agree("p0", 1)
    assert run(*export) == nothing
    agree("a", 2)
    assert run(*export) == (0, "", unfinished + "1 game was exported.\n")
    assert run("verify", out).out.endswith("result checked, shuffle checked\n")
    text = out.read_text("utf-8")
    assert not {"table", "created"} & json.loads(text).keys()
    assert json.loads(text)["players"] == [{"level": None}, {"level": None}, {"level": "clerk"}]
    assert "Host" not in text
    agree("a", None)
    assert run(*export) == nothing
    line = refused(run(*export, "--secret"))
    assert "--secret and --publishable" in line


def test_a_table_that_is_not_there_is_told(database: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    line = refused(run("games", "export", "--database", database, "--out", out, "--table", "x"))
    assert line == "lastspike: There is no table x"
    assert not out.exists()


# ---- import ---------------------------------------------------------------------------------


def test_games_are_imported_once(database: Path, tmp_path: Path) -> None:
    file = saved(tmp_path / "games.jsonl", raw_record(SHUFFLED), raw_record(OTHER))
    result = run("games", "import", file, "--database", database)
    assert result == (0, "2 games were imported.\n", "")
    assert len(tables(database, "--status", "over")) == 3
    again = run("games", "import", "-", "--database", database, stdin=file.read_bytes())
    assert again == (0, "0 games were imported.\n", "2 games were already in the database.\n")
    out = tmp_path / "out.jsonl"
    assert run("games", "export", "--database", database, "--out", out).code == 0
    assert run("verify", out).code == 0
    results = [json.loads(line)["result"] for line in out.read_text("utf-8").splitlines()]
    assert all(raw_record(path)["result"] in results for path in (SHUFFLED, OTHER))
    assert (
        run("games", "import", out, "--database", database).err
        == "3 games were already in the database.\n"
    )


def test_a_database_is_made_for_what_is_imported(tmp_path: Path) -> None:
    made = tmp_path / "new.db"
    assert run("games", "import", SHUFFLED, "--database", made).code == 0
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert len(tables(made)) == 1


def test_what_can_not_be_imported_is_told_and_the_rest_is(database: Path, tmp_path: Path) -> None:
    begun = raw_record(SHUFFLED)
    del begun["result"]
    begun["moves"] = begun["moves"][:4]
    wrong = raw_record(SHUFFLED, result={})
    taken = raw_record(OTHER, table=ELSEWHERE)
    file = saved(tmp_path / "games.jsonl", begun, wrong, taken, raw_record(SHUFFLED))
    result = run("games", "import", file, tmp_path / "none", "--database", database)
    assert (result.code, result.out) == (1, "1 game was imported.\n")
    unfinished, bad, other, missing = result.err.splitlines()
    assert unfinished.startswith(f"{file}: line 1: this game isn’t over")
    assert bad == f"{file}: line 2 result.cash: missing"
    assert other.startswith(
        f"{file}: line 3 table: table {ELSEWHERE} already exists, with a different game"
    )
    assert missing == f"{tmp_path / 'none'}: No such file or directory"
    assert [line[1] for line in tables(database)].count("over") == 2


# ---- the database ---------------------------------------------------------------------------


def test_a_database_that_is_not_there_is_told(tmp_path: Path) -> None:
    nowhere = tmp_path / "typo.db"
    for words in (["list"], ["export", "--out", "-"]):
        line = refused(run("games", *words, "--database", nowhere))
        assert line == f"lastspike: There is no database at {nowhere}"
    assert not nowhere.exists()


def test_a_server_may_be_using_the_database(database: Path) -> None:
    with locked(database):
        assert len(tables(database)) == 3
        assert run("games", "import", SHUFFLED, "--database", database).code == 0
        assert run("games", "export", "--database", database, "--out", "-").code == 0


def test_no_database_is_made_under_a_server_that_is_just_starting(tmp_path: Path) -> None:
    database = tmp_path / "spike.db"
    with locked(database):
        line = refused(run("games", "import", SHUFFLED, "--database", database))
    assert "another server has this database open" in line


def test_the_settings_name_the_database(database: Path, tmp_path: Path) -> None:
    config = tmp_path / "server.toml"
    config.write_text(f'database = "{database}"\n')
    assert THERE in run("games", "list", "--config", config).out
    assert THERE in run("games", "list", LASTSPIKE_DATABASE=str(database)).out


def test_a_database_that_cannot_be_reached_is_told(tmp_path: Path) -> None:
    url = f"postgresql://ann:hush@/spike?host={tmp_path}"
    line = refused(run("games", "list", "--database", url))
    assert ": the database can’t be reached: " in line
    assert "hush" not in line
