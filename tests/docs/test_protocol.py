"""`docs/protocol.md` says what the server does: its schema is the code's, its examples are
messages, and no route, message, happening, event, close code or limit is missing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs
import msgspec
import pytest

from lastspike import protocol as p
from lastspike.rules.events import KINDS
from lastspike.rules.records.shuffle import commitment
from lastspike.rules.view import table_to_json
from lastspike.server.config.settings import Config, Limits
from lastspike.server.http.alerts.personal import MOST_CHANNELS
from lastspike.server.http.alerts.webhooks import MOST_WEBHOOKS
from lastspike.server.http.app import BODY_BYTES, make_app
from lastspike.server.http.costs.messages import MESSAGE_BYTES
from lastspike.server.http.limits import rate_limits
from lastspike.server.http.routes import socket
from lastspike.server.http.routes.socket_schema import (
    GameView,
    OpenTable,
    socket_schema,
    socket_schema_text,
)
from lastspike.server.live import connection
from lastspike.server.people import holidays, sessions
from lastspike.server.run import serving, websocket
from lastspike.server.table import commands, limits
from lastspike.server.table import log_events as e
from lastspike.server.table import text as server_text
from lastspike.server.table.views import (
    Viewer,
    clock_info,
    encode,
    game_view,
    preview_for,
    steps_for,
    table_info,
    you_info,
)
from tests.server.paper import HOST, Paper, secret_of

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "protocol.md").read_text("utf-8")
SCHEMA = socket_schema()
EXAMPLES = re.findall(r"(?ms)^```json ?(\w*)\n(.*?)^```$", PAGE)
FROM_CLIENT, TO_CLIENT = get_args(p.FromClient), get_args(p.ToClient)


def tag(message: Any) -> str:
    return str(message.__struct_config__.tag)


def valid(value: object, name: str) -> None:
    """Valid by the schema as it is in the repository, and as it would be sent."""
    schema = {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}
    jsonschema_rs.validator_for(schema).validate(value)


def section(title: str) -> str:
    found = re.search(rf"(?ms)^(#+) {re.escape(title)}\n(.*?)(?=^#+ |\Z)", PAGE)
    assert found, title
    return found[2]


def flat(title: str) -> str:
    """A section on one line."""
    return " ".join(section(title).split())


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


# ---- the schema -----------------------------------------------------------------------------


def test_the_schema_in_the_repository_is_that_of_the_code() -> None:
    stored = (DOCS / "protocol" / "socket.json").read_text("utf-8")
    again = "python -m lastspike.server.http.routes.socket_schema > docs/protocol/socket.json"
    assert stored == socket_schema_text(), f"run {again}"


def test_the_schema_can_be_printed() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "lastspike.server.http.routes.socket_schema"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert printed.stdout == socket_schema_text()


def test_the_schema_is_one_and_every_reference_in_it_leads_somewhere() -> None:
    jsonschema_rs.meta.validate(SCHEMA)
    for name in re.findall(r'"#/\$defs/(\w+)"', socket_schema_text()):
        assert name in SCHEMA["$defs"]


def told(paper: Paper, viewer: Viewer, person: str | None) -> Iterator[dict[str, Any]]:
    """Messages of each kind that the server would send now, as they arrive."""
    state = paper.state
    view, steps = game_view(state, viewer.seat), steps_for(state, paper.log, viewer)
    parts = (you_info(state, person), table_info(state))
    clock = clock_info(state)
    messages: list[p.ToClient] = [
        p.Welcome(1, "0", 0, *parts, steps, viewer.seat, view, clock),
        p.News(steps),
        p.Presence([True, False], [None, 1], 0),
        p.Accepted("x", 1),
        p.Announced([p.Announcement("x", "!", 0, 1)]),
        p.Pong("x", 1),
        p.Hinted("x", "clerk", ["A1"], [{"reason": "OnlyMove"}], ["!"]),
    ]
    problem = p.Problem("", "", {})
    messages += [p.Refused(problem), p.Refused(problem, "x", True, 3, view)]
    if view is not None:
        messages.append(p.News(steps[-1:], parts[1], parts[0], viewer.seat, view, clock))
        messages.append(p.CurrentView(viewer.seat, view))
    if viewer.seat is not None and state.to_move() == viewer.seat:
        legal = state.playing.legal_moves[0].text
        messages.append(preview_for(state, viewer.seat, "x", [legal]))
    return (json.loads(encode(message)) for message in messages)


@pytest.mark.parametrize(
    "settings",
    [p.Settings(), p.Settings(options=p.GameOptions(cash="hidden"), clock=p.LiveClock(bank=10))],
    ids=str,
)
def test_what_a_server_sends_in_a_game_is_valid(settings: p.Settings) -> None:
    paper = Paper(("me", None, "clerk"), settings)
    seen = set()
    for moment in ("made", "dealt", "playing", "over"):
        match moment:
            case "dealt":
                paper.sit("a")
                paper.start()
            case "playing":
                paper.do(commands.say, HOST, "", "hello")
                paper.do(commands.leave, "a", False, bytes(32))
                paper.play(20)
            case "over":
                paper.play()
        for viewer in (Viewer(0, True), Viewer(1, True), Viewer()):
            for message in told(paper, viewer, HOST):
                valid(message, "ToClient")
                seen.add(message["type"])
    assert seen == {tag(message) for message in TO_CLIENT}


def test_a_message_with_something_wrong_is_not_valid() -> None:
    paper = Paper(("me", "clerk"))
    paper.start()
    for message in told(paper, Viewer(0, True), HOST):
        with pytest.raises(jsonschema_rs.ValidationError):
            valid(message | {"type": "else"}, "ToClient")
        for key, value in message.items():
            if key in ("view", "steps") and value:
                spoilt = {"hands": 7} if key == "view" else [{"number": 1, "at": 1}]
                with pytest.raises(jsonschema_rs.ValidationError):
                    valid(message | {key: spoilt}, "ToClient")


def test_the_views_of_the_schema_have_the_keys_of_real_ones() -> None:
    paper = Paper(("me", "clerk"))
    paper.start()
    view = game_view(paper.state, 0)
    assert view is not None
    assert set(view) == set(GameView.__struct_fields__)
    table = table_to_json(paper.state.playing.position.table)
    assert list(table) == list(OpenTable.__struct_fields__)


# ---- the examples ---------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "text"), EXAMPLES)
def test_each_example_is_a_message(name: str, text: str) -> None:
    example = json.loads(text)
    if name:
        msgspec.convert(example, getattr(p, name))
        if name in SCHEMA["$defs"]:
            valid(example, name)
        return
    if example["type"] in map(tag, FROM_CLIENT):
        message = msgspec.convert(example, p.FromClient)
        valid(example, "FromClient")
    else:
        message = msgspec.convert(example, p.ToClient)
        valid(example, "ToClient")
    # An example leaves nothing out but what a message may leave out.
    assert set(message.__struct_fields__) - set(example) <= {"table", "you"}


@pytest.mark.parametrize("message", [*FROM_CLIENT, *TO_CLIENT], ids=tag)
def test_each_message_has_its_section_with_an_example(message: Any) -> None:
    text = section(tag(message))
    assert f"(`{message.__name__}`)" in text
    examples = re.findall(r"(?ms)^```json\n(.*?)^```$", text)
    assert tag(message) in [json.loads(example)["type"] for example in examples]
    assert f"[{tag(message)}](#{tag(message)})" in section("The socket")


def test_the_example_of_a_commitment_is_one() -> None:
    ready, reveal = (
        next(json.loads(text) for name, text in EXAMPLES if f'"type": "{kind}"' in text)
        for kind in ("ready", "reveal")
    )
    assert commitment(bytes.fromhex(reveal["secret"])).hex() == ready["commitment"]
    assert len(secret_of("any")) == len(bytes.fromhex(reveal["secret"]))


# ---- what there is --------------------------------------------------------------------------


def test_each_happening_has_its_row_with_its_keys() -> None:
    found = {row[0].strip("`"): row[1] for row in rows(section("Happenings"))}
    kinds = {tag(kind): kind for kind in get_args(e.AnyLogEvent)}
    assert set(found) == set(kinds)
    for name, kind in kinds.items():
        keys = {
            f"[`{field.name}`]" if not field.required else f"`{field.name}`"
            for field in msgspec.structs.fields(kind)
        }
        if name in ("game_started", "turn_made"):
            keys.add("`events`")
        keys -= {"[`figures`]", "[`clock_goes_on`]"}  # only stored
        assert set(filter(None, found[name].split(", "))) == keys, name


def test_each_event_is_named() -> None:
    named = re.findall(r"`(\w+)`", section("Events").partition("lists their keys:")[2])
    assert named == list(KINDS.values())


def test_each_close_code_has_its_row() -> None:
    ours = {value for name, value in vars(p).items() if name.startswith("CLOSE_")}
    found = {row[0] for row in rows(section("How a socket ends"))}
    assert {int(code) for code in found if code.startswith("4")} == ours


@pytest.mark.filterwarnings(
    "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
)
def test_each_route_has_its_row() -> None:
    app = make_app(Config(database="sqlite+aiosqlite:////nowhere/spike.db"))
    paths = app.openapi_schema.to_schema()["paths"]
    routes = {f"`{method.upper()} {path}`" for path, of in paths.items() for method in of}
    assert {row[0] for row in rows(section("The routes"))} == routes
    socket_route = next(route.path for route in app.routes if route.path.endswith("/live"))
    assert socket_route.replace(":str", "") in section("The socket")


LIMITS = {
    "requests_per_minute": "600 a minute",
    "persons_per_address_per_hour": "60 an hour",
    "tables_per_person_per_hour": "30 an hour",
    "sockets_per_address": "100, 10,000",
    "spectators_per_table": "100",
    "job_seconds_per_address_per_hour": "900 CPU seconds an hour",
    "review_playouts": "40,000",
}
CONSTANTS = [
    ("100, 10,000", rate_limits.SOCKETS_TOTAL),
    ("60 in 10 seconds", rate_limits.MESSAGES_PER_10S),
    ("20 a minute", rate_limits.CHATS_PER_MINUTE),
    ("2,000 in all, an equal share for each", limits.MOST_SAID),
    ("60 a minute, 1,000 in all, 100 from each", rate_limits.SPECTATOR_CHATS_PER_MINUTE),
    ("60 a minute, 1,000 in all, 100 from each", limits.MOST_SAID_BY_SPECTATORS),
    ("60 a minute, 1,000 in all, 100 from each", limits.MOST_SAID_BY_SPECTATOR),
    ("600, 2,400 KiB in 10 seconds", rate_limits.FRAMES_PER_10S),
    ("600, 2,400 KiB in 10 seconds", rate_limits.KIB_PER_10S),
    ("64", websocket.MOST_FRAGMENTS),
    ("256 KiB", limits.MOST_FIGURES_IN_LOG // 1024),
    ("5,000 in all", limits.MOST_CHANGES),
    ("16 KiB", MESSAGE_BYTES // 1024),
    ("1 to 128 KiB, [by route](security.md#the-cost-budget)", BODY_BYTES // 1024),
    ("10, 12", MOST_WEBHOOKS),
    ("10, 12", MOST_CHANNELS),
    ("5 a day", rate_limits.MAILS_PER_DAY),
    ("30 days at once, 45 days a year", holidays.LONGEST_DAYS),
    ("30 days at once, 45 days a year", holidays.MOST_DAYS_A_YEAR),
    ("30 a day", rate_limits.HOLIDAYS_PER_DAY),
]


def test_the_limits_are_those_of_the_settings() -> None:
    assert set(LIMITS) == set(Limits.__struct_fields__)
    stated = [row[1] for row in rows(section("Limits"))]
    for name, text in LIMITS.items():
        assert text in stated
        assert f"{getattr(Limits(), name):,}" in text, name
    for text, value in CONSTANTS:
        assert text in stated
        assert f"{value:,}" in text
    assert (
        f"{server_text.MOST_IN_NAME}, {server_text.MOST_IN_CHAT} characters once cleaned" in stated
    )


@pytest.mark.parametrize(
    ("place", "sentence", "value"),
    [
        ("Who you are", "lasts {} days", sessions.SESSION_MS // 86_400_000),
        ("The socket", "within {} seconds", int(socket.HELLO_S)),
        ("The shuffle", "silent for {} seconds", limits.REVEAL_MS // 1000),
        ("Who is here", "ping every {} seconds", int(serving.HEARTBEAT)),
        ("Who is here", "more than {} KiB", connection.MOST_WAITING_BYTES // 1024),
        ("How a socket ends", "more than {} malformed messages", socket.PATIENCE),
    ],
)
def test_what_the_page_says_of_times_and_sizes(place: str, sentence: str, value: int) -> None:
    assert sentence.format(value) in flat(place)


def test_what_the_page_says_in_words_of_times() -> None:
    assert sessions.LINK_MS == 10 * 60_000
    assert "within ten minutes" in flat("Who you are")
    assert limits.ABSENCE_MS == 2 * 60_000
    assert "after two minutes" in flat("Who is here")
    assert limits.GRACE_MS == 60_000
    assert limits.SLOW_GRACE_MS == 12 * 3_600_000
    assert "has at least a minute, or 12 hours with `hours`" in flat("Clocks")


def test_every_place_that_the_page_points_to_is_there() -> None:
    for page, anchor in re.findall(r"\]\((\w+\.md)?#([\w-]+)\)", PAGE):
        text = PAGE if not page else (DOCS / page).read_text("utf-8")
        headings = re.findall(r"(?m)^#+ (.*)$", text)
        slugs = [re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in headings]
        assert slugs.count(anchor) == 1, f"{page}#{anchor}"
