"""Makes Gymnasium know the game: `gymnasium.make("lastspike.gym:LastSpike-v1")`."""

from lastspike.lab.research.environments.registration import ID, register

__all__ = ["ID", "register"]

register()
