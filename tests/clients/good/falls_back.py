#!/usr/bin/env python3
"""Its second try asks another model; the wait is kept."""
import sys
sys.path[0] += "/../lib"
from kit import Kit  # noqa: E402


class FallsBack(Kit):
    def body(self):
        model = "m" if self.tries == 1 else "smaller"
        return {**super().body(), "model": model}


FallsBack().main()
