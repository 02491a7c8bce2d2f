#!/usr/bin/python3
"""requests with a read time-out, and time.sleep in between."""
import sys
import time

import requests
import waits

session = requests.Session()
for number in range(1, waits.TRIES + 1):
    with session.post(waits.URL, waits.BODY, stream=True,
                      timeout=(10, waits.READ_TIMEOUT_S)) as answer:
        if answer.status_code == 200:
            try:
                print("".join(map(waits.text_of, answer.iter_lines())))
                sys.exit(0)
            except requests.ConnectionError:  # what a read time-out becomes
                sys.exit("nothing was read for too long")
        time.sleep(waits.wait_s(number, answer.headers))
sys.exit(1)
