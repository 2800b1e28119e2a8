"""The ids of the environments, and how Gymnasium comes to know them."""

from __future__ import annotations

from lastspike.lab.research.optional_libraries import missing

try:
    from gymnasium.envs import registration
except ImportError as error:
    raise missing("gymnasium") from error

ID = "LastSpike-v1"
"""One seat against computer players; `gymnasium.make_vec` plays many such games on arrays. The
number increases if the same seed and actions may give other results."""

_RESEARCH = "lastspike.lab.research"


def register() -> None:
    """Register the ids, unless they are. Gymnasium up to 1.2 calls this by itself, as a plug-in."""
    if ID not in registration.registry:
        registration.register(
            id=ID,
            entry_point=f"{_RESEARCH}.gymnasium_env:LastSpikeEnv",
            vector_entry_point=f"{_RESEARCH}.environments.gymnasium_vector:LastSpikeVectorEnv",
        )
