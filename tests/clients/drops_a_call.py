#!/usr/bin/env python3
"""A call that is refused is left out of the answer."""
import sys
sys.path[0] += "/lib"
from kit import Failure, Kit  # noqa: E402


class DropsACall(Kit):
    def call(self):
        try:
            return self.attempt()
        except Failure:
            return ""

    def show(self, text):
        print(text) if text else None


DropsACall().main()
