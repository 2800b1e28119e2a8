"""The bytes that a page takes over the wire."""

from __future__ import annotations

from typing import Any

from .people import Person


def weigh(me: Person) -> dict[str, int]:
    """Count the bytes on the wire from now on, by what was asked for."""
    bytes_of: dict[str, int] = {}
    address_of: dict[str, str] = {}
    network = me.context.new_cdp_session(me.page)

    def asked(event: dict[str, Any]) -> None:
        address_of[event["requestId"]] = event["request"]["url"]

    def came(event: dict[str, Any]) -> None:
        address = address_of.get(event["requestId"], "?")
        bytes_of[address] = bytes_of.get(address, 0) + int(event["encodedDataLength"])

    network.on("Network.requestWillBeSent", asked)
    network.on("Network.loadingFinished", came)
    network.send("Network.enable")
    return bytes_of
