"""Why a player chose a turn: structured reasons, and how they are found."""
