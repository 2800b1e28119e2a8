"""What a host runs beside the server: `status`, `config check`, `hosting write`, `db backup`."""

from __future__ import annotations

from pathlib import Path

from lastspike.cli.hosting.files import FILES
from lastspike.cli.hosting.status import _load
from lastspike.release import full_version
from lastspike.words.language import words_for
from tests.server.running import running_server

from .command import refused, run


def test_the_status_of_a_server_and_of_none(tmp_path: Path) -> None:
    file = tmp_path / "spike.db"
    run("db", "upgrade", "--database", file)
    nobody = refused(run("status", "--database", file))
    assert nobody == f"lastspike: No server is using the database {file}"
    with running_server(f"sqlite:///{file}") as server:
        code, out, err = run("status", "--database", file)
        assert (code, err) == (0, "")
        first, *others = out.splitlines()
        assert first == f"Running at {server.url}/, version {full_version()}"
        assert "Connections: 0" in others
        assert "Players known: 0" in others
        assert "Database: " in others[-1]
        # The settings can be checked meanwhile.
        assert run("config", "check", "--database", file).code == 0


def test_the_load_adds_up_all_labels() -> None:
    text = 'lastspike_sockets_open{pid="1"} 2.0\nlastspike_sockets_open{pid="2"} 3.0\n# x 1\n'
    text += "lastspike_commit_seconds_count 4.0\nlastspike_commit_seconds_sum 0.008\n"
    lines = list(_load(text, words_for("en")))
    assert lines[0] == "Connections: 5"
    assert lines[-1] == "Average time to store a turn: 2.0 ms"


def test_settings_are_checked_and_shown_without_secrets(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    token = "a-token-that-nobody-sees"
    settings.write_text(f'port = 8870\ncreate_token = "{token}"\ndatabase = "{tmp_path}/x.db"\n')
    code, out, err = run("config", "check", "--config", settings)
    assert (code, err) == (0, "")
    assert "port = 8870\n" in out
    assert token not in out
    assert "the server will create it" in out
    assert out.endswith("The settings are valid.\n")
    assert not (tmp_path / "x.db").exists()  # nothing was done
    settings.write_text('prot = 8870\ndatabase = "/nowhere/x.db"\n')
    assert "did you mean port?" in refused(run("config", "check", "--config", settings))


def test_the_hosting_files_are_written_and_none_is_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "hosting"
    for _ in range(2):
        assert run("hosting", "write", folder).code == 0
    names = {file.name for file in FILES.iterdir()}
    assert {file.name for file in folder.iterdir()} == names
    (folder / "nginx.conf").write_text("mine")
    (folder / "Caddyfile").unlink()
    assert "already exists; add --force" in refused(run("hosting", "write", folder))
    assert (folder / "nginx.conf").read_text() == "mine"
    assert not (folder / "Caddyfile").exists()  # all or nothing
    assert run("hosting", "write", folder, "--force").code == 0
    assert (folder / "nginx.conf").read_bytes() == (FILES / "nginx.conf").read_bytes()


def test_a_backup_overwrites_only_by_force(tmp_path: Path) -> None:
    file, saved = tmp_path / "spike.db", tmp_path / "mine.jsonl.gz"
    run("db", "upgrade", "--database", file)
    saved.write_text("precious")
    assert "already exists" in refused(run("db", "backup", saved, "--database", file))
    assert saved.read_text() == "precious"
    assert run("db", "backup", saved, "--force", "--database", file).code == 0
    assert saved.read_bytes().startswith(b"\x1f\x8b")
