"""A table as pure values: its log, state, commands and views. No I/O."""
