#!/usr/bin/env python3
"""Two refusals in a row, and the next start asks nobody."""
import sys
sys.path[0] += "/../lib"
from kit import Kit  # noqa: E402


class Breaker(Kit):
    attempts, breaker_after = 1, 2


Breaker().main()
