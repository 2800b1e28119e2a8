"""Players from outside: other packages and programs, and the guard around them."""
