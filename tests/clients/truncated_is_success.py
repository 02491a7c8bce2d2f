#!/usr/bin/env python3
"""Takes the end of the bytes for the end of the answer."""
from good import Client


class TruncatedIsSuccess(Client):
    def on_cut(self, text):
        return text


TruncatedIsSuccess().main()
