#!/usr/bin/env python3
"""Tries once: what calls it tries again."""
import sys
sys.path[0] += "/../lib"
from kit import Kit  # noqa: E402


class OneTry(Kit):
    attempts = 1


OneTry().main()
