"""Backup, restore and upgrade."""
