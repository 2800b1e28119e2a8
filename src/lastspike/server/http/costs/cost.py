"""The budget of one route or message, at its largest allowed input.

Work is counted and not timed, so that tests can check it on any machine: calls are calls of Python
functions on the event loop, which serves everybody. 1,000 calls take about a tenth of a
millisecond to half a millisecond.
"""

from __future__ import annotations

from typing import NamedTuple

KIB = 1024


class Cost(NamedTuple):
    """
    tokens      how many plain requests or messages it counts as, in the rate limit
    body        most bytes taken in; more is refused before it is parsed
    calls       most thousands of calls on the event loop
    statements  most SQL statements
    answer      most KiB of the answer
    note        what it costs elsewhere: in other processes and threads
    """

    tokens: int = 1
    body: int = 4 * KIB
    calls: int = 5
    statements: int = 5
    answer: int = 4
    note: str = ""
