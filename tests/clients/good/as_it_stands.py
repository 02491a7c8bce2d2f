#!/usr/bin/env python3
"""The kit with its own values: each bad client beside it differs in one."""
import sys
sys.path[0] += "/../lib"
from kit import Kit  # noqa: E402

Kit().main()
