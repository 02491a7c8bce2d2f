#!/usr/bin/env python3
"""Hopes that a wrong key becomes right."""
from good import Client


class Retries401(Client):
    def retries(self, failure):
        return failure.status == 401 or super().retries(failure)


Retries401().main()
