#!/usr/bin/env python3
"""Dies of the first refusal."""
import os
import signal

from good import Client


class Crash(Client):
    def retries(self, failure):
        os.kill(os.getpid(), signal.SIGSEGV)


Crash().main()
