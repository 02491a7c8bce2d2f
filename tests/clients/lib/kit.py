"""A right client whose policy is its attributes. The good clients set other
values, each bad client beside them changes one thing; what turns red must be
that thing's doing."""
import http.client
import json
import os
import random
import sys
import time
import urllib.parse

CLASSES = {401: "auth", 429: "rate_limit", 529: "overloaded"}


class Failure(Exception):
    """kind: status, timeout, cut, event or network"""

    def __init__(self, kind, status=0, retry_after=None):
        super().__init__(f"failed: {kind} {status}")
        self.kind, self.status, self.retry_after = kind, status, retry_after


class Kit:
    attempts = int(os.environ.get("ATTEMPTS", "3"))
    max_wait_s, over = 10.0, "stop"  # or clamp
    zero = "backoff"  # or immediate
    truncated = "retry"  # or error
    timeout_s = float(os.environ.get("TIMEOUT_S", "1"))
    timeout_retry = 2
    lenient = False  # a stream without its last event is an answer
    base_s = float(os.environ.get("BASE_S", "0.3"))
    breaker_after = 0  # 0: none
    prompt = "hello"
    calls = int(os.environ.get("CALLS", "1"))

    def __init__(self):
        self.tries = self.hits = self.timeouts = 0
        self.connection = None

    # --- one attempt

    def connect(self, url):
        return http.client.HTTPConnection(url.netloc, timeout=self.timeout_s)

    def body(self):
        return {"model": "m", "max_tokens": 64, "stream": True,
                "messages": [{"role": "user", "content": self.prompt}]}

    def headers(self):
        return {"content-type": "application/json",
                "x-api-key": os.environ["ANTHROPIC_API_KEY"]}

    def attempt(self):
        url = urllib.parse.urlsplit(os.environ["ANTHROPIC_BASE_URL"])
        self.connection = self.connect(url)
        self.tries += 1
        try:
            self.connection.request("POST", url.path + "/v1/messages",
                                    json.dumps(self.body()), self.headers())
            answer = self.connection.getresponse()
            if answer.status != 200:
                raise Failure("status", answer.status,
                              answer.headers["retry-after"])
            return self.read(answer)
        except TimeoutError:
            raise Failure("timeout") from None
        except http.client.IncompleteRead:
            raise Failure("cut") from None
        except (OSError, http.client.HTTPException):
            raise Failure("network") from None
        finally:
            self.leave()

    def leave(self):
        self.connection.close()

    def read(self, answer):
        text, content_at = "", time.monotonic()
        for line in answer:
            if time.monotonic() - content_at > self.timeout_s:
                raise Failure("timeout")
            if not line.startswith(b"data:"):
                continue
            event = json.loads(line[5:])
            if event["type"] != "ping":
                content_at = time.monotonic()
            text += event.get("delta", {}).get("text", "")
            if event["type"] == "error":
                raise Failure("event", 529)
            if event["type"] == "message_stop":
                return text
        return self.on_cut(text)

    def on_cut(self, text):
        if self.lenient and text:
            return text
        raise Failure("cut")

    # --- what follows a failure

    def is_limit(self, failure):
        return failure.status in (429, 529)

    def retries(self, failure):
        if failure.kind == "cut":
            return self.truncated == "retry"
        if failure.kind == "timeout":
            self.timeouts += 1
            return self.timeouts <= self.timeout_retry
        return failure.status not in (400, 401, 403, 404, 413)

    def backoff_s(self, number):
        return self.base_s * 2 ** (number - 1) * random.uniform(0.5, 1.0)

    def asked_s(self, failure):
        """Seconds the server asks for, None without a word."""
        try:
            return max(0.0, float(failure.retry_after))
        except (TypeError, ValueError):
            return None

    def wait_s(self, failure, number):
        """Seconds; None: stop."""
        asked = self.asked_s(failure)
        if asked is None:
            return self.backoff_s(number)
        if asked == 0:
            return 0 if self.zero == "immediate" else self.backoff_s(number)
        if asked > self.max_wait_s:
            return self.max_wait_s if self.over == "clamp" else None
        return asked

    def sleep(self, seconds):
        print(f"retry in {seconds:.3f} s", file=sys.stderr, flush=True)
        time.sleep(seconds)

    def call(self):
        for number in range(1, self.attempts + 1):
            try:
                return self.attempt()
            except Failure as failure:
                self.hits += self.is_limit(failure)
                if number == self.attempts or not self.retries(failure):
                    raise
                wait_s = self.wait_s(failure, number)
                if wait_s is None:
                    raise
                self.sleep(wait_s)

    # --- the breaker, shared by all starts of a HOME

    def state(self):
        return os.path.expanduser("~/refusals")

    def refusals(self):
        try:
            with open(self.state(), encoding="ascii") as file:
                return int(file.read())
        except FileNotFoundError:
            return 0

    def count_refusal(self):
        count = self.refusals() + 1
        with open(self.state(), "w", encoding="ascii") as file:
            file.write(str(count))

    # --- the program

    def class_of(self, failure):
        return {"timeout": "timeout", "cut": "truncated"}.get(
            failure.kind) or CLASSES.get(failure.status, "server_error")

    def report(self, failure):
        print(f"class={self.class_of(failure)}", file=sys.stderr)
        return 1

    def show(self, text):
        print(text)

    def effects(self):
        with open(os.environ["FAULTWIRE_SIDE_EFFECTS"], "a",
                  encoding="ascii") as file:
            file.write("file written\n")

    def said_attempts(self):
        return self.tries

    def print_end(self, ok):
        print(f"hits={self.hits}", file=sys.stderr)
        print(json.dumps({"attempts": self.said_attempts(), "ok": ok}),
              file=sys.stderr)

    def main(self):
        code = 0
        if self.breaker_after and self.refusals() >= self.breaker_after:
            print("class=rate_limit, not sent", file=sys.stderr)
            sys.exit(75)
        try:
            for number in range(self.calls):
                self.prompt = f"hello {number}"
                self.show(self.call())
            self.effects()
        except Failure as failure:
            if self.breaker_after and self.is_limit(failure):
                self.count_refusal()
            code = self.report(failure)
        self.print_end(code == 0)
        sys.exit(code)
