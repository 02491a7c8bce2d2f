#!/usr/bin/env python3
"""Reports the failure and ends with 0."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class LosesExitCode(Kit):
    def report(self, failure):
        super().report(failure)
        return 0


LosesExitCode().main()
