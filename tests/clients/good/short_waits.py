#!/usr/bin/env python3
"""Obeys a second and stops at more."""
import sys
sys.path[0] += "/../lib"
from kit import Kit  # noqa: E402


class ShortWaits(Kit):
    max_wait_s = 1.0


ShortWaits().main()
