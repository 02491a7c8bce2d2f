#!/usr/bin/env python3
"""A retry-after of 0 means now."""
import sys
sys.path[0] += "/../lib"
from kit import Kit  # noqa: E402


class ZeroIsNow(Kit):
    zero = "immediate"


ZeroIsNow().main()
