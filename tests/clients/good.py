#!/usr/bin/env python3
"""The control: a small right client. Each client beside it changes one thing
and is named after that sin; what turns red must be that thing's doing."""
import http.client
import json
import os
import random
import sys
import time
import urllib.parse

LIMITS = (429, 529)
PASSING = LIMITS + (408, 500, 502, 503, 504)


class Failure(Exception):
    def __init__(self, status, retry_after=None):
        super().__init__(f"failed: {status}")
        self.status, self.retry_after = status, retry_after


class Client:
    attempts, max_wait_s, timeout_s = 3, 300, 2.0
    hits, backoff_total = 0, 0.0

    def call(self):
        """The whole text, or a Failure."""
        url = urllib.parse.urlsplit(os.environ["ANTHROPIC_BASE_URL"])
        http_ = self.connection(url)
        body = {"model": "m", "max_tokens": 64, "stream": True,
                "messages": [{"role": "user", "content": "hello"}]}
        try:
            http_.request("POST", url.path + "/v1/messages", json.dumps(body),
                          {"content-type": "application/json",
                           "x-api-key": os.environ["ANTHROPIC_API_KEY"]})
            answer = http_.getresponse()
            if answer.status != 200:
                raise Failure(answer.status, answer.headers["retry-after"])
            return self.read_stream(answer)
        except (OSError, http.client.HTTPException):
            raise Failure(0) from None
        finally:
            http_.close()

    def connection(self, url):
        """Over HTTPS whom $SSL_CERT_FILE names is trusted, nobody else."""
        if url.scheme == "https":
            return http.client.HTTPSConnection(url.netloc,
                                               timeout=self.timeout_s)
        return http.client.HTTPConnection(url.netloc, timeout=self.timeout_s)

    def read_stream(self, answer):
        text, content_at = "", time.monotonic()
        for line in answer:
            if time.monotonic() - content_at > self.timeout_s:
                raise Failure(0)
            if not line.startswith(b"data:"):
                continue
            event = json.loads(line[5:])
            if event["type"] != "ping":
                content_at = time.monotonic()
            text += event.get("delta", {}).get("text", "")
            if event["type"] == "error":
                self.on_error_event(text)
            if event["type"] == "message_stop":
                return text
        return self.on_cut(text)

    def on_error_event(self, text):
        raise Failure(529)

    def on_cut(self, text):
        raise Failure(0)

    def retries(self, failure):
        return failure.status == 0 or failure.status in PASSING

    def wait_s(self, failure, attempt):
        if failure.retry_after and failure.retry_after.isdigit():
            return float(failure.retry_after)
        return 2 ** (attempt - 1) * random.uniform(0.6, 1.0)

    def run(self):
        for attempt in range(1, self.attempts + 1):
            try:
                return self.call()
            except Failure as failure:
                self.hits += failure.status in LIMITS
                if not self.retries(failure) or attempt == self.attempts:
                    raise
                wait_s = self.wait_s(failure, attempt)
                if wait_s > self.max_wait_s:
                    raise
                self.backoff_total += wait_s
                time.sleep(wait_s)

    def print_metrics(self):
        print("rate_limit metrics label=good state=closed "
              f"hits={self.hits} rejected=0 opened=0 "
              f"backoff_total={self.backoff_total:.1f}s", file=sys.stderr)

    def main(self):
        try:
            print(self.run())
        except Failure as failure:
            sys.exit(str(failure))
        finally:
            self.print_metrics()


if __name__ == "__main__":
    Client().main()
