#!/usr/bin/python3
"""The retry loop of many recipes, with what Python brings along: any HTTP
error is tried again after 1, 2, 4 s; retry-after is not looked at."""
import json
import os
import time
import urllib.error
import urllib.request

BODY = {"model": "m", "max_tokens": 64, "stream": True,
        "messages": [{"role": "user", "content": "hello"}]}


def ask(retries=3):
    for attempt in range(retries + 1):
        try:
            request = urllib.request.Request(
                os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages",
                data=json.dumps(BODY).encode(),
                headers={"content-type": "application/json"})
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.read().decode()
        except urllib.error.URLError:
            if attempt == retries:
                raise
            time.sleep(2 ** attempt)


for line in ask().splitlines():
    if line.startswith("data:"):
        print(json.loads(line[5:]).get("delta", {}).get("text", ""), end="")
