#!/usr/bin/env python3
"""Its second try asks another model, and at once."""
import sys
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class FallsBackAtOnce(Kit):
    def body(self):
        model = "m" if self.tries == 1 else "smaller"
        return {**super().body(), "model": model}

    def wait_s(self, failure, number):
        return 0


FallsBackAtOnce().main()
