"""The operator's key. The settings hold only its hash.

The key is long and random, so a plain SHA-256 is enough.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets


def new_key() -> str:
    return secrets.token_urlsafe(32)


def hash_of(key: str) -> str:
    """The hash for the settings, in hexadecimal."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def is_key(given: str, key_hash: str) -> bool:
    """Whether this is the key, in a time that says nothing about it."""
    return hmac.compare_digest(hash_of(given), key_hash)
