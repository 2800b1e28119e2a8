"""The operator: the key, bans, announcements, and all that they may see and do."""
