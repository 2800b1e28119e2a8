"""HTTP and WebSocket: the guard, limits, problems, static files and routes."""
