#!/usr/bin/env python3
"""A client of 20 lines with known numbers: $TRIES tries, $PAUSE seconds
between them whatever the server says, a second of patience."""
import json
import os
import sys
import time
import urllib.request

tries, pause_s = int(os.environ["TRIES"]), float(os.environ["PAUSE"])
for attempt in range(tries):
    time.sleep(pause_s if attempt else 0)
    try:
        request = urllib.request.Request(
            os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages",
            b'{"model":"m","max_tokens":9,"messages":[]}',
            {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=1) as answer:
            print(json.load(answer)["content"][0]["text"])
            sys.exit(0)
    except Exception as error:
        print(f"failed: {error}", file=sys.stderr)
sys.exit(1)
