#!/usr/bin/env python3
"""Every try asks for one token more."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class ChangesBody(Kit):
    def body(self):
        return {**super().body(), "max_tokens": 64 + self.tries}


ChangesBody().main()
