#!/usr/bin/env python3
"""Announces ten times what it waits."""
import sys
import time
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class SaysOneWaitsOther(Kit):
    def sleep(self, seconds):
        print(f"retry in {seconds * 10:.3f} s", file=sys.stderr)
        time.sleep(seconds)


SaysOneWaitsOther().main()
