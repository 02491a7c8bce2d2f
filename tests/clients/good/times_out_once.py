#!/usr/bin/env python3
"""A call that timed out is paid for, and not made again."""
import sys
sys.path[0] += "/../lib"
from kit import Kit  # noqa: E402


class TimesOutOnce(Kit):
    timeout_s, timeout_retry = 0.5, 0


TimesOutOnce().main()
