#!/usr/bin/env python3
"""States one attempt, however many there were."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class CountsOneTry(Kit):
    def said_attempts(self):
        return 1


CountsOneTry().main()
