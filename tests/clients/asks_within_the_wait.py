#!/usr/bin/env python3
"""Asks once more before the wait is over, to be sure."""
import sys
import time
sys.path[0] += "/lib"
from kit import Failure, Kit  # noqa: E402


class AsksWithinTheWait(Kit):
    def sleep(self, seconds):
        time.sleep(seconds / 4)
        try:
            self.attempt()
        except Failure:
            pass
        super().sleep(seconds)


AsksWithinTheWait().main()
