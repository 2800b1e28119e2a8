"""How strong a player is: a comparison from Python, and the benchmark with its fixed protocol."""

from .compare import Comparison, compare
from .protocol import PROTOCOL, Row, rows_of, run

__all__ = ["PROTOCOL", "Comparison", "Row", "compare", "rows_of", "run"]
