"""The messages on the wire, both ways: what a client of the server may rely on.

Version 1. Sockets carry JSON objects whose `type` says which of these they are; HTTP bodies are
JSON too. `docs/protocol.md` explains their use. Nothing here imports anything else of the project,
so that clients need only this.
"""

from .http import *
from .settings import *
from .socket import *
