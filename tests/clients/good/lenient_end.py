#!/usr/bin/env python3
"""Its proxy never sends the last event."""
import sys
sys.path[0] += "/../lib"
from kit import Kit  # noqa: E402


class LenientEnd(Kit):
    lenient = True


LenientEnd().main()
