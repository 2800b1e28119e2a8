"""The workers of a Ray cluster: of many machines, or of a Ray started on this one.

Ray retries a task on another worker if its worker dies. Usage statistics and the dashboard are off.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from tempfile import TemporaryDirectory
from typing import Any, Self

from lastspike import __version__
from lastspike.rules.errors import LastSpikeError

from .workers import AHEAD, GRACE, Result, Work

LOCAL = "local"
"""The address of a Ray that we start on this machine and that ends with us."""

AUTO = "auto"
"""The address of the cluster that this machine belongs to."""

ATTEMPTS = 4
"""How often a task is tried if its workers die."""

OBJECT_STORE = 128 << 20
"""Bytes for the object store of a local Ray; its default is a third of the memory."""

TIMEOUT = 10.0
"""Seconds for a cluster to answer."""

CLIENT = "ray://"
"""The address prefix of a cluster behind a Ray Client server."""

_ADDRESS = re.compile(rf"(?:{CLIENT})?[^\s/]+:\d{{1,5}}")


class Cluster:
    """All workers of a cluster. Entering starts or joins it, leaving ends the work.

    `cores` is for a local Ray. `LastSpikeError` if Ray is not installed or there is no cluster.
    """

    def __init__(self, address: str = LOCAL, cores: int = 1) -> None:
        self._address = address
        self._cores = cores
        self._open = ExitStack()

    def __enter__(self) -> Self:
        if not is_address(self._address):
            raise LastSpikeError(
                "--cluster: expected auto or an address such as {example}, found {found}",
                example="10.0.0.1:6379",
                found=ascii(self._address),
            )
        with ExitStack() as opening:
            # Ray reports dead workers on standard output, where our results go.
            opening.enter_context(redirect_stdout(sys.stderr))
            if self._address == LOCAL:
                opening.enter_context(_started(self._cores))
            else:
                opening.enter_context(_joined(self._address))
            self._open = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def in_order(
        self,
        task: Callable[[Work], Result],
        work: Iterable[Work],
        most: int | None = None,  # noqa: ARG002 - its workers already run
    ) -> Iterator[Result]:
        import ray

        do = ray.remote(num_cpus=1, max_retries=ATTEMPTS - 1)(_do).options(name="lastspike")
        shared = ray.put(task)
        waiting: deque[Any] = deque()
        try:
            for piece in work:
                waiting.append(do.remote(__version__, shared, piece))
                # Asked each time, because machines may come and go.
                while len(waiting) > AHEAD * ray.cluster_resources().get("CPU", 1):
                    yield _result(waiting.popleft())
            while waiting:
                yield _result(waiting.popleft())
        finally:
            if waiting and ray.is_initialized():  # the caller stopped early: cancel the rest
                for left in waiting:
                    ray.cancel(left)
                # Give running tasks time to clean up, especially external programs.
                ray.wait(list(waiting), num_returns=len(waiting), timeout=GRACE)


def is_address(text: str) -> bool:
    """Whether it has the form of a cluster's address: local, auto, or [ray://]HOST:PORT."""
    return text in (LOCAL, AUTO) or bool(_ADDRESS.fullmatch(text))


def _do(version: str, task: Callable[[Work], Result], piece: Work) -> Result:
    """Run a task in a worker of the same version."""
    if version != __version__:
        raise LastSpikeError(
            "a machine in the cluster runs version {theirs} of the game, this one runs "
            "{ours}; install the same version on both",
            theirs=__version__,
            ours=version,
        )
    return task(piece)


def _result(given: Any) -> Any:
    """Wait for a task's result; raises its error as a `LastSpikeError` where possible."""
    import ray
    from ray.exceptions import RayError, RayTaskError, WorkerCrashedError

    try:
        return ray.get(given)
    except WorkerCrashedError:
        raise LastSpikeError(
            "{n} cluster workers in a row died on the same task",
            n=ATTEMPTS,
        ) from None
    except RayTaskError as error:
        if isinstance(error.cause, LastSpikeError):
            raise error.cause from None
        if "No module named" in str(error.cause):
            raise LastSpikeError(
                "a machine in the cluster lacks a package; install the same packages there "
                "as here ({what})",
                what=re.findall(r"No module named '\S+'", str(error.cause))[-1],
            ) from None
        raise
    except RayError as error:
        raise LastSpikeError("the cluster failed: {reason}", reason=_first_line(error)) from None


@contextmanager
def _started(cores: int) -> Iterator[None]:
    """A local Ray that others can't reach: it listens on the loopback and requires a token."""
    own = {
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # listen on the loopback only
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),  # otherwise it writes one to the home directory
    }
    with (
        # Its socket names are long, so the folder's name must be short.
        TemporaryDirectory(
            prefix="lastspike-ray-", dir="/tmp", ignore_cleanup_errors=True
        ) as folder,
        _environment(own),
        _connected(
            LOCAL,
            num_cpus=cores,
            object_store_memory=OBJECT_STORE,
            include_dashboard=False,
            _temp_dir=folder,
        ),
    ):
        yield


@contextmanager
def _joined(address: str) -> Iterator[None]:
    """The cluster at this address. Checks the connection first: Ray would retry for minutes."""
    with _environment({"RAY_NUM_REDIS_GET_RETRIES": "1"}):
        _check_ray()
        from ray._private.services import canonicalize_bootstrap_address

        found = address.removeprefix(CLIENT)
        if found == address:
            try:
                found = canonicalize_bootstrap_address(address)  # what Ray makes of it
            except (ConnectionError, ValueError) as error:
                raise _no_cluster(address, _first_line(error)) from None
        host, _, port = found.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), TIMEOUT).close()
        except OSError as error:
            tried = found if address == AUTO else address
            raise _no_cluster(tried, error.strerror or error) from None
        with _connected(address):
            yield


@contextmanager
def _connected(address: str, **settings: Any) -> Iterator[None]:
    _check_ray()
    import ray
    from ray.exceptions import RayError

    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", **settings)
    except (OSError, RuntimeError, ValueError, RayError) as error:
        ray.shutdown()
        raise _no_cluster(address, _first_line(error)) from None
    try:
        yield
    finally:
        ray.shutdown()


def _no_cluster(address: str, reason: object) -> LastSpikeError:
    return LastSpikeError(
        "can’t join a cluster at {address}: {reason}", address=address, reason=reason
    )


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _check_ray() -> None:
    """Raise `LastSpikeError` if Ray is not installed."""
    try:
        import ray  # noqa: F401 - an extra, and only clusters need it
    except ImportError:
        raise LastSpikeError(
            "a cluster needs Ray: pip install {package}", package="'lastspike[cluster]'"
        ) from None


@contextmanager
def _environment(settings: dict[str, str]) -> Iterator[None]:
    """Set environment variables for Ray, which reads most of them when first imported."""
    settings = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_COLOR_PREFIX": "0", **settings}
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
