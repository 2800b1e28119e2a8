"""The app of one worker, made from the environment, and what spares it the garbage collector."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lastspike.server.config.settings import CONFIG_JSON, Config
from lastspike.server.jobs.child_process import inherit_nothing
from lastspike.server.monitoring import logs

if TYPE_CHECKING:
    from litestar import Litestar


def app_from_environment() -> Litestar:
    """What uvicorn's worker processes run. The settings come through the environment."""
    config = Config.from_env_json(os.environ[CONFIG_JSON])
    logs.set_up(config)
    inherit_nothing()
    with uncollected():
        from lastspike.server.http.app import make_app

        app = make_app(config)
    app.on_startup.append(spare_collections)
    return app


@contextmanager
def uncollected() -> Iterator[None]:
    """The garbage collector looks at what is imported and made here neither now nor later.

    A starting server makes 200,000 objects that stay and next to no garbage. Looking through them
    again and again took a fifth of the CPU time of a start.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def spare_collections() -> None:
    """Keep the garbage collector away from objects that exist once a worker has started.

    With 2,000 sockets open a full collection took more than a quarter of a second, in which nobody
    was served. It can't be left out: closed sockets leave cycles that only it frees.
    """
    gc.freeze()
    gc.set_threshold(10_000, 10, 30)
