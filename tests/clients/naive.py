#!/usr/bin/env python3
"""The article's client before its repair: 429 and 529 fall into "other", and
"other" is started again at once."""
import json
import os
import sys
import urllib.request


def call():
    body = {"model": "m", "max_tokens": 64, "stream": True,
            "messages": [{"role": "user", "content": "hello"}]}
    request = urllib.request.Request(
        os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages",
        json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=5) as answer:
        events = [json.loads(line[5:]) for line in answer
                  if line.startswith(b"data:")]
    return "".join(e.get("delta", {}).get("text", "") for e in events)


def main():
    for _ in range(3):
        try:
            print(call())
            return
        except TimeoutError:
            print("timeout, trying once more", file=sys.stderr)
        except Exception as other:  # what a 429 becomes here
            print(f"other: {other}", file=sys.stderr)
    sys.exit(1)


main()
