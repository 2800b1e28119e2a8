"""Tables in memory: registry, connections, presence, and what happens by the clock."""
