"""The check of URLs given by strangers: they must not lead into the server's own network.

A name is resolved once and all its addresses are checked. The connection uses these addresses,
because a second lookup could give others. What a name was found to be is kept for a minute, and
checked at each use.
"""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple
from weakref import WeakKeyDictionary, WeakValueDictionary

from httpx import URL, InvalidURL, Request

from lastspike.rules.errors import LastSpikeError

_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_RESERVED_V4 = tuple(
    map(
        IPv4Network,
        (
            "192.0.0.0/24",  # protocol assignments, some of which are reachable
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # relays of multicast
            "192.88.99.0/24",  # relays of 6to4, deprecated
            "192.175.48.0/24",  # AS112
        ),
    )
)
_RESERVED_V6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID and more
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which wraps any IPv4 address
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # documentation
        ),
    )
)
"""From IANA’s registries of special-purpose addresses: what is neither private nor a place to send
to. Some versions of Python count parts of it as public."""
LOOK_UP_S = 4.0
MOST_LOOK_UPS = 16
"""At once. Each is a small process for a few milliseconds, if the name is answered for."""
LOOK_UP_EVERY_S = 0.05
"""Between the starts of two such processes: a start takes some milliseconds of a processor."""
KEPT_S = 60.0
UNFOUND_S = 5.0
"""How long the addresses of a name are kept, and that it has none. Each alert to it would otherwise
start a process."""
MOST_KEPT = 1_000
_LOOK_UP = """
import socket, sys
host, port = sys.argv[1:]
for *_, address in socket.getaddrinfo(
    host, int(port), type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_ADDRCONFIG
):
    print(address[0])
"""
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

    def request(
        self, method: str, address: str, headers: dict[str, str], content: bytes | None = None
    ) -> Request:
        """A request that goes to this address, whatever the name means by then."""
        own = {
            "Host": self.url.netloc.decode("ascii"),
            "User-Agent": "lastspike",
            "Connection": "close",
        }
        return Request(
            method,
            self.url.copy_with(host=address),
            headers=own | headers,
            content=content,
            extensions={"sni_hostname": self.host},
        )


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
    except (OSError, ValueError):  # TimeoutError is one; a name may hold what no argument can
        found = []
    if not found or not (allow_private or all(map(is_open, found))):
        raise LastSpikeError("{host} can’t be found on the public internet", host=target.host)
    return found


async def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host, which may have been found up to a minute ago."""
    with suppress(ValueError):
        return [str(ip_address(host))]
    look_ups = _look_ups()
    async with look_ups.one_of(host):
        found = look_ups.kept(host)
        if found is None:
            try:
                found = await _look_up(host, port, look_ups)
            except (OSError, ValueError):
                look_ups.keep(host, [])
                raise
            look_ups.keep(host, found)
    return found


async def _look_up(host: str, port: int, look_ups: _LookUps) -> list[str]:
    """In a process that ends with the caller's time: a thread could not be cancelled, and names
    that nobody answers for would use up all of them."""
    async with look_ups.at_once:
        await look_ups.start.acquire()
        asyncio.get_running_loop().call_later(LOOK_UP_EVERY_S, look_ups.start.release)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", "-c", _LOOK_UP, host, str(port)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(LOOK_UP_S):
                found, _ = await process.communicate()
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    return list(dict.fromkeys(found.decode("ascii", "replace").split()))


class _LookUps:
    """The look-ups of an event loop, of which tests have many."""

    def __init__(self) -> None:
        self.at_once = asyncio.Semaphore(MOST_LOOK_UPS)
        self.start = asyncio.Lock()
        self._one_of: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._kept: OrderedDict[str, tuple[float, list[str]]] = OrderedDict()

    def one_of(self, host: str) -> asyncio.Lock:
        """A name is looked up once at a time; others who ask for it wait for the result."""
        return self._one_of.setdefault(host, asyncio.Lock())

    def kept(self, host: str) -> list[str] | None:
        """The addresses of a name, if they are known and not old."""
        until, found = self._kept.get(host, (0.0, []))
        return found if asyncio.get_running_loop().time() < until else None

    def keep(self, host: str, found: list[str]) -> None:
        until = asyncio.get_running_loop().time() + (KEPT_S if found else UNFOUND_S)
        self._kept[host] = (until, found)
        self._kept.move_to_end(host)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)


_LOOK_UPS: WeakKeyDictionary[asyncio.AbstractEventLoop, _LookUps] = WeakKeyDictionary()


def _look_ups() -> _LookUps:
    return _LOOK_UPS.setdefault(asyncio.get_running_loop(), _LookUps())


def is_open(text: str) -> bool:
    """Whether the address is a unicast address on the public internet: not private, shared, local,
    reserved or multicast, and no IPv6 address that wraps such an IPv4 address."""
    address = ip_address(text)
    if isinstance(address, IPv6Address):
        if address in _NAT64:
            return _is_open_v4(IPv4Address(int(address) & 0xFFFF_FFFF))
        reserved = any(address in network for network in _RESERVED_V6)
        return address.is_global and address in _GLOBAL_UNICAST and not reserved
    return _is_open_v4(address)


def _is_open_v4(address: IPv4Address) -> bool:
    reserved = any(address in network for network in _RESERVED_V4)
    return address.is_global and not (address.is_multicast or address.is_reserved or reserved)
