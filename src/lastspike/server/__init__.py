"""Tables, seats, persons, live connections, storage and fairness: people playing together."""
