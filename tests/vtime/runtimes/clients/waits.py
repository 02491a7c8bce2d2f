"""What the Python clients here have in common: one call, and how long to wait
after an answer. Before each wait they say how long it is to be."""
import json
import os
import time

URL = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
BODY = json.dumps({"model": "m", "max_tokens": 64, "stream": True,
                   "messages": [{"role": "user", "content": "hello"}]})
TRIES = 4
READ_TIMEOUT_S = 300


def wait_s(number, headers):
    """After try `number`, from 1: what is asked for, the reset, or 1, 2, 4."""
    if headers.get("retry-after"):
        wait = float(headers["retry-after"])
    elif headers.get("anthropic-ratelimit-unified-reset"):
        wait = (float(headers["anthropic-ratelimit-unified-reset"]) -
                time.time())
    else:
        wait = 2.0 ** (number - 1)
    print(f"wait {wait:.6f}", flush=True)
    return wait


def text_of(line):
    """Of one line of the stream; bytes or text."""
    line = line.decode() if isinstance(line, bytes) else line
    if not line.startswith("data:"):
        return ""
    return json.loads(line[5:]).get("delta", {}).get("text", "")
