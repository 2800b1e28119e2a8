"""What Tycoon assumes about the other players: how they choose, and which tiles they hold."""
