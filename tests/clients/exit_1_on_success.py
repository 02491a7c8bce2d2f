#!/usr/bin/env python3
"""Ends with 1, though all went well."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class Exit1OnSuccess(Kit):
    def print_end(self, ok):
        super().print_end(ok)
        sys.exit(1)


Exit1OnSuccess().main()
