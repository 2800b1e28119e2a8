"""The game itself: editions, the open table, hidden hands, moves, play, views, shuffle, records.

Standard library only, and no input or output beyond reading an edition or a record.
"""
