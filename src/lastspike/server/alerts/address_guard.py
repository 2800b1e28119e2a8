"""The check of URLs given by strangers: they must not lead into the server's own network.

A name is resolved once and all its addresses are checked. The connection uses these addresses,
because a second lookup could give others.
"""

from __future__ import annotations

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

from httpx import URL, InvalidURL

from lastspike.rules.errors import LastSpikeError

_GLOBAL_UNICAST = IPv6Network("2000::/3")
_SIX_TO_FOUR = IPv6Network("2002::/16")
_NAT64 = IPv6Network("64:ff9b::/96")
_PORTS = {"http": 80, "https": 443}
_FIRST_FREE_PORT = 1024


class Target(NamedTuple):
    """An allowed URL, with its port."""

    url: URL
    port: int

    @property
    def host(self) -> str:
        """The host as in DNS and certificates."""
        return self.url.raw_host.decode("ascii")


def read_target(text: str, *, allow_private: bool) -> Target:
    """Parse and check a URL without resolving it; `LastSpikeError` if it is not allowed.

    Ports below 1024 belong to other services, so only those of HTTP are allowed.
    """
    try:
        url = URL(text)
        usual = _PORTS.get(url.scheme)
    except InvalidURL:
        usual = None
        url = URL()
    if usual is None or not url.raw_host:
        raise LastSpikeError("an alert address must look like https://example.org/path")
    if url.userinfo:
        raise LastSpikeError("an alert address can’t contain a user name or password")
    port = usual if url.port is None else url.port
    low = port < (1 if allow_private else _FIRST_FREE_PORT)
    if port > 0xFFFF or (low and port not in _PORTS.values()):
        raise LastSpikeError("alerts can’t be sent to port {port}", port=port)
    return Target(url, port)


async def checked_addresses(target: Target, *, allow_private: bool) -> list[str]:
    """The checked addresses of a target, best first.

    `LastSpikeError` if there is none or one is private, with the same message for both, so that
    nobody can probe for internal names.
    """
    try:
        found = await resolve(target.host, target.port)
    except (OSError, UnicodeError):  # UnicodeError: a part of the name is too long
        found = []
    if not found or not (allow_private or all(map(is_open, found))):
        raise LastSpikeError("{host} can’t be found on the public internet", host=target.host)
    return found


async def resolve(host: str, port: int) -> list[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_ADDRCONFIG
    )
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_open(text: str) -> bool:
    """Whether the address is a unicast address on the public internet: not private, shared, local,
    reserved or multicast, and no IPv6 address that wraps such an IPv4 address."""
    address = ip_address(text)
    if isinstance(address, IPv6Address):
        if address in _NAT64:
            return _is_open_v4(IPv4Address(int(address) & 0xFFFF_FFFF))
        return address.is_global and address in _GLOBAL_UNICAST and address not in _SIX_TO_FOUR
    return _is_open_v4(address)


def _is_open_v4(address: IPv4Address) -> bool:
    return address.is_global and not (address.is_multicast or address.is_reserved)
