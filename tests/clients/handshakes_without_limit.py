#!/usr/bin/env python3
"""Its time-out is for answers: a handshake has none."""
import socket
import ssl

from good import Client


class WithoutLimit(Client):
    def connection(self, url):
        connection = super().connection(url)
        plain = socket.create_connection((url.hostname, url.port))
        connection.sock = ssl.create_default_context().wrap_socket(
            plain, server_hostname=url.hostname)
        connection.sock.settimeout(self.timeout_s)
        return connection


WithoutLimit().main()
