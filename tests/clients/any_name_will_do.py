#!/usr/bin/env python3
"""Looks at who signed the certificate, not at whose it is."""
import http.client
import ssl

from good import Client


class AnyNameWillDo(Client):
    def connection(self, url):
        context = ssl.create_default_context()
        context.check_hostname = False
        return http.client.HTTPSConnection(url.netloc, context=context,
                                           timeout=self.timeout_s)


AnyNameWillDo().main()
