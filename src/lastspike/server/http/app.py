"""The application: routes, services, and the guard in front of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from lastspike import __version__
from lastspike.server.config.settings import Config
from lastspike.server.storage.notifications import News, make_channels

from .admin.routes import Admin
from .alerts.personal import PersonalAlertRoutes, unsubscribe
from .alerts.webhooks import Webhooks
from .costs.routes import cost_of, limit_bodies
from .guard import guard, open_to_banned
from .limits.rate_limits import RateLimits, caller_key
from .problems import EXCEPTION_HANDLERS
from .routes.editions import check_edition, edition, editions, study_edition
from .routes.jobs import follow_job
from .routes.lessons import lesson
from .routes.me import Me
from .routes.operations import about, healthz, metrics_text, robots, security_text, socket_schema
from .routes.pages import page, qr, unknown_address, web_file, worker
from .routes.records import look_at_record, play_on_from
from .routes.reviews import review_record, review_table
from .routes.socket import live
from .routes.tables import Tables, at_table
from .routing import COMPONENTS, SECURITY
from .services import Services

BODY_BYTES = 128 * 1024
"""The longest body of a request. Most routes take less: see `costs/routes.py`."""

NOT_COMPRESSED = ["^/web/", "^/api/jobs/", "^/api/me/export"]
"""Files are compressed already, streams never wait to be, and what may be megabytes would hold up
everybody while it is."""


def make_app(config: Config) -> Litestar:
    """One worker's application. Its services open when it starts, and close when it stops."""
    limits = RateLimits(config)
    channels = make_channels(config.database)
    services = Services(config, limits, News(channels))

    @asynccontextmanager
    async def running(_app: Litestar) -> AsyncIterator[None]:
        await services.open()
        try:
            yield
        finally:
            await services.close()

    async def admit(request: Request[Any, Any, Any]) -> None:
        """The guard has taken one token; the route may cost more. It has also looked for bans of
        the address, but doesn't know the person."""
        limits.charge(caller_key(request.scope), cost_of(request).tokens - 1)
        if services.bans.any_person and not open_to_banned(request.scope):
            person = await services.sessions.known(request)
            services.bans.check(None if person is None else person.id, "")

    app = Litestar(
        route_handlers=[
            Me,
            Webhooks,
            PersonalAlertRoutes,
            unsubscribe,
            Tables,
            Admin,
            live,
            page,
            web_file,
            worker,
            edition,
            editions,
            check_edition,
            study_edition,
            lesson,
            look_at_record,
            play_on_from,
            review_record,
            review_table,
            follow_job,
            qr,
            healthz,
            metrics_text,
            socket_schema,
            about,
            robots,
            security_text,
        ],
        dependencies={
            "services": Provide(lambda: services, sync_to_thread=False),
            "at": Provide(at_table),
        },
        # In this order: the services listen to the channels, which would open last as a plugin.
        lifespan=[channels, running],
        exception_handlers={**EXCEPTION_HANDLERS, NotFoundException: unknown_address(services)},
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1000, gzip_compress_level=4, exclude=NOT_COMPRESSED
        ),
        before_request=admit,
        request_max_body_size=BODY_BYTES,
        openapi_config=OpenAPIConfig(
            title="The Last Spike",
            version=__version__,
            description="Tables, seats and persons. Playing goes through a WebSocket; see docs.",
            components=COMPONENTS,
            security=SECURITY,
            path="/schema",
            render_plugins=[JsonRenderPlugin()],
        ),
        logging_config=None,
        state=State({"services": services}),
        signature_namespace={"Services": Services},
        debug=False,
    )
    limit_bodies(app, BODY_BYTES)
    return guard(app, config, limits, lambda address: services.bans.check(None, address))
