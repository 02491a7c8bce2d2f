#!/usr/bin/env python3
"""urllib in a thread; it waits on an Event, the main thread on the result."""
import concurrent.futures
import sys
import threading
import urllib.error
import urllib.request

import waits


def ask():
    for number in range(1, waits.TRIES + 1):
        request = urllib.request.Request(waits.URL, waits.BODY.encode())
        try:
            with urllib.request.urlopen(
                    request, timeout=waits.READ_TIMEOUT_S) as answer:
                return "".join(map(waits.text_of, answer))
        except urllib.error.HTTPError as error:
            threading.Event().wait(waits.wait_s(number, error.headers))
    return None


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    try:
        text = pool.submit(ask).result(timeout=86400)
    except TimeoutError:
        sys.exit("nothing was read for too long")
print(text)
sys.exit(text is None)
