#!/usr/bin/env python3
"""Waits the same second every time, so that all workers fire together."""
from good import Client


class Lockstep(Client):
    def wait_s(self, failure, attempt):
        return 1.0


Lockstep().main()
