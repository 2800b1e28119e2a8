"""Which addresses of the outside a server may talk to when a stranger names them.

A URL that somebody gives must not lead to the server's own network. Names are looked up once, every
address found is checked, and whoever connects uses these very addresses: looking the name up again
could give another answer.
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
    """A URL that may be used, with its port."""

    url: URL
    port: int

    @property
    def host(self) -> str:
        """As it is looked up and as certificates name it."""
        return self.url.raw_host.decode("ascii")


def read_target(text: str, *, allow_private: bool) -> Target:
    """What the URL names, not looked up yet; `LastSpikeError` if it can't be taken.

    Ports below 1024 but the two of HTTP belong to other services, so strangers don't get them.
    """
    try:
        url = URL(text)
        usual = _PORTS.get(url.scheme)
    except InvalidURL:
        usual = None
        url = URL()
    if usual is None or not url.raw_host:
        raise LastSpikeError("an address for alerts looks like https://example.org/path")
    if url.userinfo:
        raise LastSpikeError("an address for alerts can't hold a name and a password")
    port = usual if url.port is None else url.port
    low = port < (1 if allow_private else _FIRST_FREE_PORT)
    if port > 0xFFFF or (low and port not in _PORTS.values()):
        raise LastSpikeError("alerts can't be sent to port {port}", port=port)
    return Target(url, port)


async def checked_addresses(target: Target, *, allow_private: bool) -> list[str]:
    """The addresses of a target, all of them checked, the best first.

    `LastSpikeError` if there is none, or one that is not open to everybody: the same words for
    both, since which names there are inside is nobody's business.
    """
    try:
        found = await resolve(target.host, target.port)
    except (OSError, UnicodeError):  # UnicodeError: a part of the name is too long
        found = []
    if not found or not (allow_private or all(map(is_open, found))):
        raise LastSpikeError("{host} can't be found on the open internet", host=target.host)
    return found


async def resolve(host: str, port: int) -> list[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_ADDRCONFIG
    )
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_open(text: str) -> bool:
    """Whether the address belongs to one machine of the open internet, and to no other network:
    none that is private, shared by a provider, local, reserved, or for many machines at once, and
    no IPv6 address that wraps an IPv4 address of such a kind."""
    address = ip_address(text)
    if isinstance(address, IPv6Address):
        if address in _NAT64:
            return _is_open_v4(IPv4Address(int(address) & 0xFFFF_FFFF))
        return address.is_global and address in _GLOBAL_UNICAST and address not in _SIX_TO_FOUR
    return _is_open_v4(address)


def _is_open_v4(address: IPv4Address) -> bool:
    return address.is_global and not (address.is_multicast or address.is_reserved)
