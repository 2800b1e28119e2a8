"""Releases: versions, builds, the list of components and the audit of pinned versions."""
