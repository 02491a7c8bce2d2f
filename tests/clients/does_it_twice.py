#!/usr/bin/env python3
"""Does the work of every try, not of the one that went well."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class DoesItTwice(Kit):
    def sleep(self, seconds):
        self.effects()
        super().sleep(seconds)


DoesItTwice().main()
