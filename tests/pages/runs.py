"""Runs that are hard on a page, as JSON reports: many scenarios, many lanes,
texts that try to become markup, outputs of any length."""

HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "</pre></details></main><h1>passed</h1>",
    "<!--", "]]>", "&lt;b&gt; &amp;amp; &#60;",
    "' onmouseover='alert(1)", "</title><script>alert(1)</script>",
    "</style><style>*{display:none}</style>",
    "javascript:alert(1) https://example.com/x.js",
]
S = 1000000000
BASE = 5000 * S


def attempt(seq, at, answer, over, status=200, lane="", **more):
    """Times in seconds since the start; answer None: no byte of it."""
    a = {
        "seq": seq, "conn": seq, "class": "call", "end": "kept",
        "first_byte_ns": BASE + int(at * S),
        "end_request_ns": BASE + int(at * S) + 1000000,
        "method": "POST", "target": "/v1/messages", "headers": [],
        "lane": lane, "status": status,
        "what": f"{status} " + ("message" if status < 300 else "error"),
        "retry_after": None, "injected": status >= 300,
        "delivered": status >= 300, "complete": True, "stream_sent": False,
        "terminal_sent": False, "events_sent": 0, "bytes_sent": 400,
        "answer_first_ns": BASE + int(answer * S) if answer else 0,
        "answer_last_ns": BASE + int(over * S) if answer else 0,
        "client_left_ns": 0,
    }
    a.update(more)
    return a


def window(seq, at, until):
    return {"seq": seq, "from_ns": BASE + int(at * S),
            "until_ns": BASE + int(until * S)}


def start(lane, begin, end, number=0, out="", err="", **more):
    s = {"lane": lane, "number": number, "exit_code": 0, "signal": 0,
         "timed_out": False, "seconds": end - begin, "launched": True,
         "left_children": False, "out_bytes": len(out), "err_bytes": len(err),
         "start_ns": BASE + int(begin * S), "exit_ns": BASE + int(end * S),
         "stdout": out, "stderr": err}
    s.update(more)
    return s


def check(name, verdict, text, expected="", actual="", lane=""):
    return {"check": name, "verdict": verdict, "text": text,
            "expected": expected, "actual": actual, "lane": lane, "line": 9}


def scenario(name, verdict="pass", seconds=1.0, **more):
    s = {"name": name, "file": f"scenarios/{name}.json",
         "why": "a client that ignores retry-after spends its quota",
         "verdict": verdict, "kind": "assert" if verdict == "fail" else "none",
         "reason": "", "seconds": seconds, "seed": 1, "checks": [],
         "attempts": [], "side": 0, "refused": 0, "starts": [],
         "start_ns": BASE, "end_ns": BASE + int(seconds * S), "windows": [],
         "transcript": [],
         "again": f"faultwire test scenarios/{name}.json -- ./my-client"}
    s.update(more)
    return s


def early(name, lane=""):
    """A client that comes back before its retry-after is over."""
    return scenario(
        name, "fail", 5.2,
        reason="attempt 2 must start 3000 ms or more after answer 1 ended",
        checks=[check("attempts", "pass", "number of calls", "3", "3"),
                check("gap", "fail", "attempt 2 must start 3000 ms or more "
                      "after answer 1 ended",
                      "3000..7000 ms   (steps[0].retry_after = \"3\", "
                      "policy.slack = 4 s)", "412 ms", lane)],
        attempts=[
            attempt(1, .3, .31, .32, 429, lane, retry_after="3"),
            attempt(2, .73, .74, .75, 429, lane, retry_after="3"),
            attempt(3, 4.1, 4.5, 5.1, 200, lane, stream_sent=True,
                    terminal_sent=True, events_sent=9,
                    events=[[i * S // 14, "c"] for i in range(8)]
                    + [[6 * S // 10, "t"]])],
        windows=[window(1, .32, 3.32), window(2, .75, 3.75)],
        starts=[start(lane, 0, 5.2, out="hello\n" * 4,
                      err="retrying in 0.4 s\n",
                      metrics={"state": "closed", "hits": "2"})],
        transcript=["#1  0.300 s  POST /v1/messages  -> 429, retry-after: 3",
                    "#2  0.730 s  POST /v1/messages  -> 429, retry-after: 3",
                    "#3  4.100 s  POST /v1/messages  -> 200 message, stream",
                    "exit 0 after 5.20 s"])


def streams(name):
    """A cut stream, a silent one that the client leaves, a time-out."""
    return scenario(
        name, "inconclusive", 9.0, kind="hang",
        reason="still ran at its limit",
        checks=[check("exit_code", "inconclusive", "exit code", "one of 0",
                      "still ran at its limit")],
        attempts=[
            attempt(1, .2, .5, 1.4, stream_sent=True, events_sent=4,
                    events=[[0, "c"], [S // 10, "c"], [S // 2, "p"],
                            [9 * S // 10, "e"]], complete=False, end="rst", injected=True, delivered=True),
            attempt(2, 2.6, 2.8, 2.9, stream_sent=True, events_sent=1,
                    complete=False, end="client", injected=True,
                    delivered=True, client_left_ns=BASE + int(5.2 * S)),
            attempt(3, 6.4, None, 6.4, 0, complete=False, what="",
                    end="client", client_left_ns=BASE + 9 * S),
            attempt(4, 6.5, 6.5, 6.6, 200, **{"class": "side"})],
        starts=[start("", 0, 9.0, timed_out=True)],
        transcript=["#1 ...", "still ran at its limit"])


def lanes(name, n):
    """A herd: n lanes that come back at nearly the same time."""
    names = [f"copy-{i + 1}" for i in range(n)]
    attempts, windows, starts, seq = [], [], [], 0
    for i, lane in enumerate(names):
        at = .2 + i * .05
        for k in range(4):
            seq += 1
            fault = k < 2
            attempts.append(attempt(
                seq, at, at + .05, at + .1 + k * .1, 529 if fault else 200,
                lane, retry_after="1" if fault else None))
            if fault:
                windows.append(window(seq, at + .1, at + 1.1))
            at += 1.4 + .3 * i if fault else .02
        starts.append(start(lane, 0, at + .5, err=f"{lane}: busy\n",
                            metrics={"state": "open", "opened": "1"}))
    return scenario(name, "warn", 5.0, reason="waits are in step",
                    checks=[check("spread", "warn", "waits lie apart",
                                  "50 ms or more", "3 ms", names[-1])],
                    attempts=attempts, windows=windows, starts=starts,
                    transcript=[f"{a['seq']} {a['lane']}" for a in attempts])


def hostile():
    """Every text of the scenario is one that would like to be markup."""
    result = []
    for i, text in enumerate(HOSTILE):
        s = early(f"hostile/{i} {text}", text)
        s.update(why=text, reason=text, again=text, evidence=text, file=text,
                 transcript=[text])
        for c in s["checks"]:
            c.update(check=text, text=text, expected=text, actual=text)
        for a in s["attempts"]:
            a.update(method=text, target=text, what=text, retry_after=text)
        for one in s["starts"]:
            one.update(stdout=text * 3, stderr=text, metrics={text: text,
                                                              "state": text})
        result.append(s)
    return result


def long_words(name):
    """One word without a blank, wherever a text can stand."""
    word = "x" * 700
    s = early(f"{name}/{word}")
    s.update(why=word, reason=word, again=word, transcript=[word])
    for c in s["checks"]:
        c.update(expected=word, actual=word, text=word)
    big = "".join(f"line {i}: {'=' * (i % 200)}\n" for i in range(180))
    s["starts"] = [start("", 0, 5.2, out=big, err=word,
                         stdout_end=big, out_bytes=5000000)]
    return s


def crowd(name):
    """One lane with calls that overlap, more than the picture has rows for."""
    attempts = [attempt(i + 1, .1 + i * .01, .5, .6 + (i % 7) * .05,
                        200 if i % 5 else 529) for i in range(60)]
    return scenario(name, "pass", 1.2, attempts=attempts,
                    starts=[start("", 0, 1.2)])


def late(name):
    """Slow to start, a wait of days, and many attempts at the end."""
    attempts = [attempt(i + 1, 9 + i * .03, 9.01 + i * .03, 9.02 + i * .03,
                        429, retry_after="2160000") for i in range(30)]
    return scenario(name, "fail", 10, reason="called again", attempts=attempts,
                    windows=[window(1, 9.02, 2160009)],
                    starts=[start("", 0, 10, exit_code=1)])


def report(scenarios):
    words = ["pass", "warn", "skip", "inconclusive", "fail"]
    counts = {w: sum(s["verdict"] == w for s in scenarios) for w in words}
    code = 1 if counts["fail"] else 3 if counts["inconclusive"] else 0
    return {"faultwire": "0.1.0", "client": ["./my-client", "--say", "hello"],
            "seed": 18446744073709551615, "seconds": 61.5,
            "scenarios": scenarios, "counts": counts, "exit": code}


def plain(i):
    return scenario(
        f"area-{i % 6}/scenario-{i}", "pass", .8 + i * .1,
        checks=[check("attempts", "pass", "number of calls", "2", "2"),
                check("exit_code", "pass", "exit code", "one of 0", "exit 0")],
        attempts=[attempt(1, .1, .11, .12, 529), attempt(2, .5, .6, .7)],
        starts=[start("", 0, .8, out="hello\n")],
        transcript=["#1  0.100 s  -> 529", "#2  0.500 s  -> 200", "exit 0"])


def all_runs():
    """name: report"""
    forty = [plain(i) for i in range(32)]
    forty += [early("rate-limit/early"), early("rate-limit/early-again"),
              early("rate-limit/early-once-more"), early("rate-limit/fourth"),
              streams("stream/cut-and-silent"), lanes("herd/five-lanes", 5),
              scenario("breaker/opens", "skip", 0,
                       reason="the policy has no breaker"), late("late/all")]
    return {
        "forty": report(forty),
        "hostile": report(hostile()),
        "wide": report([long_words("wide"), crowd("crowd/sixty"),
                        lanes("herd/twelve", 12), late("late/all"),
                        streams("stream/cut-and-silent")]),
        "green": report([plain(i) for i in range(3)]),
        "none": report([]),
    }
