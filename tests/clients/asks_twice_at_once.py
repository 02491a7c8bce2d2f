#!/usr/bin/env python3
"""Sends every call twice and takes what comes first."""
import sys
import threading
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class AsksTwiceAtOnce(Kit):
    def attempt(self):
        other = threading.Thread(target=Kit().attempt)
        other.start()
        try:
            return super().attempt()
        finally:
            other.join()


AsksTwiceAtOnce().main()
