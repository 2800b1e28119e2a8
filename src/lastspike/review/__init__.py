"""Review of a finished game: win chances, luck, and better turns."""

from .quick import quick_review
from .run_review import PLAYOUTS, Review, review, review_to_json

__all__ = ["PLAYOUTS", "Review", "quick_review", "review", "review_to_json"]
