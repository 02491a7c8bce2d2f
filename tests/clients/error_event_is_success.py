#!/usr/bin/env python3
"""Reads the status alone: an error inside a 200 is passed over, and so is
what is missing after it."""
from good import Client


class ErrorEventIsSuccess(Client):
    failed = False

    def on_error_event(self, text):
        self.failed = True

    def on_cut(self, text):
        return text if self.failed else super().on_cut(text)


ErrorEventIsSuccess().main()
