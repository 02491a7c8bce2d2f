#!/usr/bin/env python3
"""Every wait is as long as the one before."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class DoesNotGrow(Kit):
    def backoff_s(self, number):
        return self.base_s


DoesNotGrow().main()
