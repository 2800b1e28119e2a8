"""The page as the browser gets it: its files, and its modules in one."""
