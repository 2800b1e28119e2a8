"""Games written down: records, traces, positions as text, and the shuffle."""
