#!/usr/bin/python3
"""requests with urllib3's Retry, as its documentation shows it."""
import json
import os

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

BODY = {"model": "m", "max_tokens": 64, "stream": True,
        "messages": [{"role": "user", "content": "hello"}]}
session = requests.Session()
session.mount("http://", HTTPAdapter(max_retries=Retry(
    total=3, backoff_factor=1, allowed_methods=None,
    status_forcelist=[429, 500, 502, 503, 504, 529])))
answer = session.post(os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages",
                      json=BODY, timeout=30)
answer.raise_for_status()
for line in answer.text.splitlines():
    if line.startswith("data:"):
        print(json.loads(line[5:]).get("delta", {}).get("text", ""), end="")
