"""Mangling: texts with bytes and JSON values with branches changed, by a seeded generator."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

TOKENS: list[bytes] = [
    *(b"", b"\0", b"\n", b" ", b'"', b"'", b"[", b"]", b"{", b"}", b",", b":", b"=", b"-", b"+"),
    *(b"null", b"true", b"NaN", b"Infinity", b"-Infinity", b"1e999", b"0x10", b"1_000", b"1.5"),
    *(b"9" * 30, b"9" * 5000, b"[" * 2000, b'{"a":' * 2000, b"\xff", b"\xc3\xa9", b"\xed\xa0\x80"),
    *(b"\\ud800", b"\\u0000", b"\xef\xbb\xbf", b"1979-05-27", b"#", b"[[cities]]", b"[cities]"),
    *(b"A1", b"Z9", b"pass", b"+DEN", b"-DEN0", b"{0}", b"{x}", b"%s", b"../", b"."),
]
ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 999, 1500, 10**9, 10**30, 10**5000, -(10**5000)),
    *(0.5, 1000.0, 1e300, float("nan"), float("inf"), "", " ", "A1", "pass", "x" * 5000, "\0"),
    *("\ud800", "日本", "{tile}", "{0}", "../x", "columbia-2015", [], [[]], {}, {"": None}),
    *([[[[[1]]]]], ["A1", "A1"], {"2": 1000}, {"a": {"b": [1, None]}}),
]


def mangled_bytes(text: bytes, rng: Random) -> bytes:
    """The text with one to four places changed."""
    data = bytearray(text)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + rng.choice((0, 1, 1, 2, 5, 30)))
        match rng.randrange(6):
            case 0:
                data[at:to] = rng.choice(TOKENS)
            case 1:
                data[at:to] = rng.randbytes(to - at)
            case 2:
                del data[at:to]
            case 3:
                data[at:at] = data[at : at + rng.randrange(80)]
            case 4:
                other = rng.randrange(len(data) + 1)
                data[at:to] = data[other : other + to - at]
            case _:
                del data[at : at + rng.randrange(len(data) + 1)]
    return bytes(data)


def mangled_text(text: str, rng: Random) -> str:
    return mangled_bytes(text.encode("utf-8", "surrogatepass"), rng).decode("utf-8", "replace")


def mangled_tree(value: Any, rng: Random) -> Any:
    """A copy of a JSON value with one to three of its branches changed."""
    tree = [copy.deepcopy(value)]
    for _ in range(rng.choice((1, 1, 2, 3))):
        _mangle_a_branch(tree, rng)
    return tree[0]


def _mangle_a_branch(tree: list[Any], rng: Random) -> None:
    parent: Any = tree
    key: Any = 0
    while isinstance(parent[key], dict | list) and parent[key] and rng.random() < 0.85:
        parent = parent[key]
        key = rng.choice(list(parent)) if isinstance(parent, dict) else rng.randrange(len(parent))
    kind = rng.randrange(6)
    if kind == 0 and parent is not tree:
        del parent[key]
    elif kind == 1 and isinstance(parent, list) and parent is not tree:
        parent.insert(rng.randrange(len(parent) + 1), copy.deepcopy(parent[key]))
    elif kind == 2 and len(parent) > 1:
        other = rng.choice(list(parent)) if isinstance(parent, dict) else rng.randrange(len(parent))
        parent[key], parent[other] = parent[other], parent[key]
    elif kind == 3 and isinstance(parent, dict):
        parent[rng.choice(("x", "", "\0", "7", key + key))] = copy.deepcopy(parent[key])
    elif kind == 4 and isinstance(parent[key], int) and abs(parent[key]) < 10**12:
        parent[key] += rng.choice((-1, 1, 1000, -1000, 2**63))
    elif kind == 5 and isinstance(parent[key], str):
        parent[key] = mangled_text(parent[key], rng)
    else:
        parent[key] = copy.deepcopy(rng.choice(ODD))
