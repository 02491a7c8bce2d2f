#!/usr/bin/env python3
"""Two tries, whatever the outage."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class GivesUpEarly(Kit):
    attempts = 2


GivesUpEarly().main()
