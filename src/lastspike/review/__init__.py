"""Review of a finished game: win chances, luck, and better turns."""

from .run_review import PLAYOUTS, Review, review, review_to_json

__all__ = ["PLAYOUTS", "Review", "review", "review_to_json"]
