#!/usr/bin/env python3
"""Asks again on the connection that was just refused."""
import sys
sys.path[0] += "/lib"
from kit import Failure, Kit  # noqa: E402


class SameConnection(Kit):
    kept = None

    def connect(self, url):
        if not self.kept:
            self.kept = super().connect(url)
        return self.kept

    def attempt(self):
        try:
            return super().attempt()
        except Failure:
            self.kept.sock and self.kept._HTTPConnection__response.read()
            raise

    def leave(self):
        pass


SameConnection().main()
