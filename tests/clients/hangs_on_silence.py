#!/usr/bin/env python3
"""Has no time-out: a server that says nothing is waited for."""
from good import Client


class HangsOnSilence(Client):
    timeout_s = None  # http.client: for ever


HangsOnSilence().main()
