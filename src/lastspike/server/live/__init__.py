"""Tables in memory: registry, connections, presence and scheduler."""
