"""A small right client: what plan.json beside it breaks, one thing at a time."""
import json, os, sys, time, urllib.error, urllib.request

BASE, LONGEST, ATTEMPTS = float(os.environ.get("BACKOFF_BASE", "0.4")), 3.0, 3
hits, slept = 0, 0.0


class Failed(Exception):
    def __init__(self, status, hint=None):
        super().__init__(status)
        self.status, self.hint = status, hint


def read(answer):
    text, ended = "", False
    for line in answer:
        if not line.startswith(b"data:"):
            continue
        event = json.loads(line[5:])
        if event["type"] == "error":
            raise Failed(529)
        text += event.get("delta", {}).get("text", "")
        ended = ended or event["type"] == "message_stop"
    if not ended:
        raise Failed(0)
    return text


def call():
    body = {"model": "m", "max_tokens": 64, "stream": True, "messages": [{"role": "user", "content": "hello"}]}
    request = urllib.request.Request(
        os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages", json.dumps(body).encode(),
        {"content-type": "application/json", "x-api-key": os.environ["ANTHROPIC_API_KEY"]})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return read(answer)
    except urllib.error.HTTPError as error:
        raise Failed(error.code, error.headers["retry-after"]) from None
    except OSError:
        raise Failed(0) from None


def main():
    global hits, slept
    for attempt in range(ATTEMPTS):
        try:
            print(call())
            return 0
        except Failed as failed:
            hits += failed.status in (429, 529)
            passing = failed.status in (0, 429, 529) or failed.status >= 500
            wait = float(failed.hint) if failed.hint else BASE * 4 ** attempt
            if not passing or wait > LONGEST or attempt + 1 == ATTEMPTS:
                return 1
            slept += wait
            time.sleep(wait)


code = main()
print(f"rate_limit metrics hits={hits} backoff_total={slept:.1f}s", file=sys.stderr)
sys.exit(code)
