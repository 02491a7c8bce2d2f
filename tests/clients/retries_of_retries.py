#!/usr/bin/env python3
"""Its own loop around a library that retries already."""
import sys
import time
sys.path[0] += "/lib"
from kit import Failure, Kit  # noqa: E402


class RetriesOfRetries(Kit):
    def call(self):
        for _ in range(2):
            try:
                return super().call()
            except Failure:
                time.sleep(0.2)
        return super().call()


RetriesOfRetries().main()
