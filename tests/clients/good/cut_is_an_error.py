#!/usr/bin/env python3
"""Half a text is an error, and no second call is paid for."""
import sys
sys.path[0] += "/../lib"
from kit import Kit  # noqa: E402


class CutIsAnError(Kit):
    truncated = "error"


CutIsAnError().main()
