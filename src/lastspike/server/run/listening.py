"""Listening sockets, and their addresses."""

from __future__ import annotations

import errno
import os
import socket

from lastspike.rules.errors import LastSpikeError

_BACKLOG = 2048
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def listen_at(host: str, port: int, *, or_any: bool = False) -> socket.socket:
    """A listening socket; with `or_any`, on any free port if this one is taken.

    Connections are queued until the server is ready, so two servers that start at once never get
    the same port. `LastSpikeError` if it can't listen.
    """
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise _cannot(host, port, error) from None
    try:
        if os.name == "posix":  # elsewhere it would allow taking a port in use
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen(_BACKLOG)
        listening.set_inheritable(True)
    except OSError as error:
        listening.close()
        if or_any and error.errno == errno.EADDRINUSE:
            return listen_at(host, 0)
        raise _cannot(host, port, error) from None
    return listening


def local_place(listening: socket.socket) -> tuple[str, int]:
    """The host and port to reach the server from this machine."""
    host, port, *_ = listening.getsockname()
    return EVERYWHERE.get(host, host), port


def http_address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def lan_host() -> str | None:
    """This machine's address on the local network, if any."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing, but selects the interface
        except OSError:
            return None
        host = str(probe.getsockname()[0])
    return None if host.startswith(("127.", "0.")) else host


def _cannot(host: str, port: int, error: Exception) -> LastSpikeError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return LastSpikeError(
        "{place}: can’t listen on this address: {reason}", place=f"{host}:{port}", reason=reason
    )
