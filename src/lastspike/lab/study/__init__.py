"""Studies of editions: length, endings, payouts, land, routes, order of play.

They hold figures with intervals, no sentences.
"""

from .findings import Findings
from .run_study import Study, study, study_to_json

__all__ = ["Findings", "Study", "study", "study_to_json"]
