#!/usr/bin/env python3
"""Shows its progress where the answer belongs."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class DotsOnStdout(Kit):
    def sleep(self, seconds):
        print("...", end="", flush=True)
        super().sleep(seconds)


DotsOnStdout().main()
