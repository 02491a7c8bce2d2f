#!/usr/bin/env python3
"""Gives up, and then looks whether it is over."""
import sys
import time
sys.path[0] += "/lib"
from kit import Failure, Kit  # noqa: E402


class AsksAfterTheEnd(Kit):
    def report(self, failure):
        time.sleep(0.3)
        try:
            self.attempt()
        except Failure:
            self.hits += 1
        return super().report(failure)


AsksAfterTheEnd().main()
