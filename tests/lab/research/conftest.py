"""OpenSpiel brings absl, whose log handler closes whatever was standard error when it was made, as
soon as somebody sets up logging anew. In a test run that is pytest's own file: it gets another."""

from __future__ import annotations

import sys
from importlib import import_module

import_module("absl.logging").get_absl_handler().python_handler.stream = sys.__stderr__
