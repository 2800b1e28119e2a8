"""Tests of the lessons, and the script that makes them."""
