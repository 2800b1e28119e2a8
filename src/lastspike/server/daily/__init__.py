"""The Daily Deal: chains, tries, scores, calendar and lists."""
