"""Running the server: sockets, processes, and the lock on its database."""
