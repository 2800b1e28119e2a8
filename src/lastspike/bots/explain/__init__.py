"""Why a turn is good: structured reasons, and the code that finds them."""
