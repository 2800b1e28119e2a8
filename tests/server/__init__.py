"""People playing together: the server, from its pure core to real sockets."""
