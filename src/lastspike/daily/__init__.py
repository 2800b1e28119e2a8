"""The Daily Deal: one deal a day for all, from a chain of commitments, scored without luck."""
