#!/usr/bin/env python3
"""No jitter: all copies wait the same."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class InStep(Kit):
    def backoff_s(self, number):
        return self.base_s * 0.8


InStep().main()
