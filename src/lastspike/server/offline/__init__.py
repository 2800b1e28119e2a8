"""The server in a browser: tables without a network, in a worker of the page."""
