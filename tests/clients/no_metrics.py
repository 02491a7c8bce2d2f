#!/usr/bin/env python3
"""Says nothing when nothing happened: peaceful and blind look alike."""
from good import Client


class NoMetrics(Client):
    def print_metrics(self):
        if self.hits:
            super().print_metrics()


NoMetrics().main()
