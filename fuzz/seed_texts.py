"""Seeds that no table of the tree holds, for fuzz/seed: a name and the bytes
of one input each. The form of the inputs is told at the top of each
fuzz_*.c."""

RATE_HEADERS = {
    "anthropic":
        b'anthropic-ratelimit-requests-limit: 50\n'
        b'anthropic-ratelimit-requests-remaining: 5\n'
        b'anthropic-ratelimit-requests-reset: 2025-12-01T00:00:54Z\n'
        b'anthropic-ratelimit-input-tokens-limit: 40000\n'
        b'anthropic-ratelimit-input-tokens-remaining: 39000\n'
        b'anthropic-ratelimit-input-tokens-reset: 2025-12-01T00:00:02Z\n'
        b'anthropic-ratelimit-output-tokens-limit: 8000\n'
        b'anthropic-ratelimit-output-tokens-remaining: 0\n'
        b'anthropic-ratelimit-output-tokens-reset: 2025-12-01T00:01:00Z\n',
    "azure":
        b'x-ratelimit-remaining-requests: 9\nx-ratelimit-remaining-tokens: 900\n'
        b'x-ratelimit-reset-tokens: 12\n',
    "azure-unknown":
        b'x-ratelimit-limit-tokens: -1\nx-ratelimit-remaining-tokens: -1\n'
        b'x-ratelimit-reset-tokens: 0\n',
    "codex":
        b'x-codex-primary-used-percent: 100\nx-codex-primary-reset-at: 1764550800\n'
        b'x-codex-secondary-used-percent: 12.5\n',
    "github":
        b'x-ratelimit-limit: 5000\nx-ratelimit-remaining: 0\nx-ratelimit-reset: 1764550800\n',
    "github-models":
        b'x-ratelimit-timeremaining: 46\n',
    "groq":
        b'x-ratelimit-limit-requests: 14400\nx-ratelimit-remaining-requests: 14370\n'
        b'x-ratelimit-reset-requests: 2m59.56s\n'
        b'x-ratelimit-limit-tokens: 18000\nx-ratelimit-remaining-tokens: 0\n'
        b'x-ratelimit-reset-tokens: 7.66s\n',
    "huge":
        b'x-ratelimit-limit-tokens: 99999999999999999999\n'
        b'x-ratelimit-remaining-tokens: 1\nx-ratelimit-reset-tokens: 9999999999999h\n',
    "ietf-list":
        b'RateLimit: "burst";r=10;t=1, "day";r=20;t=4000;pk=:cHNk:\n'
        b'RateLimit-Policy: "burst";q=40;w=10, "day";q=1000;w=86400;qu="requests"\n',
    "ietf-list-bare":
        b'"default";r=0;t=30',
    "ietf-malformed":
        b'ratelimit: "a";r=1;t=-1, b\nratelimit-policy: "a";q=\n',
    "ietf-old":
        b'ratelimit-limit: 100, 100;w=60\nratelimit-remaining: 0\nratelimit-reset: 50\n',
    "openai":
        b'x-ratelimit-limit-requests: 60\nx-ratelimit-limit-tokens: 150000\n'
        b'x-ratelimit-remaining-requests: 59\nx-ratelimit-remaining-tokens: 149984\n'
        b'x-ratelimit-reset-requests: 1s\nx-ratelimit-reset-tokens: 6m0s\n'
        b'x-ratelimit-remaining-project-tokens: 12\n',
    "priority":
        b'anthropic-priority-input-tokens-limit: 10000\n'
        b'anthropic-priority-input-tokens-remaining: 9618\n'
        b'anthropic-priority-input-tokens-reset: 2025-12-01T00:00:03Z\n'
        b'anthropic-priority-output-tokens-remaining: 6000\n',
    "twice":
        b'x-ratelimit-remaining-tokens: 900\nx-ratelimit-remaining-tokens: 30\n'
        b'x-ratelimit-remaining-tokens: x\nx-ratelimit-remaining: 4\n'
        b'x-ratelimit-remaining-requests: 3\n',
    "unified-overage":
        b'anthropic-ratelimit-unified-status: allowed_warning\n'
        b'anthropic-ratelimit-unified-5h-utilization: 1\n'
        b'anthropic-ratelimit-unified-overage-status: allowed\n'
        b'anthropic-ratelimit-unified-overage-reset: 1764550800\n',
    "unified-rejected":
        b'anthropic-ratelimit-unified-status: rejected\n'
        b'anthropic-ratelimit-unified-reset: 1764550800\n'
        b'anthropic-ratelimit-unified-5h-status: rejected\n'
        b'anthropic-ratelimit-unified-5h-utilization: 1.02\n'
        b'anthropic-ratelimit-unified-5h-reset: 1764550800\n'
        b'anthropic-ratelimit-unified-overage-status: rejected\n'
        b'anthropic-ratelimit-unified-7d_oi-utilization: 0.5\n',
}
RESUME = {
    "background":
        b'\x11\x01A{"model":"gpt","background":true}',
    "bom-and-blanks":
        b'\x01\x01A\xef\xbb\xbf {"model":"claude-opus-4-6" , "messages" : [ {"role" : "user'
        b'"} ] } \n',
    "inner-messages":
        b'\x01\x01A{"model":"claude-opus-4-6","messages":[{"role":"user","content":"]\\"}\\'
        b'u0000"}],"metadata":{"messages":[12345678901234567890, 1e2]}}',
    "new":
        b'\x01\tOnce upon{"model":"claude-opus-4-6","max_tokens":1024,"stream":true,"messag'
        b'es":[{"role":"user","content":"Tell"}]}',
    "new-cut-character":
        b'\x01\x03A\xf0\x9f{"model":"claude-opus-4-6","messages":[{"role":"user","content":'
        b'"Tell"}]}',
    "new-escapes":
        b'\x01\t"\\\n\x01\x00\xf0\x9f\x98\x80{"model":"claude-opus-4-6","messages":[{"role"'
        b':"user","content":"Tell"}]}',
    "not-utf8":
        b'\x01\x03A\xffB{"model":"claude-opus-4-6","messages":[{"role":"user","content":"Te'
        b'll"}]}',
    "old":
        b'\x01\tOnce upon{"model":"claude-sonnet-4-5-20250929","messages":[{"role":"user","'
        b'content":"Tell"}]}',
    "old-blank-end":
        b'\x01\tOnce \xe3\x80\x80\n{"model":"claude-sonnet-4-5-20250929","messages":[{"role'
        b'":"user","content":"Tell"}]}',
    "old-prefilled":
        b'\x01\x01a{"model":"claude-sonnet-4-5-20250929","messages":[{"role":"user","conten'
        b't":"x"},{"role":"assistant","content":"{"}]}',
    "old-thinking":
        b'\x05\x04Once{"model":"claude-sonnet-4-5-20250929","thinking":{"type":"enabled","b'
        b'udget_tokens":1024},"messages":[{"role":"user","content":"Tell"}]}',
    "schema":
        b'\x01\x01{{"model":"claude-opus-4-6","output_config":{"format":{"type":"json_schem'
        b'a"}},"messages":[{"role":"user","content":"Tell"}]}',
    "spelled":
        b'\x01\x01A{"model":"claude-opus-4-6","mess\\u0061ges":[{"role":"user"}]}',
    "thinking-only":
        b'\x04\x00{"model":"claude-opus-4-6","messages":[{"role":"user","content":"Tell"}]}',
    "tool":
        b'\x03\x06I look{"model":"claude-opus-4-6","messages":[{"role":"user","content":"Te'
        b'll"}]}',
    "twice":
        b'\x01\x01A{"model":"claude-opus-4-6","messages":[{"role":"user","content":"Tell"}]'
        b',"messages":[{"role":"user","content":"Tell"}]}',
    "unknown-block":
        b'\t\x01x{"model":"claude-opus-4-6","messages":[{"role":"user","content":"Tell"}]}',
}

HEALTHY = ("1\n1764547230000\n60000\n7\n1764547260000\n9\n2\n"
           "1764547190000\n1764547195000\n" + "\n" * 14
           + "88227360\n9\n8\n7\n6\n5\n4\n1\n\n2\n")
STATE = {
    "empty": b"\0",
    "first-line": b"\0guard-state 1\n",
    "cut-in-first-line": b"\0guard-st",
    "foreign": b"\0#!/bin/sh\nrm -rf .\n",
    "only-a-sum": b"\1guard-state 1\n",
    "one-number": b"\1guard-state 1\nstate 0\n",
    "negative": b"\1guard-state 1\nstate -1\n",
    "fresh": b"\2",
    "healthy": b"\2" + HEALTHY.encode(),
    "open": b"\2" + b"1\n1764547230000\n60000\n",
    "half-open": b"\2" + b"2\n1764547000000\n60000\n3\n1764547300000\n3\n",
    "state-too-big": b"\0022\n3\n9\n",
    "largest": b"\2" + b"2\n" + b"9223372036854775807\n" * 8,
    "leading-zeros": b"\2" + b"0001\n000\n",
    "clock-stepped-back": b"\2" + b"1\n4102444800000\n600000\n",
}
CLI = {
    "two-lines": "Loaded cached credentials.\nAttempt 1 failed with status 429. Retrying with backoff...\n",
    "json-lines": '{"type":"system","subtype":"init"}\n{"type":"system","subtype":"api_retry","error_status":null,"retry_delay_ms":533.5}\n',
    "limit-event": '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1764550800,"isUsingOverage":false}}\n',
    "synthetic": '{"type":"assistant","error":"overloaded","message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error: 529"}]}}\n',
    "array": '[{"type":"result","is_error":true,"result":"API Error: Request rejected (429) \u00b7 m","api_error_status":429}]',
    "tail": 'warning\n{\n  "error": {\n    "type": "Error",\n    "message": "Incomplete JSON segment at the end",\n    "code": 1\n  }\n}\n',
    "traceback": "Traceback (most recent call last):\n  File \"a.py\", line 1\nlitellm.RateLimitError: AzureException RateLimitError - Error code: 429 - {'error': {'code': '429', 'message': None}}\n",
    "nested": "ApiError: {\"error\":{\"message\":\"{\\\"error\\\":{\\\"code\\\":429,\\\"status\\\":\\\"RESOURCE_EXHAUSTED\\\"}}\",\"code\":429,\"status\":\"\"}}\n",
    "many-lines": "x\n" * 250 + "Overloaded\n",
}
NUMBERS = ["0", "7", "-7", "007", "1.5", "-0.25", "1.", ".5", "", "-", "12x",
           "9223372036854775807", "-9223372036854775808",
           "18446744073709551615", "18446744073709551616", "86400.0001",
           "99999999999999999999999999", "0.00000000000000000000000001"]
CMDLINES = {
    "all": ["--flag", "--text=a", "--also", "b", "--also=c", "-n", "5",
            "--decimal", "2.5", "word", "-", "--", "--flag", "-x"],
    "no-value": ["--text"], "empty-value": ["--text="],
    "unknown": ["--flagg"], "letter": ["-q"], "letters": ["-fn"],
    "flag-with-value": ["--flag=1"], "too-big": ["--number", "1001"],
    "negative": ["--number=-5", "--decimal=-5.0"], "no-number": ["-n", "x"],
    "value-like-option": ["--text", "--flag"], "nothing": [""],
}
BASE64 = ["", "QQ==", "QUI=", "QUJD", "QUJDRA==", "QR==", "====", "Q===",
          "QQ=Q", "QUJD\n", "+/+/", "-_-_", "Q", "QUJDQQ==QUJD"]
HEADS = [
    "POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nab",
    "GET / HTTP/1.0\r\n\r\n", "\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n",
    "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nab",
    "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 7\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET / HTTP/1.1\nhost: x\n\n", "GET / HTTP/1.1\r\nhost: x\r\na: b\0c\r\n\r\n",
    "GET / HTTP/1.1\r\nhost: x\r\na : b\r\n c\r\n\r\n",
    "GET http://x/ HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n",
    "CONNECT x:443 HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\x16\x03\x01\x02\0", "GET /\r\n\r\n",
    "GET /\u00e9 HTTP/1.1\r\nn(: v\x01\r\n: x\r\nno colon\r\n\r\n"]
PARAMS = {
    "all": '{"int": 5, "number": 2.5, "bool": true, "string": "s", "word": "retry", "strings": ["a"], "ints": [0, 9], "pairs": [["a", "b"]], "expr": "1 + 2", "literal": null, "object": {"x": {}}, "why": "w"}',
    "least": '{"int": -3}', "missing": '{"number": 1}', "unknown": '{"int": 1, "nmber": 2}',
    "range": '{"int": 101}', "half": '{"int": 1.5}', "word": '{"int": 1, "word": "retri"}',
    "pair": '{"int": 1, "pairs": [["a"]]}', "items": '{"int": 1, "ints": [10]}',
    "null": '{"int": 1, "number": null}', "type": '{"int": "1"}', "list": "[]",
}
POLICIES = {
    "empty": "{}", "nulls": '{"breaker": null, "metrics_line": null, "slack": 0}',
    "bad-pattern": '{"metrics_line": "(?<hits>"}', "no-breaker-count": '{"breaker": {}}',
    "unknown": '{"max_wait": 3}', "word": '{"truncated": "retri"}',
    "counts": '{"breaker": {"opens_after": 1, "counts": ["rate_limit"]}}',
    "below": '{"max_wait_s": -1}', "above": '{"slack": 3601, "attempts": 100001}',
    "schema": '{"$schema": "x", "why": "y", "terminal": "lenient"}',
    "backtracking": '{"metrics_line": "(a+)+$", "why": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}',
}
REPORTS = {
    "green": (0, '{"scenarios": [{"name": "a", "verdict": "pass", "seconds": 0.5, "kind": "none"}], "exit": 0}'),
    "red": (2, '{"scenarios": [{"name": "a", "verdict": "fail", "kind": "assert", "reason": "r"}, {"name": "b", "verdict": "skip"}], "exit": 1}'),
    "open": (4, '{"scenarios": [{"name": "a", "verdict": "inconclusive", "kind": "no-contact", "why": "w"}], "exit": 3}'),
    "contradiction": (0, '{"scenarios": [{"name": "a", "verdict": "fail"}]}'),
    "other-exit": (0, '{"scenarios": [{"name": "a", "verdict": "pass"}], "exit": 1}'),
    "twice": (0, '{"scenarios": [{"name": "a", "verdict": "pass"}, {"name": "a", "verdict": "pass"}]}'),
    "no-name": (0, '{"scenarios": [{"verdict": "pass"}]}'),
    "none": (0, '{"scenarios": []}'),
    "command": (1, 'log {\n{"tests": {"t": {"verdict": "green", "seconds": 1}}}\n'),
    "command-red": (3, '{"tests": {"t": {"verdict": "red", "kind": "crash"}, "u": {"verdict": "green"}}}'),
    "command-error": (7, '{"tests": {"t": {"verdict": "error", "kind": "harness"}}}'),
    "command-brace-log": (1, '{ not JSON\n{"tests": {"t": {"verdict": "green"}}}'),
    "command-no-name": (1, '{"tests": {"": {"verdict": "green"}}}'),
}
OUTCOMES = {
    "none": '{"tests": {}, "results": []}',
    "one": '{"faultwire": "0.1.0", "ms": 1200, "problem": "", "canary": ["a"], "tests": {"a": {"verdict": "green", "ms": 3}, "b": {"verdict": "green", "ms": 0}}, "results": [{"id": "m1", "outcome": "caught", "why": "", "operator": "o", "motive": "m", "place": "lib/x.c:3", "build_ms": 1, "suite_ms": 2, "kinds": ["assert"], "kills": 1, "tests": {"a": {"verdict": "green", "ms": 1}, "b": {"verdict": "red", "kind": "assert", "why": "w", "ms": 2}}}]}',
    "stopped": '{"problem": "the baseline is red", "ms": 0, "tests": {"a": {"verdict": "red", "kind": "hang", "ms": 9}}, "canary": [], "results": []}',
    "unknown-canary": '{"tests": {}, "canary": ["a"], "results": []}',
    "unknown-outcome": '{"tests": {}, "results": [{"id": "m", "outcome": "x", "tests": {}}]}',
    "unknown-kind": '{"tests": {"a": {"verdict": "red", "kind": "x"}}, "results": []}',
    "no-tests": '{"results": [{"id": "m", "outcome": "missed"}]}',
    "equivalent": '{"tests": {}, "results": [{"id": "m", "outcome": "equivalent", "why": "same text", "tests": {}}, {"id": "n", "outcome": "not-applied", "tests": {}}]}',
}
BODY = '{"model":"m","max_tokens":1,"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"a"}]}'
REQUESTS = {
    "messages": ("POST /v1/messages?beta=true HTTP/1.1", ["x-api-key: sk-lane-a", "anthropic-version: 2023-06-01", "X-Stainless-Retry-Count: 1"], BODY),
    "lane-in-path": ("POST /run-7/v1/messages HTTP/1.1", ["idempotency-key: k"], BODY),
    "no-v1": ("POST /messages HTTP/1.0", [], BODY),
    "count": ("POST /v1/messages/count_tokens HTTP/1.1", [], '{"model":"m"}'),
    "chat": ("POST /v1/chat/completions HTTP/1.1", ["authorization: Bearer sk-x-lane-b"], BODY),
    "responses": ("POST /v1/responses HTTP/1.1", ["x-faultwire-lane: c"], '{"stream":false,"model":"gpt-x","input":"a"}'),
    "generate": ("POST /v1beta/models/gemini-x:generateContent?key=k-lane-d&x=1 HTTP/1.1", [], '{"contents":[]}'),
    "stream": ("POST /v1/models/gemini-x:streamGenerateContent?alt=sse HTTP/1.1", ["x-goog-api-key: k"], '{"contents":[]}'),
    "array": ("POST /v1beta/models/g:streamGenerateContent HTTP/1.1", ["connection: close"], "{}"),
    "models": ("GET /v1/models HTTP/1.1", [], ""), "head": ("HEAD / HTTP/1.1", [], ""),
    "upgrade": ("GET /v1/responses HTTP/1.1", ["upgrade: websocket"], ""),
    "unknown": ("POST /v2/none HTTP/1.1", [], ""), "admin": ("GET /__admin/health HTTP/1.1", [], ""),
    "options": ("OPTIONS * HTTP/1.1", [], ""),
    "not-json": ("POST /v1/messages HTTP/1.1", [], '{"model": "a'),
    "escape-at-end": ("POST /v1/messages HTTP/1.1", [], '{"a\\'),
    "nested-model": ("POST /v1/messages HTTP/1.1", [], '{"a":{"model":"x"},"b":[{}],"model":"y"}'),
}
ADMIN = {
    "health": ("GET health", [], ""), "settings": ("POST settings", [], '{"no_faults": true}'),
    "settings-shown": ("GET settings", [], ""), "unknown-key": ("POST settings", [], '{"no_fault": true}'),
    "not-json": ("POST settings", [], "{"), "reset": ("POST reset", [], ""),
    "rewind": ("POST rewind", [], ""), "wrong-method": ("GET reset", [], ""),
    "near": ("GET scenario", [], ""), "scenarios": ("GET scenarios", [], ""),
    "call": ("POST /v1/messages", ["x-api-key: a"], BODY), "stats": ("GET stats", [], ""),
    "metrics": ("GET metrics", [], ""), "head-only": ("HEAD health", [], ""),
    "clear": ("DELETE requests", [], ""),
    "all-settings": ("POST settings", [], '{"delay_ms": 5, "seed": 3, "allow_force": true}'),
    "arm": ("POST scenarios", [], '{"name":"b","why":"w","steps":[{"fault":"overloaded","chance":0.5},{"reply":"message"}]}'),
    "hostile": ('POST /v1/messages/"\\\x01\xff', ['x-api-key: "\\'], '{"model":"\xff"}'),
}

TOTALS_ROW = """label %s
state 1
ended_ms 1764547230000
hits 0
rejected 1
opened 2
backoff_total_ms 3
calls 4
attempts 5
retries 6
timeouts 7
done 8
degraded 9
failed 10
retried 11
recovered 12
overruns 13
paced 14
paced_total_ms 15
throttled 16
most_retries 3
longest_ms 1200
duration_sum_ms 4000
duration 3 1
duration 40 2
"""
TOTALS = {
    "empty": b"\0",
    "first-line": b"\0guard-totals 1\n",
    "only-a-sum": b"\1guard-totals 1\n",
    "foreign": b"\0# HELP guard_calls_total calls begun\n",
    "newer": b"\1guard-totals 2\n",
    "one-row": b"\1guard-totals 1\n" + (TOTALS_ROW % "nightly").encode(),
    "two-rows": b"\1guard-totals 1\n"
    + (TOTALS_ROW % "nightly" + TOTALS_ROW % "fuzz").encode(),
    "same-label-twice": b"\1guard-totals 1\nlabel a\nlabel a\n",
    "no-label": b"\1guard-totals 1\nlabel \n",
    "state-too-big": b"\1guard-totals 1\nlabel a\nstate 3\n",
    "bucket-too-big": b"\1guard-totals 1\nlabel a\nduration 9999 1\n",
    "negative": b"\1guard-totals 1\nlabel a\ncalls -1\n",
}

_ATTEMPT = (
    '{"seq":1,"conn":1,"class":"call","end":"kept","first_byte_ns":5,'
    '"end_request_ns":6,"method":"POST","target":"/v1/messages","headers":'
    '[["Host","127.0.0.1:1"],["x-api-key","[masked]"]],'
    '"body_hash":"9c2e1b5a00ff4d31","body_bytes":2,"body":"{}","lane":"",'
    '"provider":"anthropic","model":"m","stream":true,"retry_count":-1,'
    '"idempotency_key":"","step":0,"rule":"step 0","fault":"rate_limit",'
    '"status":429,"what":"429 rate_limit_error","retry_after":"2",'
    '"injected":true,"delivered":true,"complete":true,"stream_sent":false,'
    '"terminal_sent":false,"events_sent":0,"bytes_sent":400,'
    '"answer_first_ns":7,"answer_last_ns":8,"client_left_ns":0}\n')

# Lines of a journal (mockserver/journal_json.c).
JOURNAL_READ = {
    "one": _ATTEMPT.encode(),
    "two-in-the-order-of-their-ends": (
        _ATTEMPT.replace('"seq":1', '"seq":2') + _ATTEMPT).encode(),
    "twice-the-same": (_ATTEMPT + _ATTEMPT).encode(),
    "long-numbers": _ATTEMPT.replace(
        '"first_byte_ns":5', '"first_byte_ns":9007199254740993').encode(),
    "no-retry-after": _ATTEMPT.replace('"retry_after":"2"',
                                       '"retry_after":null').encode(),
    "not-utf-8": _ATTEMPT.replace(
        '"client_left_ns":0', '"client_left_ns":0,"base64":{"body":"/w==",'
        '"target":"L4A=","model":"bf8=","headers":"YQo="}').encode(),
    "start-of-a-command": _ATTEMPT.replace(
        '"lane"', '"channel":"command","argv":["-p","x"],"env":["PATH"],'
        '"exit_code":1,"lane"').replace('"kept"', '"exit"').encode(),
    "killed-command": _ATTEMPT.replace(
        '"lane"', '"channel":"command","argv":[],"env":[],"exit_signal":9,'
        '"lane"').replace('"kept"', '"exit"').encode(),
    "handshake": _ATTEMPT.replace('"call"', '"handshake"').replace(
        '"method"', '"tls":"TLS1.3","method"').encode(),
    "flaws": _ATTEMPT.replace(
        '"lane"', '"flaws":["two hosts","a NUL byte in the head"],'
        '"pipelined_bytes":3,"lane"').encode(),
    "barrier-and-limits": _ATTEMPT.replace(
        '"bytes_sent"', '"barrier_round":1,"barrier_came":2,'
        '"barrier_wanted":3,"barrier_open_ns":4,"limits":"requests 3/5",'
        '"bytes_sent"').encode(),
    "events": _ATTEMPT.replace(
        '"bytes_sent"', '"events":[[0,"c"],[5,"p"],[5,"e"],[9,"t"]],'
        '"bytes_sent"').encode(),
    "second-script": _ATTEMPT.replace('"fault"', '"script":2,"fault"').encode(),
    "nul-in-a-body": _ATTEMPT.replace('"body":"{}"',
                                      '"body":"a\\u0000b"').encode(),
    "cut-off": _ATTEMPT.encode()[:-40],
    "unknown-key": _ATTEMPT.replace('"seq"', '"sqe"').encode(),
    "empty": b"",
    "no-json": b"journal\n",
}

# Unified diffs, as --in-diff and the patch of a mutant have them.
_X = b"--- a/x.c\n+++ b/x.c\n"
UDIFF = {
    "one-line": _X + b"@@ -3 +3 @@\n-a\n+b\n",
    "added-and-removed": _X + b"@@ -2,0 +3,2 @@\n+a\n+b\n"
                              b"@@ -9,2 +11,0 @@\n-a\n-b\n",
    "two-runs": _X + b"@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n-d\n+D\n",
    "git": b"diff --git a/x.c b/x.c\nindex 1..2 100644\n" + _X
           + b"@@ -1,2 +1 @@ int f(void)\n--- a/y.c\n a\n"
             b"\\ No newline at end of file\n",
    "new-and-gone": b"--- /dev/null\n+++ b/n.c\n@@ -0,0 +1 @@\n+a\n"
                    b"--- a/g.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
    "quoted": b'--- "a/\\303\\244"\n+++ "b/\\303\\244"\n@@ -1 +1 @@\n-a\n+b\n',
    "rename": b"diff --git a/x b/y\nrename from x\nrename to y\n",
    "cut": _X + b"@@ -1,2 +1,2 @@\n a\n",
    "plain": b"--- x.c\t2025-01-01\n+++ x.c\t2025-01-02\n@@ -1 +1 @@\n-a\n+b\n",
}

# What other people's suites print; the first byte is format and exit code.
SUITE_FORMAT = {
    "verdicts": b'\x00log\n{"tests": {"a": {"verdict": "green"}}}\n',
    "junit-red": b'\x05<?xml version="1.0"?>\n<testsuites><testsuite>'
                 b'<testcase classname="m.C" name="a" time="0.5"/>'
                 b'<testcase name="b"><failure message="2 &lt; 1">x</failure>'
                 b"</testcase></testsuite></testsuites>\n",
    "junit-green": b"\x01<t><!-- c --><testcase name='&#x41;&amp;'><system-out>"
                   b"<![CDATA[<failure/>]]></system-out><skipped/></testcase></t>",
    "junit-cut": b"\x01<t><testcase name='a'>",
    "junit-error": b"\x09<t><testcase name='a'><error/></testcase></t>",
    "tap-red": b"\x06TAP version 14\n1..2\nok 1 - a # SKIP x\nnot ok 2 - b\n"
               b"  ---\n  message: 'x'\n  ...\n",
    "tap-todo": b"\x02ok a\nnot ok b # todo\n1..2\n",
    "tap-bail": b"\x061..2\nok\nBail out! x\n",
    "exit-0": b"\x03",
    "exit-127": b"\x0f",
}
