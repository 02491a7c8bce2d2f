#!/usr/bin/env python3
"""Leaves after a fifth of a second."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class Impatient(Kit):
    timeout_s = 0.2


Impatient().main()
