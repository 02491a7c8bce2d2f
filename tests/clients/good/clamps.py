#!/usr/bin/env python3
"""Waits no longer than half a second, whatever is asked for."""
import sys
sys.path[0] += "/../lib"
from kit import Kit  # noqa: E402


class Clamps(Kit):
    max_wait_s, over = 0.5, "clamp"


Clamps().main()
