#!/usr/bin/env python3
"""Prints what it has before it tries again: half the answer, then all."""
from good import Client


class DoubleText(Client):
    def on_cut(self, text):
        print(text, end="", flush=True)
        return super().on_cut(text)


DoubleText().main()
