#!/usr/bin/env python3
"""Calls an overload a wrong key."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class WrongClass(Kit):
    def class_of(self, failure):
        return "auth"


WrongClass().main()
