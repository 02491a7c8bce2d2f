#!/usr/bin/env python3
"""Somebody once switched verification off, for a proxy."""
import http.client
import ssl

from good import Client


class TrustsAnybody(Client):
    def connection(self, url):
        context = ssl._create_unverified_context()
        return http.client.HTTPSConnection(url.netloc, context=context,
                                           timeout=self.timeout_s)


TrustsAnybody().main()
