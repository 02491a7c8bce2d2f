#!/usr/bin/env python3
"""A thread beside the work dies, and nobody looks."""
import sys
import threading
sys.path[0] += "/lib"
from kit import Kit  # noqa: E402


class ThreadDies(Kit):
    def sleep(self, seconds):
        thread = threading.Thread(target=lambda: {}["missing"])
        thread.start()
        thread.join()
        super().sleep(seconds)


ThreadDies().main()
