"""What an edition plays like: length, endings, payouts, land, routes, order of play.

Figures with their intervals, and no sentences: whoever shows them finds the words.
"""

from .findings import Findings
from .run_study import Study, study, study_to_json

__all__ = ["Findings", "Study", "study", "study_to_json"]
