"""A person's part of the shuffle: secrets that are committed to, revealed when asked, and looked
for in the record of the game."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from lastspike.protocol import TableInfo

SECRET_BYTES = 32


class Revealed(NamedTuple):
    """What was given away, in which round, for which seat."""

    round: int
    seat: int
    secret: bytes


class Contribution:
    """Every time somebody is ready they commit to a new secret; all are kept, for it may be any of
    them that the server asks for. `seen` has the server's own commitments, by round, as they were
    first told."""

    def __init__(self) -> None:
        self.seen: dict[int, str] = {}
        self.revealed: Revealed | None = None
        self._secrets: dict[str, bytes] = {}

    def commit(self) -> str:
        """A commitment to a new secret."""
        secret = secrets.token_bytes(SECRET_BYTES)
        committed = hashlib.sha256(secret).hexdigest()
        self._secrets[committed] = secret
        return committed

    def watch(self, info: TableInfo) -> None:
        """Keep what the server commits to."""
        self.seen.setdefault(info.shuffle.round, info.shuffle.commitment)

    def asked(self, info: TableInfo, seat: int) -> bytes | None:
        """The secret to reveal now, once a round; None while it is not asked for, or if it was
        another device that committed for this seat."""
        shuffle = info.shuffle
        if shuffle.reveal_by is None:
            return None
        if self.revealed is not None and self.revealed.round == shuffle.round:
            return None
        secret = self._secrets.get(shuffle.commitments.get(str(seat), ""))
        if secret is not None:
            self.revealed = Revealed(shuffle.round, seat, secret)
        return secret

    def is_in(self, record: Mapping[str, Any], played: int) -> bool:
        """Whether the record of a game dealt in this round carries the server's commitment, a seed
        that it was for, and what was revealed here, if anything was."""
        shuffle = record.get("shuffle")
        committed = self.seen.get(played)
        if not shuffle or committed is None or shuffle["commitment"] != committed:
            return False
        if hashlib.sha256(bytes.fromhex(shuffle["seed"])).hexdigest() != committed:
            return False
        mine = self.revealed
        if mine is None or mine.round != played:
            return True
        return [mine.seat, mine.secret.hex()] in [list(each) for each in shuffle["contributions"]]
