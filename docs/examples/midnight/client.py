#!/usr/bin/env python3
"""Asks Gemini; when the day's quota is used up, waits for midnight. With the
word "naive" it takes the wall clock for a ruler: the night in which the
clock is put forward makes it an hour late."""
import datetime
import os
import sys
import time
import urllib.error
import urllib.request

URL = (os.environ["GOOGLE_GEMINI_BASE_URL"]
       + "/v1beta/models/gemini-2.5-flash:generateContent")
BODY = b'{"contents": [{"parts": [{"text": "hello"}]}]}'


def call():
    request = urllib.request.Request(
        URL, BODY, {"content-type": "application/json",
                    "x-goog-api-key": os.environ["GEMINI_API_KEY"]})
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def to_midnight(naive):
    now = datetime.datetime.now()
    midnight = datetime.datetime(now.year, now.month, now.day)
    midnight += datetime.timedelta(days=1)
    if naive:
        return (midnight - now).total_seconds()
    return midnight.timestamp() - time.time()


def main():
    naive = "naive" in sys.argv[1:]
    for _ in range(3):
        try:
            call()
            return 0
        except urllib.error.HTTPError as error:
            if error.code != 429:
                raise
            time.sleep(to_midnight(naive))
    return 1


sys.exit(main())
