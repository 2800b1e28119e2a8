"""The messages between client and server, protocol version 1.

Sockets carry JSON objects with a `type`; HTTP bodies are JSON too. `docs/protocol.md` explains
their use. This package imports nothing else of the project, so that clients need only this.
"""

from .admin import *
from .daily import *
from .http import *
from .settings import *
from .socket import *
