#!/usr/bin/env python3
"""Hands seconds to a sleep that counts milliseconds."""
import sys
import time
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class Milliseconds(Kit):
    def sleep(self, seconds):
        print(f"retry in {seconds:.3f} s", file=sys.stderr, flush=True)
        time.sleep(seconds / 1000)


Milliseconds().main()
