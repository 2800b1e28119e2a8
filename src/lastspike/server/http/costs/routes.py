"""The cost budget of every HTTP route. docs/security.md shows it, and tests send the largest
allowed input to each."""

from __future__ import annotations

from typing import Any

from litestar import Litestar, Request
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from lastspike.server.table.limits import MOST_FIGURES_BYTES, MOST_RECORD_BYTES

from .cost import KIB, Cost

NO_BODY = KIB
"""Room for the few bytes that a client may send where nothing is read."""
_SETTINGS = MOST_FIGURES_BYTES + 4 * KIB
_RECORD = MOST_RECORD_BYTES + 4 * KIB
_TOML = 4 * MOST_FIGURES_BYTES
"""Twice the figures in letters, which JSON may write with two bytes each."""

READ = Cost(body=NO_BODY)
_PAGE = READ._replace(answer=24)
"""With all announcements."""
ACT = Cost(body=KIB)
_OPERATE = Cost(body=2 * KIB, calls=20, statements=12)

COSTS: dict[str, Cost] = {
    # The page and its files, from memory.
    "GET /": _PAGE,
    "GET /about": _PAGE,
    "GET /admin": _PAGE,
    "GET /alerts": _PAGE,
    "GET /edition": _PAGE,
    "GET /edition/{edition_id}": _PAGE,
    "GET /history": _PAGE,
    "GET /learn": _PAGE,
    "GET /lesson": _PAGE,
    "GET /record": _PAGE,
    "GET /review": _PAGE,
    "GET /review/{table_id}": _PAGE,
    "GET /rules": _PAGE,
    "GET /rules/{edition_id}": _PAGE,
    "GET /table/{table_id}": _PAGE,
    "GET /unsubscribe/{token}": _PAGE,
    "GET /verify": _PAGE,
    "GET /verify/{table_id}": _PAGE,
    "GET /web/{version}/{path}": READ._replace(answer=400),
    "GET /worker.js": READ._replace(answer=16),
    "GET /robots.txt": READ,
    "GET /.well-known/security.txt": READ,
    # Operations.
    "GET /healthz": READ,
    "GET /metrics": READ._replace(tokens=5, answer=64),
    "GET /schema": READ._replace(tokens=5, answer=400),
    "GET /schema/openapi.json": READ._replace(tokens=5, answer=400),
    "GET /schema/{path}": READ._replace(tokens=5, answer=400),
    "GET /schema/socket.json": READ._replace(tokens=5, answer=72),
    "GET /api/about": READ._replace(answer=100),
    # Persons.
    "GET /api/me": READ,
    "POST /api/me": ACT,
    "DELETE /api/me": READ._replace(tokens=30, note="rewrites every log that names the person"),
    "GET /api/me/tables": READ._replace(
        tokens=10, calls=400, statements=250, answer=128, note="at most 100 tables"
    ),
    "POST /api/me/link": ACT._replace(tokens=3, calls=80, answer=32),
    "POST /api/me/use-link": ACT._replace(tokens=10),
    "GET /api/me/devices": READ._replace(tokens=3, calls=8, answer=16),
    "DELETE /api/me/devices/{device}": READ._replace(calls=12, statements=8),
    "DELETE /api/me/other-devices": READ._replace(calls=12, statements=8),
    "POST /api/me/log-out": READ._replace(calls=12, statements=8),
    "POST /api/me/publishing": ACT,
    "GET /api/me/history": READ._replace(
        tokens=30, calls=40, statements=20, answer=400, note="a thread replays 200 games at most"
    ),
    "GET /api/me/export": READ._replace(
        tokens=60,
        calls=400,
        statements=40,
        answer=8000,
        note="a thread replays all the person's games",
    ),
    # Alerts.
    "GET /api/webhooks": READ._replace(answer=16),
    "POST /api/webhooks": ACT._replace(tokens=20, note="one DNS lookup, in a process"),
    "DELETE /api/webhooks/{webhook_id}": READ,
    "GET /api/me/alerts": READ._replace(calls=8, answer=16),
    "PUT /api/me/alerts": ACT,
    "POST /api/me/alerts/push": Cost(
        tokens=20, calls=8, statements=8, note="one DNS lookup, in a process"
    ),
    "POST /api/me/alerts/mail": ACT._replace(
        tokens=20, calls=20, statements=8, note="sends an e-mail, in a thread"
    ),
    "DELETE /api/me/alerts/{channel_id}": READ,
    "POST /api/alerts/confirm": ACT._replace(tokens=5),
    "POST /unsubscribe/{token}": ACT._replace(tokens=5),
    "POST /api/me/holidays": ACT._replace(
        tokens=20, calls=400, statements=400, note="tells all the person's games of days"
    ),
    "DELETE /api/me/holidays/{holiday}": READ._replace(
        tokens=20, calls=400, statements=400, note="tells all the person's games of days"
    ),
    # Tables.
    "GET /api/tables": READ._replace(
        tokens=10, calls=400, statements=250, answer=128, note="at most 100 tables"
    ),
    "POST /api/tables": Cost(tokens=5, body=_SETTINGS, calls=40),
    "GET /api/tables/{table_id}": READ._replace(answer=48),
    "POST /api/tables/{table_id}/seats": ACT,
    "PUT /api/tables/{table_id}/seats/{seat}": ACT,
    "PATCH /api/tables/{table_id}/settings": Cost(tokens=5, body=_SETTINGS, calls=60),
    "POST /api/tables/{table_id}/leave": ACT,
    "POST /api/tables/{table_id}/return": ACT,
    "POST /api/tables/{table_id}/hand-over": ACT,
    "POST /api/tables/{table_id}/remove": ACT,
    "POST /api/tables/{table_id}/mute": ACT,
    "POST /api/tables/{table_id}/hide": ACT._replace(calls=10),
    "POST /api/tables/{table_id}/close": ACT,
    "POST /api/tables/{table_id}/agree-to-end": ACT,
    "POST /api/tables/{table_id}/nudge": ACT,
    "POST /api/tables/{table_id}/report": ACT._replace(tokens=5),
    "POST /api/tables/{table_id}/rematch": ACT._replace(tokens=5, calls=60, statements=10),
    "GET /api/tables/{table_id}/record": READ._replace(tokens=5, calls=20, answer=96),
    "GET /api/tables/{table_id}/qr": READ._replace(tokens=5, calls=80, answer=32),
    # The Daily Deal.
    "GET /daily": _PAGE,
    "GET /daily/{day}": _PAGE,
    "GET /api/daily": READ._replace(calls=20, statements=12),
    "POST /api/daily/{day}": ACT._replace(tokens=5, calls=40),
    "GET /api/daily/calendar": READ._replace(
        tokens=5, calls=40, answer=32, note="at most 100 tries"
    ),
    "GET /api/daily/lists": READ._replace(
        tokens=5, calls=40, answer=48, note="the database ranks them every 30 s"
    ),
    "PUT /api/daily/listing": ACT,
    "GET /api/daily/results/{table_id}": READ._replace(tokens=2, calls=20, statements=12),
    "GET /api/daily/proof/{day}": READ,
    "GET /api/daily/link": READ,
    # Records, reviews, editions and studies.
    "POST /api/records": Cost(tokens=20, body=_RECORD, answer=400, note="a process replays it"),
    "POST /api/records/play-on": Cost(
        tokens=20, body=_RECORD, calls=40, statements=10, note="a process replays it"
    ),
    "POST /api/records/review": Cost(
        tokens=20, body=_RECORD, answer=400, note="a process replays it, a job reviews it"
    ),
    "POST /api/tables/{table_id}/review": READ._replace(
        tokens=5, calls=20, answer=400, note="a job reviews it"
    ),
    "GET /api/jobs/{job}/progress": READ._replace(note="open for 5 s"),
    "GET /api/editions": READ,
    "GET /api/editions/{edition_id}": READ._replace(answer=16),
    "POST /api/editions/check": Cost(tokens=5, body=_TOML, answer=160, note="a process reads it"),
    "POST /api/studies": Cost(
        tokens=5, body=_SETTINGS, answer=64, note="a process reads it, a job plays it"
    ),
    "GET /api/lessons/{lesson_id}": READ._replace(tokens=3, answer=400),
    # The operator, who alone has the key. Without it, each of them is a plain request.
    "GET /api/admin": READ._replace(calls=20, statements=12, answer=16),
    "GET /api/admin/tables": READ._replace(calls=40, statements=8, answer=64),
    "GET /api/admin/tables/{table_id}": READ._replace(calls=400, statements=12, answer=400),
    "GET /api/admin/persons": READ._replace(calls=40, statements=8, answer=32),
    "GET /api/admin/persons/{person}": READ._replace(calls=40, statements=10, answer=64),
    "GET /api/admin/connections": READ._replace(calls=40, answer=100),
    "GET /api/admin/bans": READ._replace(calls=40, answer=400, note="at most 1,000 bans"),
    "GET /api/admin/reports": READ._replace(
        calls=400, statements=110, answer=400, note="reads the chat of at most 50 tables"
    ),
    "GET /api/admin/audit": READ._replace(calls=20, answer=100),
    "POST /api/admin/tables/{table_id}/close": _OPERATE,
    "POST /api/admin/tables/{table_id}/delete": _OPERATE,
    "POST /api/admin/tables/{table_id}/redact": _OPERATE,
    "POST /api/admin/persons/{person}/rename": _OPERATE._replace(
        calls=400, statements=400, note="rewrites every log that names the person"
    ),
    "POST /api/admin/persons/{person}/erase": _OPERATE._replace(
        calls=400, statements=400, note="rewrites every log that names the person"
    ),
    "POST /api/admin/bans": _OPERATE._replace(
        calls=400, statements=400, note="a computer plays at the person's tables"
    ),
    "DELETE /api/admin/bans/{ban_id}": _OPERATE._replace(body=NO_BODY, calls=40),
    "POST /api/admin/announcements": _OPERATE._replace(body=4 * KIB),
    "DELETE /api/admin/announcements/{announcement}": _OPERATE._replace(body=NO_BODY),
    "POST /api/admin/reports/{report}/settle": _OPERATE,
}
"""By method and path, without the types of its parameters."""


def routes_of(app: Litestar) -> dict[str, HTTPRouteHandler]:
    """The handler of each route of the app, by method and path as in `COSTS`."""
    return {
        f"{method} {route.path_format}": handler
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for method in handler.http_methods
        if method != "OPTIONS"
    }


def limit_bodies(app: Litestar, most: int) -> None:
    """Let each route take in what its budget says. Call this before the first request."""
    for name, handler in routes_of(app).items():
        handler.request_max_body_size = min(most, COSTS.get(name, READ).body)


def cost_of(request: Request[Any, Any, Any]) -> Cost:
    method = "GET" if request.method == "HEAD" else request.method
    return COSTS.get(f"{method} {request.scope['path_template']}", READ)
