"""A wire between a browser and a server that can be cut and mended."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Wire:
    """Passes on all that comes to `url`. While it is cut nobody gets through, and those who were
    are thrown out; while it is silent nothing is said, but nobody is told so either."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._whole = True
        self._heard = threading.Event()
        self._heard.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        with self._lock:
            self._whole = False
            self._close_all()

    def mend(self) -> None:
        self._whole = True
        self._heard.set()

    def silence(self) -> None:
        self._heard.clear()

    def close(self) -> None:
        self._listener.close()
        self._heard.set()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                if not self._whole:
                    near.close()
                    continue
                try:
                    far = socket.create_connection(("127.0.0.1", self._to))
                except OSError:
                    near.close()
                    continue
                self._open |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                self._heard.wait()
                other.sendall(data)
        with self._lock:
            for end in (one, other):
                self._open.discard(end)
                _hang_up(end)

    def _close_all(self) -> None:
        for end in self._open:
            _hang_up(end)
        self._open.clear()


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextmanager
def wire_to(url: str) -> Iterator[Wire]:
    wire = Wire(int(url.rpartition(":")[2]))
    try:
        yield wire
    finally:
        wire.close()
