"""What a finished game looked like to each player, and what they might have done."""

from .run_review import PLAYOUTS, Review, review, review_to_json

__all__ = ["PLAYOUTS", "Review", "review", "review_to_json"]
