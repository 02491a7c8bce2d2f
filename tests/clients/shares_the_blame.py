#!/usr/bin/env python3
"""One account is refused, and none is used any more."""
import sys
import os
import time
sys.path[0] += "/lib"
from kit import Failure, Kit  # noqa: E402


class SharesTheBlame(Kit):
    def mark(self):
        return os.environ["FAULTWIRE_SIDE_EFFECTS"] + ".limited"

    def is_limit(self, failure):
        open(self.mark(), "w", encoding="ascii").close()
        return True

    def call(self):
        if os.environ["ANTHROPIC_BASE_URL"].endswith("/b"):
            time.sleep(0.8)
        if os.path.exists(self.mark()):
            raise Failure("status", 429)
        return super().call()


SharesTheBlame().main()
