#!/usr/bin/env python3
"""Three tries, none of them later."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class Hammers(Kit):
    base_s = 0.0


Hammers().main()
