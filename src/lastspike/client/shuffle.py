"""A person's part of the shuffle: commit to secrets, reveal them, and verify the record."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from lastspike.protocol import TableInfo

SECRET_BYTES = 32


class Revealed(NamedTuple):
    """A revealed secret, with its round and seat."""

    round: int
    seat: int
    secret: bytes


class Contribution:
    """Each commitment has a new secret; all are kept, because the server may request any of them.
    `seen` has the server's first commitment of each round."""

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
        """Remember the server's commitment."""
        self.seen.setdefault(info.shuffle.round, info.shuffle.commitment)

    def asked(self, info: TableInfo, seat: int) -> bytes | None:
        """The secret to reveal now, once per round; None if it is not requested, or another device
        committed for this seat."""
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
        """Whether the record of a game dealt in this round has the server's commitment, its seed,
        and the secret revealed here, if any."""
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
