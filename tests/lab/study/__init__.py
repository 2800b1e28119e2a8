"""Tests of the study of an edition."""
