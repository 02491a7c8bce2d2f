#!/usr/bin/env python3
"""Waits well and asks for ever."""
from good import Client


class NeverGivesUp(Client):
    attempts = 1000000

    def wait_s(self, failure, attempt):
        return min(super().wait_s(failure, min(attempt, 3)), 2.0)


NeverGivesUp().main()
