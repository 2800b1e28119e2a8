"""Rate limits: by address, by person, by socket.

Litestar can limit requests too, but keeps the whole history of every caller, forgets none, lets
twice the rate through where two windows meet, and sees neither sockets nor unknown paths.
"""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from time import monotonic

from litestar.types import Scope

from lastspike.server.config.settings import Config
from lastspike.server.monitoring import metrics
from lastspike.server.table.errors import TooMany

from .at_once import AtOnce
from .fair_turns import FairTurns

SOCKETS_TOTAL = 10_000
"""Open sockets of a worker."""
MESSAGES_PER_10S = 60
"""Messages through one socket; all of them may come at once."""
REQUESTS_AT_ONCE = 1
MESSAGES_AT_ONCE = 4
"""How many requests and messages of one address begin between two rounds of the event loop. A
burst of hundreds would otherwise be served before anybody else."""
REFUSED_AFTER_S = 1.0
"""How long a caller who asks too often waits for the refusal: it costs us as much as an answer, and
otherwise the next one would be asked for at once."""
SERVED_AT_ONCE = 16
"""Requests and arriving sockets of one address that are served at the same time. Some go on for a
while, such as to load a table with a long log, and share the event loop with everybody's turns."""
FRAMES_PER_10S = 600
"""Frames through one socket, counting pings and fragments, which are no messages."""
KIB_PER_10S = 2400
"""How much may come through one socket, counting each packet as a KiB at least: 60 messages of
16 KiB are 960, and more in fragments."""
CHATS_PER_MINUTE = 20
"""Lines of chat of one person, over all of their sockets."""
SPECTATOR_CHATS_PER_MINUTE = 60
"""Lines of chat of all spectators of a table, each of which goes to all of them."""
PROBES_PER_MINUTE = 600
"""Requests for health and metrics from one address; they don't count as others."""
WEBHOOKS_PER_HOUR = 30
"""Attempts of one address to add an alert: each looks a name up."""
MAILS_PER_DAY = 5
"""E-mails that ask to confirm an address: to one address, and by one person."""
HOLIDAYS_PER_DAY = 30
"""Changes of one person's holidays, each of which is a step in all of their games of days."""
LINKS_PER_HOUR = 30
"""Personal links that one address may make. Each leaves events in the audit log: nobody can push
others' out of it."""
REPORTS_PER_HOUR = 10
"""Reports of one person to the operator."""
ADDRESS_REPORTS_PER_HOUR = 30
"""Reports from one address, whose persons are easily made: nobody can fill the operator's list, so
that others can't report them."""
WRONG_KEYS_PER_HOUR = 10
"""Wrong keys of the operator from one address, after which even the right one has to wait."""
VENUE_FACTOR = 20
"""An address of `venues` may do so many times as much."""
MOST_KEYS = 20_000
"""How many callers are remembered. A forgotten caller starts with a full bucket."""


Factor = Callable[[str], int]


def _no_factor(_key: str) -> int:
    return 1


class Buckets:
    """A token bucket for each key: `rate` tokens a second, up to `size`; both times the `factor` of
    the key."""

    __slots__ = ("_buckets", "_clock", "_factor", "_most", "_rate", "_size")

    def __init__(
        self,
        size: float,
        rate: float,
        most: int = MOST_KEYS,
        clock: Callable[[], float] = monotonic,
        factor: Factor | None = None,
    ) -> None:
        self._factor = factor or _no_factor
        self._size = size
        self._rate = rate
        self._most = most
        self._clock = clock
        self._buckets: OrderedDict[str, MessageLimit] = OrderedDict()

    def take(self, key: str, tokens: float = 1) -> float:
        """Take tokens. Returns 0, or the seconds until there are enough if there are too few."""
        bucket = self._buckets.get(key)
        now = self._clock()
        if bucket is None:
            if len(self._buckets) >= self._most:
                self._buckets.popitem(last=False)
            times = self._factor(key)
            bucket = MessageLimit(times * self._size, times * self._rate, now)
            self._buckets[key] = bucket
        else:
            self._buckets.move_to_end(key)
        return 0.0 if bucket.take(now, tokens) else bucket.wait(tokens)

    def spend(self, key: str, tokens: float) -> None:
        """Take tokens that were used already, even if there are too few; negative ones are given
        back."""
        bucket = self._buckets.get(key)
        if bucket is not None:
            bucket.spend(tokens)

    def __len__(self) -> int:
        return len(self._buckets)


class MessageLimit:
    """One bucket, for the messages of one socket."""

    __slots__ = ("_at", "_rate", "_size", "_tokens")

    def __init__(self, size: float, rate: float, now: float) -> None:
        self._size = size
        self._rate = rate
        self._tokens = size
        self._at = now

    def take(self, now: float, wanted: float = 1) -> bool:
        """Whether so much more is allowed. `now` is in seconds of a monotonic clock.

        More than the whole bucket is as much as the whole bucket."""
        tokens = self._tokens + (now - self._at) * self._rate
        if tokens > self._size:
            tokens = self._size
        self._at = now
        if tokens < min(wanted, self._size):
            self._tokens = tokens
            return False
        self._tokens = tokens - wanted
        return True

    def used(self, now: float) -> float:
        """How much was taken that has not come back yet."""
        self.take(now, 0)
        return self._size - self._tokens

    def spend(self, tokens: float) -> None:
        self._tokens = min(self._size, self._tokens - tokens)

    def wait(self, wanted: float = 1) -> float:
        """Seconds until there are so many tokens."""
        return max(0.0, min(wanted, self._size) - self._tokens) / self._rate


class SocketCount:
    """How many sockets are open, in total and per address."""

    __slots__ = ("_each", "_factor", "_of", "_total", "open")

    def __init__(self, each: int, total: int, factor: Factor | None = None) -> None:
        self._factor = factor or _no_factor
        self._each = each
        self._total = total
        self._of: dict[str, int] = {}
        self.open = 0

    def acquire(self, key: str) -> bool:
        """Count one more if it is allowed. `release` it later."""
        of_key = self._of.get(key, 0)
        if of_key >= self._each * self._factor(key) or self.open >= self._total:
            return False
        self._of[key] = of_key + 1
        self.open += 1
        return True

    def release(self, key: str) -> None:
        self.open -= 1
        if self._of[key] == 1:
            del self._of[key]  # addresses that left take no memory
        else:
            self._of[key] -= 1


class RateLimits:
    """The limits of a worker, by its settings. Addresses are counted by `address_key`."""

    def __init__(self, config: Config, clock: Callable[[], float] = monotonic) -> None:
        limits = config.limits
        self._clock = clock
        factor = venue_factor(config.venues)

        def per(seconds: int, count: int) -> Buckets:
            return Buckets(count, count / seconds, clock=clock, factor=factor)

        self.requests = per(60, limits.requests_per_minute)
        self.probes = per(60, PROBES_PER_MINUTE)
        self.tables = per(3600, limits.tables_per_person_per_hour)
        self.persons = per(3600, limits.persons_per_address_per_hour)
        self.jobs = per(3600, limits.job_seconds_per_address_per_hour)
        self.webhooks = per(3600, WEBHOOKS_PER_HOUR)
        self.mails = per(86_400, MAILS_PER_DAY)
        self.holidays = per(86_400, HOLIDAYS_PER_DAY)
        self.links = per(3600, LINKS_PER_HOUR)
        self.reports = per(3600, REPORTS_PER_HOUR)
        self.address_reports = per(3600, ADDRESS_REPORTS_PER_HOUR)
        self.wrong_keys = Buckets(WRONG_KEYS_PER_HOUR, WRONG_KEYS_PER_HOUR / 3600, clock=clock)
        self.chats = per(60, CHATS_PER_MINUTE)
        self.spectator_chats = per(60, SPECTATOR_CHATS_PER_MINUTE)
        self.request_turns = FairTurns(REQUESTS_AT_ONCE)
        self.message_turns = FairTurns(MESSAGES_AT_ONCE)
        self.served = AtOnce(SERVED_AT_ONCE, factor)
        self.reading_back = AtOnce(1, lambda _caller: 1)
        self.sockets = SocketCount(limits.sockets_per_address, SOCKETS_TOTAL, factor)

    def charge(self, key: str, tokens: int) -> None:
        """Count a request of this caller as so many more. `TooMany` if they have too few left."""
        wait = self.requests.take(key, tokens) if tokens > 0 else 0.0
        if wait:
            metrics.REFUSED.labels("rate").inc()
            raise TooMany("too many requests; wait {seconds} s", seconds=math.ceil(wait))

    def messages(self) -> MessageLimit:
        """A limit for the messages of a new socket."""
        return MessageLimit(MESSAGES_PER_10S, MESSAGES_PER_10S / 10, self._clock())


def venue_factor(venues: Sequence[str]) -> Factor:
    """By how much the limits of a caller are higher, by its key."""
    networks = [ipaddress.ip_network(venue) for venue in venues]

    @lru_cache(4096)
    def factor(key: str) -> int:
        try:
            caller = ipaddress.ip_network(key)
        except ValueError:  # a person
            return 1
        return VENUE_FACTOR if any(map(caller.overlaps, networks)) else 1

    return factor


def caller_key(scope: Scope) -> str:
    """The key of the caller of a request or a socket."""
    client = scope.get("client")
    return address_key(client[0]) if client else ""


@lru_cache(4096)
def address_key(host: str) -> str:
    """The key of a caller: the IPv4 address, or the /64 network of an IPv6 address, since one
    caller has all of it."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)))
