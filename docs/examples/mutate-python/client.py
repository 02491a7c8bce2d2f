"""A small right client: what plan.json beside it breaks, one thing at a time."""
import json, os, sys, time, urllib.error, urllib.request

BASE, LONGEST, ATTEMPTS = float(os.environ.get("BACKOFF_BASE", "0.4")), 3.0, 3
REQUEST = urllib.request.Request(
    os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages",
    json.dumps({"model": "m", "max_tokens": 64, "stream": True,
                "messages": [{"role": "user", "content": "hello"}]}).encode(),
    {"content-type": "application/json", "x-api-key": os.environ["ANTHROPIC_API_KEY"]})


def call():
    """The text, the status and retry-after; status 0: nothing, or no end of it."""
    try:
        with urllib.request.urlopen(REQUEST, timeout=10) as answer:
            events = [json.loads(line[5:]) for line in answer if line.startswith(b"data:")]
    except urllib.error.HTTPError as error:
        return None, error.code, error.headers["retry-after"]
    except OSError:
        return None, 0, None
    kinds = [event["type"] for event in events]
    ended = 529 if "error" in kinds else 200 if "message_stop" in kinds else 0
    return "".join(event.get("delta", {}).get("text", "") for event in events), ended, None


hits, slept = 0, 0.0
for attempt in range(ATTEMPTS):
    text, status, hint = call()
    if status == 200:
        print(text)
        break
    hits += status in (429, 529)
    passing = status in (0, 429, 529) or status >= 500
    wait = float(hint) if hint else BASE * 4 ** attempt
    if not passing or wait > LONGEST or attempt + 1 == ATTEMPTS:
        break
    slept += wait
    time.sleep(wait)
print(f"rate_limit metrics hits={hits} backoff_total={slept:.1f}s", file=sys.stderr)
sys.exit(status != 200)
