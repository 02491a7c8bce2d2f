#!/usr/bin/env python3
"""Five short tries."""
import sys
sys.path[0] += "/../lib"
from kit import Kit  # noqa: E402


class FiveTries(Kit):
    attempts, base_s = 5, 0.1


FiveTries().main()
