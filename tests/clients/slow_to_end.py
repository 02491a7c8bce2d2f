#!/usr/bin/env python3
"""Has its answer and does not end."""
import sys
import time
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class SlowToEnd(Kit):
    def print_end(self, ok):
        super().print_end(ok)
        time.sleep(5.5)


SlowToEnd().main()
