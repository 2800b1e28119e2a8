"""The cost budget of every message that a socket takes. docs/security.md shows it, and tests send
the largest allowed input of each."""

from __future__ import annotations

from typing import get_args

from lastspike.protocol import FromClient

from .cost import KIB, Cost

MESSAGE_BYTES = 16 * KIB
"""The longest message from a client; a longer one closes the socket."""
STEPS_PER_TOKEN = 200
"""A welcome counts as one request more for so many steps."""

_PLAIN = Cost(body=MESSAGE_BYTES, calls=1, statements=0, answer=1)
_STORED = Cost(body=MESSAGE_BYTES, calls=4, answer=4, note="a little more for each viewer")

MESSAGES: dict[str, Cost] = {
    "hello": Cost(
        tokens=41,
        body=MESSAGE_BYTES,
        calls=400,
        statements=60,
        answer=5000,
        note="for 8,000 steps; others are served after every 50, "
        f"and every {STEPS_PER_TOKEN} count as one request",
    ),
    "look": _PLAIN._replace(calls=2, answer=6),
    "preview": _PLAIN._replace(calls=4, answer=8),
    "hint": _PLAIN._replace(calls=6, answer=4, note="one for each person, in a process"),
    "turn": _STORED._replace(calls=6, answer=12),
    "say": _STORED,
    "ready": _STORED,
    "not_ready": _STORED,
    "reveal": _STORED._replace(calls=6, answer=12),
    "return": _STORED,
    "ping": _PLAIN,
}
"""By the message's type."""


def types_of_messages() -> list[str]:
    return [each.__struct_config__.tag for each in get_args(FromClient)]
