"""Reads a URL as alerts are sent: only from addresses that were checked, without redirects."""

from __future__ import annotations

import asyncio

import httpx

from .address_guard import checked_addresses, read_target

SECONDS = 10.0
MOST_BYTES = 64 * 1024
"""Longer answers are cut off, and refused."""
READING = {"Accept": "application/json", "Accept-Encoding": "identity"}


async def fetch(url: str, headers: dict[str, str], *, allow_private: bool) -> bytes:
    """The content at a URL. `LastSpikeError` if the URL is not allowed, `OSError` if its content
    can't be had."""
    target = read_target(url, allow_private=allow_private)
    async with asyncio.timeout(SECONDS):
        address, *_ = await checked_addresses(target, allow_private=allow_private)
        tls = await asyncio.to_thread(httpx.create_ssl_context)  # reads many files
        try:
            async with httpx.AsyncHTTPTransport(verify=tls, trust_env=False) as transport:
                request = target.request("GET", address, READING | headers)
                return await _read(await transport.handle_async_request(request))
        except httpx.HTTPError as error:
            raise OSError(str(error) or type(error).__name__) from None


async def _read(answer: httpx.Response) -> bytes:
    content = b""
    try:
        async for part in answer.aiter_raw():
            content += part
            if len(content) > MOST_BYTES:
                raise OSError("the answer is too long")
    finally:
        await answer.aclose()
    if answer.status_code != httpx.codes.OK:
        raise OSError(f"the answer has the status {answer.status_code}")
    return content
