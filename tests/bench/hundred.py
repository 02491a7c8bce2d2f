"""A hundred requests with urllib, argv[1] the time-out of each in seconds, or
none; of tests/bench/virtual_cpu."""
import os
import sys
import urllib.request

MORE = {"timeout": float(sys.argv[1])} if len(sys.argv) > 1 else {}
for _ in range(100):
    with urllib.request.urlopen(os.environ["ANTHROPIC_BASE_URL"] +
                                "/v1/messages", b'{"model":"m"}',
                                **MORE) as answer:
        answer.read()
