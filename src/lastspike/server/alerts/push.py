"""Web Push: the server’s key (VAPID, RFC 8292), and messages that only the browser can read
(RFC 8291)."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode

import http_ece
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from httpx import URL
from py_vapid import Vapid02

from lastspike.rules.errors import LastSpikeError

CURVE = ec.SECP256R1()
KEEP_S = 86_400
"""How long a push service keeps a message for a device that is off."""
AUTH_BYTES = 16


def new_key() -> bytes:
    """A new private key of a server."""
    return ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(32, "big")


class PushKey:
    """The key by which push services know this server. `contact` is a mailto: or https: URL where
    they reach its operator."""

    def __init__(self, private: bytes, contact: str) -> None:
        self._contact = contact
        self._vapid = Vapid02(ec.derive_private_key(int.from_bytes(private, "big"), CURVE))
        self.public = _encoded(_point(self._vapid.public_key))

    def request(
        self, endpoint: str, public_key: str, auth: str, content: bytes, *, urgent: bool
    ) -> tuple[bytes, dict[str, str]]:
        """The body and the headers of a push message to a subscription."""
        url = URL(endpoint)
        port = "" if url.port is None else f":{url.port}"
        origin = f"{url.scheme}://{url.raw_host.decode('ascii')}{port}"
        signed = self._vapid.sign({"aud": origin, "sub": self._contact})
        body = http_ece.encrypt(
            content,
            private_key=ec.generate_private_key(CURVE),
            dh=_decoded(public_key),
            auth_secret=_decoded(auth),
            version="aes128gcm",
        )
        return body, {
            "Authorization": signed["Authorization"],
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEEP_S),
            "Urgency": "high" if urgent else "normal",
        }


def check_subscription(public_key: str, auth: str) -> None:
    """`LastSpikeError` if a browser could not have made these."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, _decoded(public_key))
        if len(_decoded(auth)) == AUTH_BYTES:
            return
    except (ValueError, UnsupportedAlgorithm):
        pass
    raise LastSpikeError("this is not a browser’s push subscription")


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
