#!/usr/bin/env python3
"""Its counters know no refusal."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class CountsNoHits(Kit):
    def is_limit(self, failure):
        return False


CountsNoHits().main()
