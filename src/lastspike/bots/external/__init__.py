"""Third-party players: from packages and programs, and the guard around them."""
