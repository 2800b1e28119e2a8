"""The game as files that any web server can serve: the page, with the server in its worker."""
