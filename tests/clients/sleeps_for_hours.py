#!/usr/bin/env python3
"""Obeys any retry-after: a worker that sleeps is a worker lost."""
from good import Client


class SleepsForHours(Client):
    max_wait_s = float("inf")


SleepsForHours().main()
