#!/usr/bin/env python3
"""Waits five times what the server asks for."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class Oversleeps(Kit):
    def asked_s(self, failure):
        asked = super().asked_s(failure)
        return asked and 5 * asked


Oversleeps().main()
