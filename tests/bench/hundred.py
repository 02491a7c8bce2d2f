"""A hundred requests with urllib; of tests/bench/virtual_cpu."""
import os
import urllib.request

for _ in range(100):
    with urllib.request.urlopen(os.environ["ANTHROPIC_BASE_URL"] +
                                "/v1/messages", b'{"model":"m"}') as answer:
        answer.read()
