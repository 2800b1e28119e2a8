"""The bans that hold now, in this worker's memory: asked with every request."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

from lastspike.protocol import CLOSE_BANNED
from lastspike.server.live.registry import TableRegistry
from lastspike.server.storage import Storage
from lastspike.server.storage.rows import BanRow
from lastspike.server.table.errors import NotAllowed
from lastspike.server.table.now import now_ms, utc

IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network


class Banned(NotAllowed):
    """This person or address is banned."""

    code = "banned"


class Bans:
    """`contact` is how to reach the operator, for the message to the banned."""

    def __init__(self, storage: Storage, registry: TableRegistry, contact: str | None) -> None:
        self._storage = storage
        self._registry = registry
        self._contact = contact
        self._persons: dict[str, BanRow] = {}
        self._networks: dict[tuple[int, int], dict[int, BanRow]] = {}
        """By IP version and length of the prefix, then by the network's number."""

    @property
    def any_person(self) -> bool:
        """Whether any person is banned, so that it matters who asks."""
        return bool(self._persons)

    async def load(self) -> None:
        """Read the bans again, and close the sockets of those who are banned now."""
        self._hold(await self._storage.moderation.bans(now_ms()))
        for table in list(self._registry.live.values()):
            for connection in list(table.connections.values()):
                if self.of(connection.person, connection.address) is not None:
                    connection.drop(CLOSE_BANNED)

    def _hold(self, bans: Iterable[BanRow]) -> None:
        self._persons, self._networks = {}, {}
        for ban in sorted(bans, key=lambda ban: ban.ends_at):  # of two, the longer counts
            if ban.person_id is not None:
                self._persons[ban.person_id] = ban
            if ban.network is not None:
                network = ipaddress.ip_network(ban.network)
                alike = self._networks.setdefault((network.version, network.prefixlen), {})
                alike[int(network.network_address)] = ban

    def of(self, person: str | None, address: str) -> BanRow | None:
        """The ban that holds for a person, or for an address by its `address_key`."""
        now = now_ms()
        ban = None if person is None else self._persons.get(person)
        if ban is not None and ban.ends_at > now:
            return ban
        return self._of_address(address, now) if self._networks else None

    def check(self, person: str | None, address: str) -> None:
        """`Banned` if a ban holds for them."""
        ban = self.of(person, address)
        if ban is not None:
            raise self.refusal(ban)

    def refusal(self, ban: BanRow) -> Banned:
        facts = {"until": utc(ban.ends_at), "why": ban.reason}
        if self._contact is None:
            return Banned("you’re banned from this server until {until}. Reason: {why}", **facts)
        return Banned(
            "you’re banned from this server until {until}. Contact: {contact}. Reason: {why}",
            contact=self._contact,
            **facts,
        )

    def _of_address(self, address: str, now: int) -> BanRow | None:
        try:
            caller = ipaddress.ip_network(address)
        except ValueError:
            return None
        number, bits = int(caller.network_address), caller.max_prefixlen
        for (version, length), bans in self._networks.items():
            if version == caller.version:
                ban = bans.get(number >> bits - length << bits - length)
                if ban is not None and ban.ends_at > now:
                    return ban
        return None


def network_of(text: str) -> IPNetwork:
    """A network or one address as the operator writes it; `ValueError` if it is none. An address of
    IPv6 stands for its /64, which one caller has all of."""
    network = ipaddress.ip_network(text.strip(), strict=False)
    if isinstance(network, ipaddress.IPv6Network) and network.prefixlen > 64:
        return network.supernet(new_prefix=64)
    return network
