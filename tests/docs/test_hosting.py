"""docs/hosting.md and its files: every setting is there, every command and option exists."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from configparser import RawConfigParser
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import typer

from lastspike.cli.app import app
from lastspike.cli.hosting.files import FILES
from lastspike.server.config.reading import read_config
from lastspike.server.config.settings import SHORTEST_TOKEN, USUAL_PORT, Config, Limits
from lastspike.server.http.app import BODY_BYTES
from lastspike.server.http.limits.rate_limits import SOCKETS_TOTAL
from lastspike.server.monitoring import metrics
from lastspike.server.run.serving import GRACE
from lastspike.server.storage.writing.committer import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "hosting.md").read_text("utf-8")
SETTINGS = FILES / "lastspike.toml"

OF_THE_MACHINE = {"database", "player_processes"}
"""Settings whose default follows from where the server runs."""
ONLY_EXAMPLES = {
    *("create_token", "admin_key_hash", "name", "contact", "privacy", "imprint"),
    *("smtp_host", "smtp_user", "smtp_password", "mail_from", "daily_follow", "daily_key"),
}
"""Settings that nobody has until they choose one: the file shows what one looks like."""
COMMANDS = {"--version", "admin", "config", "db", "games", "hosting", "serve", "status", "verify"}
METRICS = ["/metrics", "/metrics/", "/metrics//", "/spike/metrics", "/spike/spike/metrics/"]


def blocks(language: str) -> list[str]:
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", PAGE)


def table(heading: str) -> dict[str, str]:
    """The defaults of a table of the page, by the settings' names."""
    rows = PAGE.partition(f"| {heading} | default |")[2].partition("\n\n")[0]
    cells = [[cell.strip() for cell in row.split("|")[1:3]] for row in rows.splitlines()[2:]]
    return {name.strip("`"): default for name, default in cells}


def uncommented() -> str:
    """The example with every setting that it only shows."""
    return re.sub(r"(?m)^# (?=[a-z0-9_]+ = )", "", SETTINGS.read_text("utf-8"))


def shown(value: object) -> str:
    """A default as the page writes it."""
    match value:
        case None | ():
            return "none"
        case bool():
            return f"`{str(value).lower()}`"
        case tuple():
            return ", ".join(f"`{each}`" for each in value)
        case _:
            return f"`{value}`"


@pytest.mark.parametrize(("heading", "model"), [("setting", Config), ("limit", Limits)])
def test_the_page_has_every_setting_with_its_default(
    heading: str, model: type[Config] | type[Limits]
) -> None:
    told = table(heading)
    assert set(told) == set(model.__struct_fields__) - {"limits"}
    defaults = model()
    for name in set(told) - OF_THE_MACHINE:
        assert told[name] == shown(getattr(defaults, name)), name


def test_the_example_is_accepted_and_has_every_setting() -> None:
    config = read_config(SETTINGS, {}, {})
    assert config.database_file == Path("/var/lib/lastspike/last-spike.db")
    assert config.secure
    everything = tomllib.loads(uncommented())
    limits = everything.pop("limits")
    assert set(everything) == set(Config.__struct_fields__) - {"limits"}
    assert set(limits) == set(Limits.__struct_fields__)


def test_what_the_example_only_shows_is_what_holds_anyway(tmp_path: Path) -> None:
    (tmp_path / "all.toml").write_text(uncommented(), "utf-8")
    everything = read_config(tmp_path / "all.toml", {}, {})
    example = read_config(SETTINGS, {}, {})
    for name in set(Config.__struct_fields__) - OF_THE_MACHINE - ONLY_EXAMPLES:
        assert getattr(everything, name) == getattr(example, name), name
    assert all(getattr(example, name) is None for name in ONLY_EXAMPLES)
    assert all(getattr(everything, name) for name in ONLY_EXAMPLES)
    assert len(everything.create_token or "") >= SHORTEST_TOKEN


def test_the_settings_of_a_venue_of_mail_and_of_several_hosts_are_accepted(tmp_path: Path) -> None:
    configs = []
    for block in blocks("toml"):
        (tmp_path / "host.toml").write_text(block, "utf-8")
        configs.append(read_config(tmp_path / "host.toml", {}, {}))
    venue, evening, mail, hosts = configs
    assert venue.venues
    assert mail.smtp_host
    assert mail.smtp_security == "starttls"
    assert evening.limits.persons_per_address_per_hour > 115
    assert mail.smtp_host
    assert not hosts.is_sqlite
    assert hosts.workers > 1


# ---- commands -------------------------------------------------------------------------------


def command_lines() -> list[list[str]]:
    """What follows our command wherever it is called: in the page, and in the units."""
    texts = [*blocks("sh"), *re.findall(r"`([^`]+)`", re.sub(r"(?ms)^```.*?^```$", "", PAGE))]
    texts += [file.read_text("utf-8") for file in FILES.glob("*.service")]
    lines = [line for text in texts for line in re.sub(r"\\\n\s*", "", text).splitlines()]
    called = [re.search(r"(?:^|bin/)lastspike ([^#]+)", line) for line in lines]
    return [each[1].replace("'", "").split() for each in called if each]


def options(command: Any) -> set[str]:
    return {option for parameter in command.params for option in parameter.opts}


def test_every_command_and_option_exists() -> None:
    lines = command_lines()
    assert {line[0] for line in lines} == COMMANDS
    for line in lines:
        command: Any = typer.main.get_command(app)
        words = list(line)
        known = options(command)
        while hasattr(command, "commands") and words and not words[0].startswith("-"):
            command = command.commands[words.pop(0)]
            known |= options(command)
            while hasattr(command, "commands") and words and words[0] in known - {"--help"}:
                del words[:2]  # an option of the group, with its value
        used = {word for word in words if word.startswith("--")} - {"--help"}
        assert used <= known, line


def test_every_file_that_is_named_is_there_and_every_file_is_named() -> None:
    named = set(re.findall(r"/opt/lastspike/hosting/([\w.-]+[\w])", PAGE))
    assert named == {file.name for file in FILES.iterdir()}
    assert all(f"(../src/lastspike/cli/hosting/files/{name})" in PAGE for name in named)


# ---- systemd --------------------------------------------------------------------------------


def unit(name: str) -> RawConfigParser:
    """A unit; of a key that is there twice, the last."""
    parser = RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(FILES / name, "utf-8")
    return parser


def test_the_unit_lets_the_server_end_in_peace_and_start_again() -> None:
    service = unit("lastspike.service")["Service"]
    assert int(service["TimeoutStopSec"]) > GRACE + PATIENCE_SECONDS
    assert service["KillMode"] == "mixed"
    assert service["Restart"] == "always"
    assert int(service["LimitNOFILE"]) > 2 * SOCKETS_TOTAL
    assert service["ExecStart"].endswith("lastspike serve --config /etc/lastspike.toml")


def test_the_unit_may_write_to_its_own_folder_only() -> None:
    service = unit("lastspike.service")["Service"]
    assert service["ProtectSystem"] == "strict"
    assert service["NoNewPrivileges"] == "yes"
    assert service["CapabilityBoundingSet"] == ""
    assert "ReadWritePaths" not in service
    database = read_config(SETTINGS, {}, {}).database_file
    assert database is not None
    assert database.parent == Path("/var/lib") / service["StateDirectory"]


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """Where systemd is. It wants the program to be there, so another stands in for ours."""
    units = [*FILES.glob("*.service"), *FILES.glob("*.timer")]
    assert len(units) == 3
    program = shutil.which("systemd-analyze")
    if program is None:
        return
    for each in units:
        text = each.read_text("utf-8").replace("/opt/lastspike/bin/lastspike", sys.executable)
        (tmp_path / each.name).write_text(text, "utf-8")
    done = subprocess.run(
        [program, "verify", "--man=no", *(str(tmp_path / each.name) for each in units)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    ours = [line for line in done.stderr.splitlines() if "lastspike" in line]
    assert not ours, done.stderr


def test_the_nightly_backup_does_what_it_says(tmp_path: Path) -> None:
    service = unit("lastspike-backup.service")["Service"]
    database, backups = tmp_path / "last-spike.db", tmp_path / "backups"
    backups.mkdir()
    (tmp_path / "lastspike.toml").write_text(f'database = "{database}"\n', "utf-8")
    lastspike = f"{shlex.quote(sys.executable)} -m lastspike"
    subprocess.run(
        f"{lastspike} db upgrade --database {shlex.quote(str(database))}",
        shell=True,
        check=True,
        timeout=120,
    )
    before = datetime.now()  # noqa: DTZ005, the file is named after the machine's own day
    program, flag, script = _words(service["ExecStart"])
    assert (program, flag) == ("/bin/sh", "-c")
    script = script.replace("/opt/lastspike/bin/lastspike", lastspike)
    script = script.replace("/etc/lastspike.toml", str(tmp_path / "lastspike.toml"))
    script = script.replace("/var/backups/lastspike", str(backups))
    subprocess.run(["/bin/sh", "-c", script], check=True, timeout=120)
    (saved,) = backups.iterdir()
    assert saved.name >= f"{before:%Y-%m-%d-%H%M%S}.jsonl.gz"
    assert saved.stat().st_mode & 0o077 == 0

    tidy = _words(service["ExecStartPost"])
    assert saved.match(tidy[tidy.index("-name") + 1])


def _words(text: str) -> list[str]:
    """A command of a unit, as systemd reads it."""
    joined = re.sub(r"\\\s+", "", text)
    return [word.replace("%%", "%").replace("$$", "$") for word in shlex.split(joined)]


# ---- proxies --------------------------------------------------------------------------------

NGINX = (FILES / "nginx.conf").read_text("utf-8")
CADDY = (FILES / "Caddyfile").read_text("utf-8")


def sub_path_of_nginx() -> str:
    return next(block for block in blocks("nginx") if "location" in block)


@pytest.mark.parametrize("config", [NGINX, sub_path_of_nginx()], ids=["site", "sub-path"])
def test_nginx_passes_on_what_the_server_needs(config: str) -> None:
    for header in (
        "Host $host",
        "X-Forwarded-For $remote_addr",
        "X-Forwarded-Proto $scheme",
        "Upgrade $http_upgrade",
        "Connection $lastspike_connection",
    ):
        assert f"proxy_set_header {header};" in config
    assert "proxy_http_version 1.1;" in config
    assert f"client_max_body_size {BODY_BYTES // 1024}k;" in config


@pytest.mark.parametrize("host", ["10.0.0.11", "10.0.0.12"])
def test_nginx_does_not_keep_away_from_a_host_that_is_back(host: str) -> None:
    (upstream,) = (block for block in blocks("nginx") if "upstream" in block)
    assert f"server {host}:{USUAL_PORT} max_fails=0;" in upstream
    assert f"# server {host}:{USUAL_PORT} max_fails=0;" in NGINX


def test_proxies_keep_the_figures_to_themselves() -> None:
    (of_nginx,) = re.findall(r"location ~ (\S+) \{\s+return 404;", NGINX)
    of_caddy = re.findall(r"path_regexp (\S+)\s+respond @metrics 404", CADDY + PAGE)
    assert len(of_caddy) == 2
    for pattern in (of_nginx, *of_caddy):
        assert all(re.search(pattern, path) for path in METRICS)
        assert not re.search(pattern, "/api/tables/metrics0")
    (under,) = re.findall(r"location ~ (\S+) \{\s+return 404;", sub_path_of_nginx())
    assert all(re.search(under, f"/spike{path}") for path in METRICS)
    assert not re.search(under, "/elsewhere/metrics")


def test_nginx_takes_its_configuration(tmp_path: Path) -> None:
    """Where nginx is."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    (upstream,) = (block for block in blocks("nginx") if "upstream" in block)
    head = NGINX[: NGINX.index("upstream")]
    name = "    server_name example.org;\n"
    variants = {
        "site": NGINX,
        "sub-path": f"{head}{upstream}server {{\n    listen 80;\n{name}{sub_path_of_nginx()}}}\n",
    }
    for variant, text in variants.items():
        text = re.sub(r"listen (\[::\]:)?\d+( ssl)?;", f"listen unix:{tmp_path}/s;", text, count=1)
        text = re.sub(r"\n\s+(listen (\[::\]:)?\d+|ssl_certificate)\S*( \S+)?;", "", text)
        temporary = " ".join(
            f"{kind}_temp_path {tmp_path}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (tmp_path / "nginx.conf").write_text(
            f"pid {tmp_path}/pid; error_log stderr; events {{}}\n"
            f"http {{ access_log off; {temporary}\n{text}\n}}\n"
        )
        if program is None:
            continue
        done = subprocess.run(
            [program, "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, f"{variant}: {done.stderr}"


def test_caddy_takes_its_configuration(tmp_path: Path) -> None:
    """Where Caddy is."""
    (block,) = blocks("caddyfile")
    assert f"reverse_proxy 127.0.0.1:{USUAL_PORT}\n" in CADDY
    assert f"reverse_proxy 127.0.0.1:{USUAL_PORT}\n" in block
    program = shutil.which("caddy")
    several = re.sub(r"(?m)^\t# (?=reverse|\t|})", "\t", CADDY)
    several = several.replace(f"\treverse_proxy 127.0.0.1:{USUAL_PORT}\n", "")
    assert several.count("\n\treverse_proxy 10.0.0.11:") == 1
    for text in (CADDY, several, f"example.org {{\n{block}}}\n"):
        (tmp_path / "Caddyfile").write_text(text, "utf-8")
        if program is None:
            continue
        done = subprocess.run(
            [program, "validate", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile"],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        )
        assert done.returncode == 0, done.stderr


# ---- monitoring -----------------------------------------------------------------------------


def test_the_dashboard_and_the_alerts_use_metrics_that_exist() -> None:
    """By the names that `/metrics` gives out, histograms and labels included."""
    for reason in metrics.REFUSED, metrics.THINKING_SECONDS, metrics.WEBHOOKS:
        reason.labels("example")
    served = metrics.render().decode()
    names = set(re.findall(r"(?m)^(lastspike_\w+)", served))
    labels = set(re.findall(r"[{,](\w+)=", served)) | {"instance", "job"}
    dashboard = json.loads((FILES / "grafana.json").read_text("utf-8"))
    shown = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    alarms = re.findall(r"(?m)^ +expr: (.+)$", (FILES / "alerts.yml").read_text("utf-8"))
    assert len(alarms) == 5
    for text in (*shown, *alarms):
        used = set(re.findall(r"\blastspike_\w+", text))
        assert used <= names, text
        assert used or "up{" in text
        grouped = re.findall(r"by \(([^)]+)\)", text)
        assert {label.strip() for each in grouped for label in each.split(",")} <= labels, text
    counted = {name.removesuffix("_created") for name in names}
    told = set(re.findall(r"`(lastspike_\w+)`", PAGE))
    assert {re.sub(r"_(bucket|sum|count)$", "", name) for name in counted} - told <= {
        "lastspike_commit_steps"
    }
