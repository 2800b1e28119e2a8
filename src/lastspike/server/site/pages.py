"""The pages of a site without a server: a folder for each screen."""

from __future__ import annotations

import html
import json
import re

from lastspike.server.http.page.files import page_in
from lastspike.server.http.security import CONTENT_SECURITY_POLICY

SCREENS = ("edition", "history", "learn", "lesson", "record", "review", "rules", "verify")
"""The screens that an address may name before anything has been saved in the browser. Without a
server, nobody is sent the address of a table."""


def pages(python: str, server: str = "") -> dict[str, bytes]:
    """Each page by its path. `python` is the folder of what answers instead of a server, `server`
    the address of one to continue games on."""
    found = {"index.html": _page("./", python, server)}
    return found | {f"{screen}/index.html": _page("../", python, server) for screen in SCREENS}


def content_security_policy() -> str:
    """As strict as a server's, but for WebAssembly. A page can't say who may frame it."""
    policy = CONTENT_SECURITY_POLICY.replace(
        "script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'"
    )
    return policy.replace("; frame-ancestors 'none'", "")


def _page(base: str, python: str, server: str) -> bytes:
    told = {"server": False, "python": python, "playAt": server}
    policy = f'<meta http-equiv="Content-Security-Policy" content="{content_security_policy()}">'
    page = page_in("en").replace("{base}", base).replace("{screen}", "home")
    page = page.replace("{site}", html.escape(json.dumps(told)))
    # The page speaks the browser's language, which only a script can find out.
    page = page.replace('data-language="en"', 'data-language=""')
    page = re.sub(r'<link rel="preload" href="\S+/en\.json"[^\n]*\n', "", page)
    return page.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n{policy}', 1).encode()
