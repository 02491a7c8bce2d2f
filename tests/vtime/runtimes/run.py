"""Runs `faultwire test` once and says what it cost; shared by check here and
tests/bench/virtual_cpu."""
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
import faultwire  # noqa: E402


def run(scenario, client, options=()):
    """The scenario's object of the JSON report, with "red" (the failed
    checks), "text" (what was printed), "wall_s", and "cpu_s": of faultwire,
    the client and all it started."""
    with tempfile.TemporaryDirectory() as folder:
        report = f"{folder}/report.json"
        with open(f"{folder}/text", "w+", encoding="utf-8") as text:
            begin = time.monotonic()
            child = subprocess.Popen(
                [faultwire.program(), "test", "--jobs", "1", "--report",
                 f"json={report}", *options, scenario, "--", *client],
                stdin=subprocess.DEVNULL, stdout=text,
                stderr=subprocess.STDOUT)
            _, status, used = os.wait4(child.pid, 0)
            wall_s = time.monotonic() - begin
            child.returncode = os.waitstatus_to_exitcode(status)
            text.seek(0)
            printed = text.read()
        result = {"verdict": "error", "kind": None, "checks": [],
                  "attempts": [], "reason": "there is no report"}
        if os.path.exists(report):
            with open(report, encoding="utf-8") as file:
                result = json.load(file)["scenarios"][0]
    result["red"] = sorted({check["check"] for check in result["checks"]
                            if check["verdict"] == "fail"})
    result["text"], result["wall_s"] = printed, wall_s
    result["cpu_s"] = used.ru_utime + used.ru_stime
    return result


def gaps_s(result):
    """Seconds from the end of each answer to the next call."""
    calls = result["attempts"]
    return [(after["first_byte_ns"] - before["answer_last_ns"]) / 1e9
            for before, after in zip(calls, calls[1:])]
