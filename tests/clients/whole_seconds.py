#!/usr/bin/env python3
"""Reads whole seconds, and nothing else."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class WholeSeconds(Kit):
    def asked_s(self, failure):
        try:
            return int(failure.retry_after)
        except (TypeError, ValueError):
            return None


WholeSeconds().main()
