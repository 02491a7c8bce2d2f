#!/usr/bin/env python3
"""SIGTERM is for others."""
import sys
import signal
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class IgnoresSigterm(Kit):
    def __init__(self):
        super().__init__()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


IgnoresSigterm().main()
