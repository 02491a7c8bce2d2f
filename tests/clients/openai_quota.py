#!/usr/bin/env python3
"""A 429 is a 429: the body is not read."""
import json
import os
import sys
import time
import urllib.error
import urllib.request

AGAIN = ("rate_limit_exceeded", "insufficient_quota")


def call():
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        json.dumps({"model": "m", "messages": [
            {"role": "user", "content": "hello"}]}).encode(),
        {"content-type": "application/json", "authorization": "Bearer none"})
    with urllib.request.urlopen(request, timeout=5) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


for number in range(3):
    try:
        print(call())
        sys.exit(0)
    except urllib.error.HTTPError as refused:
        code = json.loads(refused.read())["error"]["code"]
        print(f"class={code}", file=sys.stderr)
        if code not in AGAIN:
            break
        time.sleep(0.2)
sys.exit(1)
